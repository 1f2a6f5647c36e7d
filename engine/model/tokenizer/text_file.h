// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a whole file into memory. Any thread.
#pragma once

#include <filesystem>
#include <string>

namespace attn {

// Throws the errors of InputFile, and Error(kBadInput) where the file has more than `max_bytes`.
std::string read_text_file(const std::filesystem::path& file, size_t max_bytes);

}  // namespace attn
