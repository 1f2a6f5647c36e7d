// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for the file to save to, or for the name of a new folder. A suffix of a file that was not
// typed is added before the dialog asks whether an existing file may be replaced; a name with
// another ending gets the right one, and the dialog stays. GUI thread.
#pragma once

#include <QString>
#include <QWidget>

namespace attn::gui {

// stem: proposed name without suffix, may be empty. suffix: without a leading dot, like "png" or
// "attn.json". Empty result: the user cancelled.
QString ask_save_file(QWidget* parent, const QString& title, const QString& stem,
                      const QString& suffix);
// Proposes the first of "stem", "stem-2", "stem-3", ... that does not exist in the folder that the
// dialog shows. Empty result: the user cancelled.
QString ask_new_folder(QWidget* parent, const QString& title, const QString& stem);

}  // namespace attn::gui
