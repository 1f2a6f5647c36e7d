// SPDX-License-Identifier: GPL-3.0-or-later
// counted(1, "request", "requests") is "1 request", counted(2, ...) is "2 requests". Any thread.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <string>
#include <string_view>

namespace attn {

template <std::integral Count>
std::string counted(Count count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace attn
