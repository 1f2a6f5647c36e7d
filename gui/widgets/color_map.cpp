// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/color_map.h"

#include <algorithm>
#include <cmath>

#include "engine/session/page/color_map_tables.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {

namespace {

ColorTable opaque(const std::array<uint32_t, 256>& colors) {
  ColorTable table{};
  for (size_t i = 0; i < table.size(); ++i) table[i] = 0xff000000u | colors[i];
  return table;
}

}  // namespace

QString name_of(ColorMapId map) {
  switch (map) {
    case ColorMapId::kCividis:
      return QStringLiteral("cividis");
    case ColorMapId::kViridis:
      return QStringLiteral("viridis");
    case ColorMapId::kMagma:
      return QStringLiteral("magma");
    case ColorMapId::kGrey:
      return QStringLiteral("grey");
  }
  return {};
}

std::optional<ColorMapId> color_map_from_name(std::string_view name) {
  for (ColorMapId map : kColorMaps) {
    if (name_of(map).toStdString() == name) return map;
  }
  return std::nullopt;
}

const ColorTable& color_table(ColorMapId map) {
  static const std::array<ColorTable, 4> tables{opaque(kCividisTable), opaque(kViridisTable),
                                                opaque(kMagmaTable), opaque(kGreyTable)};
  return tables[static_cast<size_t>(map)];
}

QRgb diverging_color(double share, QRgb ground) {
  const bool dark = relative_luminance(ground) < 0.2;
  const QRgb less = dark ? qRgb(0x56, 0xB4, 0xE9) : qRgb(0x00, 0x5A, 0x9C);
  const QRgb more = dark ? qRgb(0xF5, 0xA0, 0x20) : qRgb(0xB8, 0x46, 0x00);
  const QRgb end = share < 0 ? less : more;
  const double part = std::clamp(std::abs(share), 0.0, 1.0);
  const auto mix = [part](int from, int to) {
    return static_cast<int>(std::lround(from + (to - from) * part));
  };
  return qRgb(mix(qRed(ground), qRed(end)), mix(qGreen(ground), qGreen(end)),
              mix(qBlue(ground), qBlue(end)));
}

ColorTable diverging_table(QRgb ground) {
  ColorTable table{};
  for (int i = 0; i < 256; ++i)
    table[static_cast<size_t>(i)] = diverging_color((i - 128) / 127.0, ground);
  return table;
}

double ColorScale::position(double value) const {
  if (std::isnan(value)) return 0;
  if (kind == Kind::kLinear)
    return high > low ? std::clamp((value - low) / (high - low), 0.0, 1.0) : 0;
  if (value <= low) return 0;
  return std::clamp(std::log(value / low) / std::log(high / low), 0.0, 1.0);
}

double ColorScale::value_at(double position) const {
  const double t = std::clamp(position, 0.0, 1.0);
  return kind == Kind::kLinear ? low + t * (high - low) : low * std::pow(high / low, t);
}

int ColorScale::index(double value) const {
  if (is_symmetric() && !std::isnan(value))
    return 128 + static_cast<int>(std::lround(std::clamp(value / high, -1.0, 1.0) * 127));
  return static_cast<int>(position(value) * 255.0 + 0.5);
}

std::vector<double> ColorScale::ticks(int max_count) const {
  if (is_symmetric() && max_count < 5) return {low, 0, high};
  if (is_symmetric()) return {low, low / 2, 0, high / 2, high};
  return kind == Kind::kLinear ? nice_ticks(low, high, max_count) : log_ticks(low, high, max_count);
}

QString name_of(ColorScale::Kind kind) {
  return kind == ColorScale::Kind::kLinear ? QStringLiteral("linear") : QStringLiteral("log");
}

std::optional<ColorScale::Kind> color_scale_from_name(std::string_view name) {
  if (name == "linear") return ColorScale::Kind::kLinear;
  if (name == "log") return ColorScale::Kind::kLog;
  return std::nullopt;
}

ColorScale weight_scale(ColorScale::Kind kind) {
  return {kind, kind == ColorScale::Kind::kLinear ? 0.0 : kLeastLogWeight, 1.0};
}

double relative_luminance(QRgb color) {
  const auto linear = [](int channel) {
    const double c = channel / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(qRed(color)) + 0.7152 * linear(qGreen(color)) +
         0.0722 * linear(qBlue(color));
}

}  // namespace attn::gui
