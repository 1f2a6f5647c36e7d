// SPDX-License-Identifier: GPL-3.0-or-later
// The ids of the tokens of a vocabulary by their texts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace attn {

struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};
using TokenIds = std::unordered_map<std::string, int32_t, TextHash, std::equal_to<>>;

}  // namespace attn
