// SPDX-License-Identifier: GPL-3.0-or-later
// Prints text to stderr. If stderr cannot be written, nothing happens; fmt::print would throw. Any
// thread.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

namespace attn {

template <typename... Args>
void print_error(fmt::format_string<Args...> format, Args&&... args) {
  const std::string text = fmt::format(format, std::forward<Args>(args)...);
  (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

// "PROGRAM: SENTENCE" and a new line. Builds no string, for use when memory has run out.
inline void print_error_line(std::string_view program, std::string_view sentence) {
  for (const std::string_view part : std::array<std::string_view, 4>{program, ": ", sentence, "\n"})
    (void)std::fwrite(part.data(), 1, part.size(), stderr);
}

}  // namespace attn
