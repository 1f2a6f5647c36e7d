// SPDX-License-Identifier: GPL-3.0-or-later
// The colour bar beside a picture: the colours, their range and unit, and the kind of scale.
// paint_color_bar(): any thread, describe(): GUI thread.
#pragma once

#include <QPainter>
#include <QRectF>

#include "gui/widgets/color_map.h"
#include "gui/widgets/picture_look.h"

namespace attn::gui {

struct ColorBar {
  ColorMapId map = ColorMapId::kCividis;
  ColorScale scale;
  QString quantity;  // "weight"
  QString unit;      // empty: no unit
  // A value marked on the bar (that of the cell under the pointer). No mark: a value below 0 (where
  // `colors` is set: below -2 and below the scale).
  double marked = -1;
  const ColorTable* colors = nullptr;  // set: used in place of the table of `map`
  bool turned = false;                 // the table of `map` from its last colour to its first
  bool holds_all = false;              // true: the numbers at the ends have no ≤ and ≥
};

// Draws a vertical bar: quantity and unit above it, ticks to its right, names of scale and map
// below. Needs about 84 x 120 px.
void paint_color_bar(QPainter& painter, const QRectF& bounds, const ColorBar& bar,
                     const PictureLook& look);
// What the bar shows, in one line for tooltips and accessible descriptions: "weight, 0 to 1,
// linear, cividis".
QString describe(const ColorBar& bar);

}  // namespace attn::gui
