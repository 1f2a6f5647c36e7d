// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for the file to save to, or for the name of a new folder. A suffix of a file that was not
// typed is added before the dialog asks whether an existing file may be replaced; a name with
// another ending gets the right one, and the dialog stays. A dialog begins in the folder that was
// chosen last for the same kind of file. GUI thread.
#pragma once

#include <QString>
#include <QStringList>
#include <QWidget>
#include <array>

namespace attn::gui {

enum class SaveKind { kScenario, kSession, kExport, kReport, kResults, kHandOut };
inline constexpr std::array<SaveKind, 6> kSaveKinds{SaveKind::kScenario, SaveKind::kSession,
                                                    SaveKind::kExport,   SaveKind::kReport,
                                                    SaveKind::kResults,  SaveKind::kHandOut};
QString name_of(SaveKind kind);  // "scenario": in the settings

// The folder of the last dialog of this kind; empty: none was used yet. A folder that no longer
// exists is not taken.
QString save_folder(SaveKind kind);
void set_save_folder(SaveKind kind, const QString& folder);

// stem: proposed name without suffix, may be empty. suffixes: without a leading dot, like "png" or
// "attn.json"; the first one is proposed. Empty result: the user cancelled.
QString ask_save_file(QWidget* parent, const QString& title, SaveKind kind, const QString& stem,
                      const QStringList& suffixes);
// Proposes the first of "stem", "stem-2", "stem-3", ... that does not exist in the folder that the
// dialog shows. Empty result: the user cancelled.
QString ask_new_folder(QWidget* parent, const QString& title, SaveKind kind, const QString& stem);

}  // namespace attn::gui
