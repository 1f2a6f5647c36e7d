// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heatmap/heatmap_place.h"

#include <algorithm>
#include <iterator>

#include "gui/views/attention/heatmap/heatmap_scene.h"

namespace attn::gui {

// The place of the canvas (empty or four numbers), followed by five numbers if anything else than
// all cells of one head is shown: combination, other layer, other head, code of the Keep, range of
// differences.
std::vector<double> place_numbers(const HeatmapPlace& place) {
  std::vector<double> numbers = place.canvas;
  const Combination& combine = place.combine;
  if (combine.kind == Combine::kHead && place.keep == Keep{}) return numbers;
  for (const int64_t number : {static_cast<int64_t>(combine.kind), combine.other.layer,
                               combine.other.head, place.keep.code()})
    numbers.push_back(static_cast<double>(number));
  numbers.push_back(place.difference_range);
  return numbers;
}

HeatmapPlace place_of(const std::vector<double>& numbers, int64_t num_layers, int64_t num_heads,
                      double difference_range) {
  constexpr size_t kShown = 5;
  HeatmapPlace place{numbers, {}, {}, difference_range};
  if (numbers.size() >= kShown && numbers.size() % 4 == kShown % 4) {
    const double* shown = numbers.data() + numbers.size() - kShown;
    place.canvas.resize(numbers.size() - kShown);
    const auto is_below = [](double number, int64_t count) {
      return number >= 0 && number < static_cast<double>(count);
    };
    if (is_below(shown[0], std::size(kCombines)) && is_below(shown[1], num_layers) &&
        is_below(shown[2], num_heads))
      place.combine = {static_cast<Combine>(shown[0]),
                       {static_cast<int64_t>(shown[1]), static_cast<int64_t>(shown[2])}};
    if (is_below(shown[3], int64_t{1} << 40))
      place.keep = Keep::from_code(static_cast<int64_t>(shown[3]));
    if (std::ranges::find(kDifferenceRanges, shown[4]) != std::end(kDifferenceRanges))
      place.difference_range = shown[4];
  }
  return place;
}

}  // namespace attn::gui
