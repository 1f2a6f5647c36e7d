// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/view_options.h"

#include <cmath>

namespace attn::gui {

std::optional<int> whole_option(const QJsonObject& options, const char* key, int low, int high) {
  const std::optional<double> number = real_option(options, key, low, high);
  if (!number || *number != std::floor(*number)) return std::nullopt;
  return static_cast<int>(*number);
}

std::optional<double> real_option(const QJsonObject& options, const char* key, double low,
                                  double high) {
  const QJsonValue value = options.value(QLatin1String(key));
  if (!value.isDouble()) return std::nullopt;
  const double number = value.toDouble();
  if (!(number >= low && number <= high)) return std::nullopt;
  return number;
}

std::optional<bool> flag_option(const QJsonObject& options, const char* key) {
  const QJsonValue value = options.value(QLatin1String(key));
  if (!value.isBool()) return std::nullopt;
  return value.toBool();
}

}  // namespace attn::gui
