// SPDX-License-Identifier: GPL-3.0-or-later
// Says what a file is that open_scenario() cannot open, and what can be done with it, so that a
// picture or a table is not called bad JSON. Any thread.
#pragma once

#include <filesystem>

namespace attn {

// Looks at the beginning of the file. Throws Error(kBadInput) for pictures, documents, archives,
// tables, texts, and for the input or the result of `attn op`. Returns if the file may be a
// scenario, tensors or a model, if there is no such file, or if it cannot be read: whoever opens it
// says so.
void refuse_other_file(const std::filesystem::path& file);

}  // namespace attn
