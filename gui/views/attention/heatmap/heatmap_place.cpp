// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heatmap/heatmap_place.h"

#include <algorithm>
#include <iterator>

#include "gui/views/attention/heatmap/heatmap_scene.h"

namespace attn::gui {

// The numbers of the canvas. If anything else than all weights of one head is shown, five numbers
// follow: combination, other layer, other head, code of the Keep, range of differences. If the
// Quantity is not the weight, it follows as a sixth number.
std::vector<double> place_numbers(const HeatmapPlace& place) {
  std::vector<double> numbers = place.canvas;
  const auto& [combine, keep, quantity] = place.choice;
  const bool weights = quantity == Quantity::kWeight;
  if (combine.kind == Combine::kHead && keep == Keep{} && weights) return numbers;
  for (const int64_t number :
       {static_cast<int64_t>(combine.kind), combine.other.layer, combine.other.head, keep.code()})
    numbers.push_back(static_cast<double>(number));
  numbers.push_back(place.difference_range);
  if (!weights) numbers.push_back(static_cast<double>(quantity));
  return numbers;
}

HeatmapPlace place_of(const std::vector<double>& numbers, int64_t num_layers, int64_t num_heads,
                      double difference_range) {
  HeatmapPlace place{numbers, {}, difference_range};
  for (const size_t length : {size_t{5}, size_t{6}}) {
    if (numbers.size() < length || numbers.size() % 4 != length % 4) continue;
    const double* shown = numbers.data() + numbers.size() - length;
    place.canvas.resize(numbers.size() - length);
    const auto is_below = [](double number, int64_t count) {
      return number >= 0 && number < static_cast<double>(count);
    };
    if (is_below(shown[0], std::size(kCombines)) && is_below(shown[1], num_layers) &&
        is_below(shown[2], num_heads))
      place.choice.combine = {static_cast<Combine>(shown[0]),
                              {static_cast<int64_t>(shown[1]), static_cast<int64_t>(shown[2])}};
    if (is_below(shown[3], int64_t{1} << 40))
      place.choice.keep = Keep::from_code(static_cast<int64_t>(shown[3]));
    if (std::ranges::find(kDifferenceRanges, shown[4]) != std::end(kDifferenceRanges))
      place.difference_range = shown[4];
    if (length == 6 && is_below(shown[5], std::size(kQuantities)))
      place.choice = place.choice.with(static_cast<Quantity>(shown[5]));
  }
  return place;
}

}  // namespace attn::gui
