// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/theme/save_dialog.h"

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
  if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty()) return {};
  return dialog.selectedFiles().front();
}

}  // namespace attn::gui
