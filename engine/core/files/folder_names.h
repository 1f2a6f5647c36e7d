// SPDX-License-Identifier: GPL-3.0-or-later
// What is in a folder. The library's directory_iterator ends the program where memory runs out in
// the midst of opening a folder; here std::bad_alloc reaches the caller. Any thread.
#pragma once

#include <filesystem>
#include <functional>
#include <system_error>

namespace attn {

// Calls `each` with the name of every entry, in no order. Returns why the folder, or the rest of
// it, could not be read.
std::error_code for_each_name(const std::filesystem::path& folder,
                              const std::function<void(const char* name)>& each);

}  // namespace attn
