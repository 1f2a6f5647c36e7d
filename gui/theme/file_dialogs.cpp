// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/theme/file_dialogs.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <algorithm>

namespace attn::gui {
namespace {

std::array<QString, kFileKinds.size()>& folders() {
  static std::array<QString, kFileKinds.size()> folders;
  return folders;
}

QString& work_folder() {
  static QString folder;
  return folder;
}

// Whether the folder lies in /proc, /sys or /dev. A dialog that reads files of its folder to show
// their kind can block there for ever, as for /proc/kmsg.
bool is_of_kernel(const QString& folder) {
  const QString path = QFileInfo(folder).canonicalFilePath() + QLatin1Char('/');
  return std::ranges::any_of(std::array{"/proc/", "/sys/", "/dev/"}, [&](const char* root) {
    return path.startsWith(QLatin1String(root));
  });
}

bool can_begin_in(const QString& folder, FileKind kind) {
  const QFileInfo info(folder);
  return !folder.isEmpty() && info.isDir() && !is_of_kernel(folder) &&
         (kind < FileKind::kScenario || info.isWritable());
}

QString ending_of(const QString& suffix) {
  return QLatin1Char('.') + suffix.section(QLatin1Char('.'), -1);
}

}  // namespace

QString name_of(FileKind kind) {
  static const std::array<const char*, kFileKinds.size()> kNames{
      "opened",  "tensors", "texts",  "lesson",  "scenario",
      "session", "export",  "report", "results", "hand_out"};
  return QLatin1String(kNames[static_cast<size_t>(kind)]);
}

QString last_folder(FileKind kind) {
  return folders()[static_cast<size_t>(kind)];
}

void set_last_folder(FileKind kind, const QString& folder) {
  folders()[static_cast<size_t>(kind)] = folder;
}

void set_work_folder(const QString& folder) {
  work_folder() = folder;
}

QString folder_to_begin(FileKind kind) {
  for (const QString& folder : {last_folder(kind), work_folder(), QDir::currentPath()})
    if (can_begin_in(folder, kind)) return folder;
  return QDir::homePath();
}

QString ask_open_file(QWidget* parent, const QString& title, FileKind kind,
                      const QString& filters) {
  const QString file = QFileDialog::getOpenFileName(parent, title, folder_to_begin(kind), filters);
  if (!file.isEmpty()) set_last_folder(kind, QFileInfo(file).absolutePath());
  return file;
}

QStringList ask_open_files(QWidget* parent, const QString& title, FileKind kind,
                           const QString& filters) {
  const QStringList files =
      QFileDialog::getOpenFileNames(parent, title, folder_to_begin(kind), filters);
  if (!files.isEmpty()) set_last_folder(kind, QFileInfo(files.front()).absolutePath());
  return files;
}

QString ask_open_folder(QWidget* parent, const QString& title, FileKind kind) {
  const QString folder = QFileDialog::getExistingDirectory(parent, title, folder_to_begin(kind));
  if (!folder.isEmpty()) set_last_folder(kind, folder);
  return folder;
}

QString ask_save_file(QWidget* parent, const QString& title, FileKind kind, const QString& stem,
                      const QStringList& suffixes) {
  QFileDialog dialog(parent, title);
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setFileMode(QFileDialog::AnyFile);
  dialog.setDirectory(folder_to_begin(kind));
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
  // The ending decides how the file is written. A name with another ending gets the chosen suffix,
  // and the dialog is shown again, because a file with the new name may exist.
  const auto is_right = [&](const QString& file) {
    return std::ranges::any_of(suffixes, [&](const QString& one) {
      return file.endsWith(ending_of(one), Qt::CaseInsensitive);
    });
  };
  while (dialog.exec() == QDialog::Accepted && !dialog.selectedFiles().isEmpty()) {
    const QString file = dialog.selectedFiles().front();
    if (is_right(file)) {
      set_last_folder(kind, QFileInfo(file).absolutePath());
      return file;
    }
    dialog.selectFile(file + QLatin1Char('.') + suffix);
  }
  return {};
}

QString ask_new_folder(QWidget* parent, const QString& title, FileKind kind, const QString& stem) {
  QFileDialog dialog(parent, title);
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setFileMode(QFileDialog::AnyFile);
  dialog.setOption(QFileDialog::DontConfirmOverwrite);  // the caller checks a folder that exists
  dialog.setLabelText(QFileDialog::FileName,
                      QCoreApplication::translate("SaveDialog", "New folder:"));
  dialog.setDirectory(folder_to_begin(kind));
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
  set_last_folder(kind, QFileInfo(folder).absolutePath());
  return folder;
}

}  // namespace attn::gui
