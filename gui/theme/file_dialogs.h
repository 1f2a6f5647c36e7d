// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for files or a folder to open, for a file to save to, or for a new folder. A dialog begins
// in folder_to_begin(). GUI thread.
#pragma once

#include <QString>
#include <QStringList>
#include <QWidget>
#include <array>

namespace attn::gui {

enum class FileKind {
  kOpened,  // what the window opens, such as scenarios and models
  kTensors,
  kTexts,
  kLesson,
  kScenario,  // of this kind and all below, a dialog looks for a folder that can be written
  kSession,
  kExport,
  kReport,
  kResults,
  kHandOut
};
inline constexpr std::array<FileKind, 10> kFileKinds{
    FileKind::kOpened,   FileKind::kTensors, FileKind::kTexts,  FileKind::kLesson,
    FileKind::kScenario, FileKind::kSession, FileKind::kExport, FileKind::kReport,
    FileKind::kResults,  FileKind::kHandOut};
QString name_of(FileKind kind);  // "scenario": the name of the kind in the settings

// The folder that was chosen last in a dialog of this kind; for a file or a new folder, the one in
// which it lies. Empty: none is known. It may not exist any more.
QString last_folder(FileKind kind);
void set_last_folder(FileKind kind, const QString& folder);
// The folder in which a dialog begins if last_folder() of its kind cannot be used.
void set_work_folder(const QString& folder);
// Where a dialog begins: in the first that can be used of last_folder() of its kind, the work
// folder and the current folder; if none can, in the home folder.
QString folder_to_begin(FileKind kind);

// filters: as QFileDialog's, "Texts (*.txt);;All files (*)". Empty result: the user cancelled.
QString ask_open_file(QWidget* parent, const QString& title, FileKind kind, const QString& filters);
QStringList ask_open_files(QWidget* parent, const QString& title, FileKind kind,
                           const QString& filters);
QString ask_open_folder(QWidget* parent, const QString& title, FileKind kind);

// stem: proposed name without suffix, may be empty. suffixes: without a leading dot, like "png" or
// "attn.json"; the first one is proposed. Empty result: the user cancelled.
QString ask_save_file(QWidget* parent, const QString& title, FileKind kind, const QString& stem,
                      const QStringList& suffixes);
// Proposes the first of "stem", "stem-2", "stem-3", ... that does not exist. Empty result: the user
// cancelled.
QString ask_new_folder(QWidget* parent, const QString& title, FileKind kind, const QString& stem);

}  // namespace attn::gui
