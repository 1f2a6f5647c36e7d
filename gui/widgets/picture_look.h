// SPDX-License-Identifier: GPL-3.0-or-later
// PictureLook: a copy of the part of the theme that a picture needs. The Theme belongs to the GUI
// thread, so a picture that is drawn on another thread carries its colours, fonts and sizes with
// it. read(): GUI thread; everything else: any thread.
#pragma once

#include <QPainter>

#include "gui/theme/theme.h"

namespace attn::gui {

struct PictureLook {
  ThemeColors colors;
  QFont small, small_bold, title, title_bold;  // text
  QFont mono;                                  // for small tokens and numbers
  int text_percent = 100;
  bool projector = false;
  QColor on_bright, on_dark;  // colours of text on a bright and on a dark fill

  static PictureLook read();
  int px(double at_100_percent) const;  // pixels of a length that grows with the text size
  double line(double width) const;      // width of a stroke, px: at least 2 in projector mode
  QColor text_on(const QColor& fill) const;
  QColor faint() const;  // colour of hidden things whose place stays visible
};

// Fills the background of a view, one pixel beyond `bounds` at the right and at the bottom. At a
// screen scale of 1.5 the last row or column can be half a device pixel, which nothing else would
// clear.
void paint_surface(QPainter& painter, const QRectF& bounds, const QColor& color);

}  // namespace attn::gui
