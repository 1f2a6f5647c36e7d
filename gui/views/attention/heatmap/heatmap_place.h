// SPDX-License-Identifier: GPL-3.0-or-later
// HeatmapPlace: which part of the matrix a heatmap shows, and what its cells show; converted to the
// numbers of View::place() and back. The history of the window and session files keep these
// numbers. Any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "gui/views/attention/heatmap/choice/heatmap_choice.h"

namespace attn::gui {

struct HeatmapPlace {
  std::vector<double> canvas;  // CanvasTransform::place()
  HeatmapChoice choice;
  double difference_range = 1;  // one of kDifferenceRanges
};

std::vector<double> place_numbers(const HeatmapPlace& place);
// The numbers may come from a file, so each is checked. Values that make no sense in a model with
// this many layers and heads are replaced by: one head, all its weights, `difference_range`.
HeatmapPlace place_of(const std::vector<double>& numbers, int64_t num_layers, int64_t num_heads,
                      double difference_range);

}  // namespace attn::gui
