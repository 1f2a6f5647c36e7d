// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a score by frequency: its parts by pair, and the score as a curve over the distance. Any
// thread.
#pragma once

#include <QPainter>
#include <vector>

#include "gui/views/rotary/rotary_scene.h"

namespace attn::gui {

struct RotaryParts {
  QRectF title, bars, dials, turns, curve, facts, legend;  // empty: not drawn
  std::vector<QString> lines;                              // lines of the facts, wrapped
  double column = 0;                                       // width of a pair, px
  // The index of the pair at x; -1: none.
  int64_t pair_at(double x, int64_t pairs) const;
  double distance_at(double x, int64_t longest) const;
  double x_of(double distance, int64_t longest) const;
};
RotaryParts rotary_parts(const RotaryScene& scene, const QRectF& bounds);
void paint_rotary(QPainter& painter, const RotaryScene& scene, const RotaryParts& parts);

}  // namespace attn::gui
