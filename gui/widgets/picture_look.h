// SPDX-License-Identifier: GPL-3.0-or-later
// PictureLook: a copy of the colours, fonts and sizes of the theme that a picture needs, because
// the Theme belongs to the GUI thread. read(): GUI thread; the rest: any thread.
#pragma once

#include <QPainter>

#include "gui/theme/theme.h"

namespace attn::gui {

struct PictureLook {
  ThemeColors colors;
  QFont small, small_bold, title, title_bold;  // text
  QFont mono;                                  // small, for tokens and numbers
  int text_percent = 100;
  bool projector = false;
  QColor on_bright, on_dark;  // colours of text on bright fills and on dark fills

  static PictureLook read();
  int px(double at_100_percent) const;  // pixels of a length that grows with the text size
  double line(double width) const;      // width of a stroke, px; in projector mode at least 2
  QColor text_on(const QColor& fill) const;
  QColor faint() const;  // the fill of cells that the heatmap draws faint
};

// Fills `bounds` and one more pixel at the right and at the bottom: with a screen scale of 1.5 the
// last row or column can be half a device pixel.
void paint_surface(QPainter& painter, const QRectF& bounds, const QColor& color);

}  // namespace attn::gui
