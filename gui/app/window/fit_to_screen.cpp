// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/window/fit_to_screen.h"

#include <QScreen>
#include <QWindow>
#include <algorithm>

namespace attn::gui {

QRect fitted(const QRect& wanted, const QMargins& frame, const QRect& room) {
  QRect outer = wanted.marginsAdded(frame);
  outer.setSize(outer.size().boundedTo(room.size()));
  outer.moveLeft(std::clamp(outer.left(), room.left(), room.right() + 1 - outer.width()));
  outer.moveTop(std::clamp(outer.top(), room.top(), room.bottom() + 1 - outer.height()));
  return outer.marginsRemoved(frame);
}

void fit_to_screen(QWidget& window) {
  const QWindow* handle = window.windowHandle();
  if (!handle || !window.screen() || window.isMaximized() || window.isFullScreen()) return;
  const QRect fits =
      fitted(window.geometry(), handle->frameMargins(), window.screen()->availableGeometry());
  if (fits != window.geometry()) window.setGeometry(fits);
}

}  // namespace attn::gui
