// SPDX-License-Identifier: GPL-3.0-or-later
// Reading the options of a view back: a value is taken where it is of its type and in its range.
// Any thread.
#pragma once

#include <QJsonObject>
#include <cmath>
#include <optional>

namespace attn::gui {

// A whole number from `low` to `high`.
inline std::optional<int> whole_option(const QJsonObject& options, const char* key, int low,
                                       int high) {
  const QJsonValue value = options.value(QLatin1String(key));
  if (!value.isDouble()) return std::nullopt;
  const double number = value.toDouble();
  if (!(number >= low && number <= high) || number != std::floor(number)) return std::nullopt;
  return static_cast<int>(number);
}

inline std::optional<double> real_option(const QJsonObject& options, const char* key, double low,
                                         double high) {
  const QJsonValue value = options.value(QLatin1String(key));
  if (!value.isDouble()) return std::nullopt;
  const double number = value.toDouble();
  if (!(number >= low && number <= high)) return std::nullopt;
  return number;
}

inline std::optional<bool> flag_option(const QJsonObject& options, const char* key) {
  const QJsonValue value = options.value(QLatin1String(key));
  if (!value.isBool()) return std::nullopt;
  return value.toBool();
}

}  // namespace attn::gui
