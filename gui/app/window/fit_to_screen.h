// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps a window on the screen: with the frame that the desktop puts around it, it is not larger
// than the room that panels of the desktop leave. GUI thread.
#pragma once

#include <QMargins>
#include <QRect>
#include <QWidget>

namespace attn::gui {

// The geometry without frame, as near to `wanted` as fits into `room`.
QRect fitted(const QRect& wanted, const QMargins& frame, const QRect& room);
// Moves a shown window and makes it smaller until it fits its screen, unless it is maximised or
// full screen.
void fit_to_screen(QWidget& window);

}  // namespace attn::gui
