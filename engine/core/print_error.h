// SPDX-License-Identifier: GPL-3.0-or-later
// Text for stderr. A stderr that takes nothing (closed, a full disk) must not end the program,
// which fmt::print would by its exception. Any thread.
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
