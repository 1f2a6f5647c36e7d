// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for the file to save to. A suffix that was not typed is added before the dialog asks whether
// an existing file may be replaced. GUI thread.
#pragma once

#include <QString>
#include <QWidget>

namespace attn::gui {

// stem: proposed name without suffix, may be empty. suffix: without a leading dot, like "png" or
// "attn.json". Empty result: the user cancelled.
QString ask_save_file(QWidget* parent, const QString& title, const QString& stem,
                      const QString& suffix);

}  // namespace attn::gui
