// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heatmap/choice/heatmap_choice.h"

#include <algorithm>

namespace attn::gui {

HeatmapChoice HeatmapChoice::with(const Combination& chosen) const {
  HeatmapChoice next{chosen, keep, quantity};
  if (chosen.kind != Combine::kHead) next.quantity = Quantity::kWeight;
  return next;
}

HeatmapChoice HeatmapChoice::with(const Keep& chosen) const {
  HeatmapChoice next{combine, chosen, quantity};
  if (chosen.kind != Keep::Kind::kAll) next.quantity = Quantity::kWeight;
  return next;
}

HeatmapChoice HeatmapChoice::with(Quantity chosen) const {
  if (chosen == Quantity::kWeight) return {combine, keep, chosen};
  return {{Combine::kHead, combine.other}, Keep{}, chosen};
}

void take_choice(HeatmapScene& scene, const HeatmapChoice& choice) {
  const int64_t before = scene.head.combine.other.layer;
  scene.head.combine = choice.combine;
  int64_t& other = scene.head.combine.other.layer;
  other = scene.head.layer_like(other, scene.num_layers, other < before ? -1 : 1);
  scene.keep = choice.keep;
  scene.head.quantity = choice.quantity;
}

Combination combination_of_kind(const HeatmapScene& scene, Combine kind) {
  Combination next{kind, scene.head.combine.other};
  const int64_t layers = std::max<int64_t>(1, scene.num_layers);
  if (kind == Combine::kHeadDifference && next.other == HeadId{scene.head.layer, scene.head.head}) {
    if (++next.other.head >= scene.num_heads) {
      next.other.head = 0;
      next.other.layer = (next.other.layer + 1) % layers;
    }
  }
  if (kind == Combine::kLayerDifference && next.other.layer == scene.head.layer)
    next.other.layer = (next.other.layer + 1) % layers;
  return next;
}

Combination combination_with_next(const HeatmapScene& scene, int64_t layers, int64_t heads) {
  Combination next = scene.head.combine;
  next.other.layer = (next.other.layer + layers) % std::max<int64_t>(1, scene.num_layers);
  next.other.head = (next.other.head + heads) % std::max<int64_t>(1, scene.num_heads);
  return next;
}

}  // namespace attn::gui
