// SPDX-License-Identifier: GPL-3.0-or-later
// HeatmapPlace: which part of the matrix a heatmap shows, and what its cells show. The functions
// convert it to the numbers of View::place() and back. Any thread.
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
// Invalid numbers are replaced: a combination by one head, a Keep by all cells, a Quantity by the
// weight, a range by `difference_range`.
HeatmapPlace place_of(const std::vector<double>& numbers, int64_t num_layers, int64_t num_heads,
                      double difference_range);

}  // namespace attn::gui
