// SPDX-License-Identifier: GPL-3.0-or-later
// A whole text file in memory. Any thread.
#pragma once

#include <filesystem>
#include <string>

namespace attn {

// Throws as InputFile, and Error(kBadInput) where it holds more than `max_bytes`.
std::string read_text_file(const std::filesystem::path& file, size_t max_bytes);

}  // namespace attn
