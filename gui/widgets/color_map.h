// SPDX-License-Identifier: GPL-3.0-or-later
// Sequential colour maps (tables: engine/session/page/color_map_tables.h), colours of differences,
// ColorScale, which gives each value an entry of a colour table, and relative_luminance(). Any
// thread.
#pragma once

#include <QRgb>
#include <QString>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace attn::gui {

enum class ColorMapId { kCividis, kViridis, kMagma, kGrey };
inline constexpr std::array<ColorMapId, 4> kColorMaps{ColorMapId::kCividis, ColorMapId::kViridis,
                                                      ColorMapId::kMagma, ColorMapId::kGrey};

QString name_of(ColorMapId map);  // "cividis", as in scenario files
std::optional<ColorMapId> color_map_from_name(std::string_view name);

using ColorTable = std::array<QRgb, 256>;  // opaque; low values first
const ColorTable& color_table(ColorMapId map);

// The colour of a difference: blue below 0, orange above 0, `ground` at 0. share: the difference
// divided by the size that has the full colour; limited to [-1, 1].
QRgb diverging_color(double share, QRgb ground);
// Entries 1..255 are for shares -1..1, entry 128 for 0.
ColorTable diverging_table(QRgb ground);

struct ColorScale {
  enum class Kind { kLinear, kLog };
  Kind kind = Kind::kLinear;
  double low = 0, high = 1;  // kLog: low > 0; values below low get the first colour

  // The position on the bar, limited to [0, 1]. NaN: 0.
  double position(double value) const;
  double value_at(double position) const;
  // The entry of the table, 0..255. If is_symmetric(), the value 0 has entry 128, and v and -v have
  // entries equally far from it.
  int index(double value) const;
  bool is_symmetric() const { return kind == Kind::kLinear && low < 0 && low == -high; }
  std::vector<double> ticks(int max_count) const;
  bool operator==(const ColorScale&) const = default;
};

QString name_of(ColorScale::Kind kind);  // "linear", "log"
std::optional<ColorScale::Kind> color_scale_from_name(std::string_view name);
// The scale of attention weights: linear 0..1, log 0.0001..1.
ColorScale weight_scale(ColorScale::Kind kind);

double relative_luminance(QRgb color);  // WCAG 2, 0..1

}  // namespace attn::gui
