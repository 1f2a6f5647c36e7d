// SPDX-License-Identifier: GPL-3.0-or-later
// Moves and shrinks a window so that it and its frame lie in the available area of its screen. GUI
// thread.
#pragma once

#include <QMargins>
#include <QRect>
#include <QWidget>

namespace attn::gui {

// `wanted`, moved and shrunk so that it and its frame fit into `room`.
QRect fitted(const QRect& wanted, const QMargins& frame, const QRect& room);
// Moves and shrinks a shown window to fit its screen, unless it is maximised or full screen.
void fit_to_screen(QWidget& window);

}  // namespace attn::gui
