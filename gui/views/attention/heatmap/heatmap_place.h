// SPDX-License-Identifier: GPL-3.0-or-later
// HeatmapPlace: where a heatmap stands, and back from the numbers of View::place(), which the
// history of the window and session files keep. Any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "gui/views/attention/heatmap_combine.h"
#include "gui/views/attention/row_cut.h"

namespace attn::gui {

struct HeatmapPlace {
  std::vector<double> canvas;  // CanvasTransform::place()
  Combination combine;
  Keep keep;
  double difference_range = 1;  // of kDifferenceRanges
};

std::vector<double> place_numbers(const HeatmapPlace& place);
// The numbers may come from a file, so every one is checked: what makes no sense in a model of so
// many layers and heads is left as one head with all its cells, and this range.
HeatmapPlace place_of(const std::vector<double>& numbers, int64_t num_layers, int64_t num_heads,
                      double difference_range);

}  // namespace attn::gui
