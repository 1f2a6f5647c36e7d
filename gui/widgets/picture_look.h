// SPDX-License-Identifier: GPL-3.0-or-later
// PictureLook: the part of the theme that a picture needs, as a value. The Theme lives on the GUI
// thread; a picture that another thread draws carries its colours, fonts and sizes along. read():
// GUI thread, everything else: any thread.
#pragma once

#include <QPainter>

#include "gui/theme/theme.h"

namespace attn::gui {

struct PictureLook {
  ThemeColors colors;
  QFont small, small_bold, title, title_bold;  // text
  QFont mono;                                  // tokens and numbers, small
  int text_percent = 100;
  bool projector = false;
  QColor on_bright, on_dark;  // text on fills

  static PictureLook read();
  int px(double at_100_percent) const;  // a length that grows with the text size
  double line(double width) const;      // of a stroke: at least 2 px on a projector
  QColor text_on(const QColor& fill) const;
  QColor faint() const;  // what is hidden on the surface, yet leaves its place
};

// The ground of a view. At a scale of 1.5 its last row or column can be half a device pixel: that
// is filled, too, for nothing else clears it.
void paint_surface(QPainter& painter, const QRectF& bounds, const QColor& color);

}  // namespace attn::gui
