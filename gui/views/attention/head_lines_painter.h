// SPDX-License-Identifier: GPL-3.0-or-later
// Paints a HeadLinesScene: two columns of tokens, lines whose width and opacity are the weights,
// numbers beside a chosen token's partners, legend. The screen and the exported files share it. Any
// thread.
#pragma once

#include <QPainter>

#include "gui/views/attention/head_lines_scene.h"

namespace attn::gui {

struct HeadLinesPicture {
  const HeadLinesScene& scene;
  const HeadLinesLayout& layout;
  const CanvasAxis& queries;  // viewport: the height of layout.lines
  const CanvasAxis& keys;
  const LinesShown& shown;
};

// Of a weight, px at 100%; opacity in [0, 1].
double line_width(double weight);
double line_opacity(double weight);
// Where a line ends: the middle of the token, heads a little apart; at the edge where the token
// lies outside the window.
double line_end(const HeadLinesPicture& picture, LineSide side, int64_t position, int64_t head);

void paint_head_lines(QPainter& painter, const HeadLinesPicture& picture);

}  // namespace attn::gui
