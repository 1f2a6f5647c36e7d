// SPDX-License-Identifier: GPL-3.0-or-later
// What is at a path, whether the user may look at it, and words about it for error messages. Also
// absolute paths. Any thread.
#pragma once

#include <filesystem>
#include <string>

namespace attn {

// Whether something has this name. A dangling link counts, and so does a path that this user may
// not look at.
bool has_entry(const std::filesystem::path& path);

// "nothing there", "a symbolic link that leads nowhere", "symbolic links that lead in a circle",
// "no permission to read it", "a file", "a folder", "a device", "a pipe", "a socket", ...
std::string found_at(const std::filesystem::path& path);

// "" if this is a folder that the user may enter, else the reason in words.
std::string why_no_folder(const std::filesystem::path& folder);
// Whether this user may not read the file, enter the folder or look at the path.
bool is_forbidden(const std::filesystem::path& path);

// Throws Error(kFailed) if the path is empty, or if it is relative and the current folder is
// unknown.
std::filesystem::path absolute_path(const std::filesystem::path& path);

}  // namespace attn
