// SPDX-License-Identifier: GPL-3.0-or-later
// for_each_name(): the names of the entries of a folder. Any thread.
#pragma once

#include <filesystem>
#include <functional>
#include <system_error>

namespace attn {

// Calls `each` with the name of every entry except "." and "..", in the order of readdir(). Returns
// the error if the folder, or the rest of it, could not be read. Throws std::bad_alloc if opendir()
// has no memory.
std::error_code for_each_name(const std::filesystem::path& folder,
                              const std::function<void(const char* name)>& each);

}  // namespace attn
