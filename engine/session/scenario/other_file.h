// SPDX-License-Identifier: GPL-3.0-or-later
// Says what a file is that open_scenario() cannot open. Any thread.
#pragma once

#include <filesystem>

namespace attn {

// Looks at the beginning of the file. Throws Error(kBadInput) if it is of a known other kind, for
// example a picture, a table or the result of `attn op`. Returns if the file does not exist or
// cannot be read.
void refuse_other_file(const std::filesystem::path& file);

}  // namespace attn
