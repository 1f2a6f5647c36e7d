// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/theme/save_dialog.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>

namespace attn::gui {

QString ask_save_file(QWidget* parent, const QString& title, const QString& stem,
                      const QString& suffix) {
  QFileDialog dialog(parent, title);
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setFileMode(QFileDialog::AnyFile);
  dialog.setNameFilter(
      QStringLiteral("%1 (*.%2)").arg(suffix.section(QLatin1Char('.'), -1).toUpper(), suffix));
  dialog.setDefaultSuffix(suffix);
  if (!stem.isEmpty()) dialog.selectFile(QStringLiteral("%1.%2").arg(stem, suffix));
  // The ending decides how the file is written. A name with another one gets the right one and is
  // shown again, because a file of that name may be there already.
  const QString ending = QLatin1Char('.') + suffix.section(QLatin1Char('.'), -1);
  while (dialog.exec() == QDialog::Accepted && !dialog.selectedFiles().isEmpty()) {
    const QString file = dialog.selectedFiles().front();
    if (file.endsWith(ending, Qt::CaseInsensitive)) return file;
    dialog.selectFile(file + QLatin1Char('.') + suffix);
  }
  return {};
}

QString ask_new_folder(QWidget* parent, const QString& title, const QString& stem) {
  QFileDialog dialog(parent, title);
  // A name that does not exist can be typed in a dialog for files only. Choosing an existing folder
  // opens it.
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setFileMode(QFileDialog::AnyFile);
  dialog.setOption(QFileDialog::DontConfirmOverwrite);  // nothing that exists is replaced
  dialog.setLabelText(QFileDialog::FileName,
                      QCoreApplication::translate("SaveDialog", "New folder:"));
  const auto propose = [&dialog, stem] {
    const QDir folder = dialog.directory();
    QString name = stem;
    for (int i = 2; QFileInfo::exists(folder.filePath(name)); ++i)
      name = QStringLiteral("%1-%2").arg(stem).arg(i);
    dialog.selectFile(name);
  };
  QObject::connect(&dialog, &QFileDialog::directoryEntered, &dialog, propose);
  propose();
  if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty()) return {};
  return dialog.selectedFiles().front();
}

}  // namespace attn::gui
