// SPDX-License-Identifier: GPL-3.0-or-later
// Read one option of a view back from JSON. Each returns nullopt if the value is missing, has
// another type or is out of range. Any thread.
#pragma once

#include <QJsonObject>
#include <optional>

namespace attn::gui {

// The value of `key` if it is a whole number from `low` to `high`; else nullopt.
std::optional<int> whole_option(const QJsonObject& options, const char* key, int low, int high);
std::optional<double> real_option(const QJsonObject& options, const char* key, double low,
                                  double high);
std::optional<bool> flag_option(const QJsonObject& options, const char* key);

}  // namespace attn::gui
