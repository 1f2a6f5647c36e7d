// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/attention/backend_option.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/core/error.h"

namespace attn {

std::vector<std::string> known_values(const BackendOption& option) {
  std::vector<std::string> known = option.refused;
  known.insert(known.end(), option.values.begin(), option.values.end());
  return known;
}

void throw_no_such_value(const BackendOption& option, std::string_view value,
                         const std::string& where) {
  throw_bad_input({fmt::format("no such {}", option.noun), where, fmt::format("`{}`", value),
                   fmt::format("{}", fmt::join(known_values(option), ", ")), ""});
}

std::string_view value_of(const BackendOptions& chosen, const BackendOption& option) {
  const auto found = chosen.find(option.name);
  return found == chosen.end() ? option.default_value : found->second;
}

std::optional<size_t> index_of(const BackendOptions& chosen, const BackendOption& option) {
  const std::vector<std::string> known = known_values(option);
  const auto found = std::ranges::find(known, value_of(chosen, option));
  if (found == known.end()) return std::nullopt;
  return static_cast<size_t>(found - known.begin());
}

void choose(BackendOptions& chosen, const BackendOption& option, std::string_view value) {
  if (value == option.default_value)
    chosen.erase(option.name);
  else
    chosen.insert_or_assign(option.name, std::string(value));
}

}  // namespace attn
