// SPDX-License-Identifier: GPL-3.0-or-later
// How weights are drawn, as a view keeps it in a session file: colour map, scale, and how cells
// that share a pixel are reduced. The heatmap and the head grid have it. Any thread.
#pragma once

#include <QJsonObject>
#include <optional>

#include "gui/views/attention/weight_tile.h"
#include "gui/widgets/color_map.h"

namespace attn::gui {

QJsonObject look_options(ColorMapId map, ColorScale::Kind scale, Reduce reduce);

// What of it a file names; nothing: not there, or not known.
struct WeightLook {
  std::optional<ColorMapId> map;
  std::optional<ColorScale::Kind> scale;
  std::optional<Reduce> reduce;
};
WeightLook look_of(const QJsonObject& options);

}  // namespace attn::gui
