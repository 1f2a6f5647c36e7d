// SPDX-License-Identifier: GPL-3.0-or-later
// Refuses a file that open_scenario() cannot open, and says what kind of file it is. Any thread.
#pragma once

#include <filesystem>

namespace attn {

// Looks at the beginning of the file. Throws Error(kBadInput) if it is of a known other kind, for
// example a picture, a table or the result of `attn op`. Returns if the file does not exist or
// cannot be read.
void refuse_other_file(const std::filesystem::path& file);

}  // namespace attn
