// SPDX-License-Identifier: GPL-3.0-or-later
// How weights are drawn, as a view keeps it in a session file: colour map, scale, and how the cells
// that share a dot are reduced. Any thread.
#pragma once

#include <QJsonObject>
#include <optional>

#include "gui/views/attention/weight_tile.h"
#include "gui/widgets/color_map.h"

namespace attn::gui {

QJsonObject look_options(ColorMapId map, ColorScale::Kind scale, Reduce reduce);

// What a session file says about the look. nullopt: the file does not say it, or has an unknown
// value.
struct WeightLook {
  std::optional<ColorMapId> map;
  std::optional<ColorScale::Kind> scale;
  std::optional<Reduce> reduce;
};
WeightLook look_of(const QJsonObject& options);

}  // namespace attn::gui
