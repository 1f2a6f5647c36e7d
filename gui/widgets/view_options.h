// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that read one option of a view from JSON: a whole number, a number or a flag. nullopt:
// the value is missing, none of that kind, or out of range. Any thread.
#pragma once

#include <QJsonObject>
#include <optional>

namespace attn::gui {

std::optional<int> whole_option(const QJsonObject& options, const char* key, int low, int high);
std::optional<double> real_option(const QJsonObject& options, const char* key, double low,
                                  double high);
std::optional<bool> flag_option(const QJsonObject& options, const char* key);

}  // namespace attn::gui
