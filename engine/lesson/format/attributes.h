// SPDX-License-Identifier: GPL-3.0-or-later
// Attributes of a directive. The caller asks for each by its name; finish() adds a mistake for each
// that was given but not asked for. One thread.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/files/json.h"
#include "engine/lesson/format/outline.h"

namespace attn::lesson {

class Attributes {
 public:
  Attributes(const OutlineDirective& directive, Mistakes& mistakes)
      : directive_(directive), mistakes_(mistakes) {}

  std::optional<std::string> text(std::string_view name) {
    asked_.emplace_back(name);
    for (const OutlineValue& value : directive_.attributes) {
      if (value.name != name) continue;
      if (!value.value.empty()) return value.value;
      mistakes_.add({value.line, fmt::format("`{}` has no value", name),
                     "nothing after the =", fmt::format("{}=VALUE", name)});
    }
    return std::nullopt;
  }
  // Adds a mistake if the attribute is missing or has no value. allowed: for the former mistake,
  // such as "a quantity".
  std::optional<std::string> required(std::string_view name, std::string_view allowed) {
    asked_.emplace_back(name);
    const auto is_given = std::ranges::any_of(
        directive_.attributes, [&](const OutlineValue& value) { return value.name == name; });
    if (is_given) return text(name);
    mistakes_.add({directive_.line, fmt::format("`:::{}` has no `{}`", directive_.name, name),
                   given(), fmt::format("{}=..., {}", name, allowed)});
    return std::nullopt;
  }
  std::optional<std::string> one_of(std::string_view name,
                                    const std::vector<std::string>& allowed) {
    const auto value = text(name);
    if (!value || std::ranges::find(allowed, *value) != allowed.end()) return value;
    mistakes_.add_unknown(directive_.line, fmt::format("`{}` does not have this value", name),
                          *value, allowed);
    return std::nullopt;
  }
  std::optional<double> number(std::string_view name, double min, double max) {
    const auto value = text(name);
    if (!value) return std::nullopt;
    double number = 0;
    const char* end = value->data() + value->size();
    const auto [at, trouble] = std::from_chars(value->data(), end, number);
    if (trouble == std::errc{} && at == end && number >= min && number <= max) return number;
    mistakes_.add({directive_.line, fmt::format("`{}` is not a number in its range", name),
                   quote_text(*value), fmt::format("{} to {}", min, max)});
    return std::nullopt;
  }
  // Call it last.
  void finish() {
    for (const OutlineValue& value : directive_.attributes)
      if (std::ranges::find(asked_, value.name) == asked_.end())
        mistakes_.add_unknown(
            value.line, fmt::format("`:::{}` has no such attribute here", directive_.name),
            value.name, asked_.empty() ? std::vector<std::string>{"no attributes"} : asked_);
  }

 private:
  std::string given() const {
    std::string names;
    for (const OutlineValue& value : directive_.attributes)
      names += (names.empty() ? "" : ", ") + value.name;
    return names.empty() ? "no attributes" : names;
  }

  const OutlineDirective& directive_;
  Mistakes& mistakes_;
  std::vector<std::string> asked_;
};

}  // namespace attn::lesson
