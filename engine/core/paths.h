// SPDX-License-Identifier: GPL-3.0-or-later
// What stands at a path, in words for an error, where the library's functions throw sentences of
// its own or take a link that leads nowhere for nothing. Any thread.
#pragma once

#include <filesystem>
#include <string>

namespace attn {

// Whether something has this name. A link counts wherever it leads, and so does what this user may
// not look at: false only where there is surely nothing.
bool has_entry(const std::filesystem::path& path);

// "nothing there", "a symbolic link that leads nowhere", "symbolic links that lead in a circle",
// "no permission to read it", "a file", "a folder", "a device", "a pipe", "a socket", ...
std::string found_at(const std::filesystem::path& path);

// "" where the files of this folder can be opened, else as found_at().
std::string why_no_folder(const std::filesystem::path& folder);
// Whether the system refuses what is there: kFailed rather than kBadInput.
bool is_forbidden(const std::filesystem::path& path);

// Throws Error(kFailed) where the path is relative and the current folder has been removed.
std::filesystem::path absolute_path(const std::filesystem::path& path);

}  // namespace attn
