// SPDX-License-Identifier: GPL-3.0-or-later
// Paints a HeadLinesScene: two columns of tokens, and between them lines whose width and opacity
// show the numbers. Any thread.
#pragma once

#include <QPainter>

#include "gui/views/attention/lines/head_lines_scene.h"

namespace attn::gui {

struct HeadLinesPicture {
  const HeadLinesScene& scene;
  const HeadLinesLayout& layout;
  const CanvasAxis& queries;  // viewport: the height of layout.lines
  const CanvasAxis& keys;
  const LinesShown& shown;
};

// Width (px at 100%) and opacity ([0, 1]) of a line. weight: the number of the line divided by
// HeadLinesScene::full().
double line_width(double weight);
double line_opacity(double weight);
// The y at which a line ends: near the middle of the token, for each head at a slightly different
// place. If that middle lies outside the window: edge_distance() beyond the edge of the window.
double line_end(const HeadLinesPicture& picture, LineSide side, int64_t position, int64_t head);

void paint_head_lines(QPainter& painter, const HeadLinesPicture& picture);

}  // namespace attn::gui
