// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/theme/save_dialog.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <algorithm>

namespace attn::gui {
namespace {

std::array<QString, kSaveKinds.size()>& folders() {
  static std::array<QString, kSaveKinds.size()> folders;
  return folders;
}

// Begins in the folder of the last dialog of this kind.
void begin_in_last_folder(QFileDialog& dialog, SaveKind kind) {
  if (const QString folder = save_folder(kind); QFileInfo(folder).isDir())
    dialog.setDirectory(folder);
}

QString ending_of(const QString& suffix) {
  return QLatin1Char('.') + suffix.section(QLatin1Char('.'), -1);
}

}  // namespace

QString name_of(SaveKind kind) {
  static const std::array<const char*, kSaveKinds.size()> kNames{"scenario", "session", "export",
                                                                 "report",   "results", "hand_out"};
  return QLatin1String(kNames[static_cast<size_t>(kind)]);
}

QString save_folder(SaveKind kind) {
  return folders()[static_cast<size_t>(kind)];
}

void set_save_folder(SaveKind kind, const QString& folder) {
  folders()[static_cast<size_t>(kind)] = folder;
}

QString ask_save_file(QWidget* parent, const QString& title, SaveKind kind, const QString& stem,
                      const QStringList& suffixes) {
  QFileDialog dialog(parent, title);
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setFileMode(QFileDialog::AnyFile);
  begin_in_last_folder(dialog, kind);
  QStringList filters;
  for (const QString& suffix : suffixes)
    filters << QStringLiteral("%1 (*.%2)").arg(ending_of(suffix).mid(1).toUpper(), suffix);
  dialog.setNameFilters(filters);
  QString suffix = suffixes.front();
  dialog.setDefaultSuffix(suffix);
  QObject::connect(&dialog, &QFileDialog::filterSelected, &dialog, [&](const QString& filter) {
    suffix = suffixes[std::max<qsizetype>(0, filters.indexOf(filter))];
    dialog.setDefaultSuffix(suffix);
  });
  if (!stem.isEmpty()) dialog.selectFile(QStringLiteral("%1.%2").arg(stem, suffix));
  // The ending decides how the file is written. A name with another one gets the right one and is
  // shown again, because a file of that name may be there already.
  const auto is_right = [&](const QString& file) {
    return std::ranges::any_of(suffixes, [&](const QString& one) {
      return file.endsWith(ending_of(one), Qt::CaseInsensitive);
    });
  };
  while (dialog.exec() == QDialog::Accepted && !dialog.selectedFiles().isEmpty()) {
    const QString file = dialog.selectedFiles().front();
    if (is_right(file)) {
      set_save_folder(kind, QFileInfo(file).absolutePath());
      return file;
    }
    dialog.selectFile(file + QLatin1Char('.') + suffix);
  }
  return {};
}

QString ask_new_folder(QWidget* parent, const QString& title, SaveKind kind, const QString& stem) {
  QFileDialog dialog(parent, title);
  // A name that does not exist can be typed in a dialog for files only. Choosing an existing folder
  // opens it.
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setFileMode(QFileDialog::AnyFile);
  dialog.setOption(QFileDialog::DontConfirmOverwrite);  // nothing that exists is replaced
  dialog.setLabelText(QFileDialog::FileName,
                      QCoreApplication::translate("SaveDialog", "New folder:"));
  begin_in_last_folder(dialog, kind);
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
  const QString folder = dialog.selectedFiles().front();
  set_save_folder(kind, QFileInfo(folder).absolutePath());
  return folder;
}

}  // namespace attn::gui
