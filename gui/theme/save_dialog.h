// SPDX-License-Identifier: GPL-3.0-or-later
// Asks where to save: the suffix is added when it was not typed, before the question whether an
// existing file may be replaced. GUI thread.
#pragma once

#include <QString>
#include <QWidget>

namespace attn::gui {

// stem: proposed name without suffix, may be empty. suffix: "png", "attn.json". Empty result: not
// saved.
QString ask_save_file(QWidget* parent, const QString& title, const QString& stem,
                      const QString& suffix);

}  // namespace attn::gui
