// SPDX-License-Identifier: GPL-3.0-or-later
// The colour bar beside a picture: its quantity and unit, its colours, their range and the kind of
// scale. Any thread.
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
  // The value at which the bar has a mark. There is none if the value is below 0; if `colors` is
  // set, there is none if it is below -2 and below the scale.
  double marked = -1;
  const ColorTable* colors = nullptr;  // replaces the table of `map`
  bool turned = false;                 // the colours of `map` run from its last to its first
  bool holds_all = false;              // no value is outside the scale: labels have no ≤ and ≥
};

void paint_color_bar(QPainter& painter, const QRectF& bounds, const ColorBar& bar,
                     const PictureLook& look);
// The bar in one line: "weight, 0 to 1, linear, cividis".
QString describe(const ColorBar& bar);

}  // namespace attn::gui
