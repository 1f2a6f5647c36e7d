// SPDX-License-Identifier: GPL-3.0-or-later
// HeatmapChoice: what a user can choose to see in the cells: the combination of heads, the cells
// that are kept, and the quantity. Means, differences and Keeps are for weights only. Any thread.
#pragma once

#include "gui/views/attention/heatmap/heatmap_scene.h"

namespace attn::gui {

struct HeatmapChoice {
  Combination combine;
  Keep keep;
  Quantity quantity = Quantity::kWeight;

  static HeatmapChoice of(const HeatmapScene& scene) {
    return {scene.head.combine, scene.keep, scene.head.quantity};
  }
  HeatmapChoice with(const Combination& chosen) const;
  HeatmapChoice with(const Keep& chosen) const;
  HeatmapChoice with(Quantity chosen) const;
};

// Sets the choice in the scene. If the layer to subtract does not read the same tokens as the layer
// of the scene, a layer that does takes its place.
void take_choice(HeatmapScene& scene, const HeatmapChoice& choice);

// The combination of the scene, changed to `kind`. A head or layer minus itself would be 0
// everywhere, so in that case the next head or layer, if there is another, is subtracted.
Combination combination_of_kind(const HeatmapScene& scene, Combine kind);
// The difference of the scene, with the numbers of the subtracted layer and head raised by `layers`
// and `heads`; after the last number comes the first. The scene must show a difference.
Combination combination_with_next(const HeatmapScene& scene, int64_t layers, int64_t heads);

}  // namespace attn::gui
