// SPDX-License-Identifier: GPL-3.0-or-later
// What is in a folder. The library's directory_iterator ends the program where memory runs out in
// the midst of opening a folder; here std::bad_alloc reaches the caller. Any thread.
#pragma once

#include <filesystem>
#include <functional>

namespace attn {

// Calls `each` with the name of every entry, in no order; with none if the folder cannot be read.
void for_each_name(const std::filesystem::path& folder,
                   const std::function<void(const char* name)>& each);

}  // namespace attn
