// SPDX-License-Identifier: GPL-3.0-or-later
// Prints text to stderr. A stderr that cannot be written (closed, full disk) must not end the
// program, as the exception of fmt::print would. Any thread.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace attn {

template <typename... Args>
void print_error(fmt::format_string<Args...> format, Args&&... args) {
  const std::string text = fmt::format(format, std::forward<Args>(args)...);
  (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace attn
