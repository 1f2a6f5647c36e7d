// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/weight_look.h"

#include "gui/widgets/view_options.h"

namespace attn::gui {

QJsonObject look_options(ColorMapId map, ColorScale::Kind scale, Reduce reduce) {
  return {{QStringLiteral("color_map"), name_of(map)},
          {QStringLiteral("scale"), static_cast<int>(scale)},
          {QStringLiteral("reduce"), static_cast<int>(reduce)}};
}

WeightLook look_of(const QJsonObject& options) {
  WeightLook look;
  const QString map = options.value(QLatin1String("color_map")).toString();
  for (const ColorMapId known : kColorMaps)
    if (map == name_of(known)) look.map = known;
  if (const auto scale = whole_option(options, "scale", 0, 1))
    look.scale = static_cast<ColorScale::Kind>(*scale);
  if (const auto reduce = whole_option(options, "reduce", 0, 1))
    look.reduce = static_cast<Reduce>(*reduce);
  return look;
}

}  // namespace attn::gui
