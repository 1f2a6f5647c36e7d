// SPDX-License-Identifier: GPL-3.0-or-later
// The prompt in the scenario that is made for a model opened without one. Any thread.
#pragma once

#include <filesystem>
#include <string>

#include "engine/model/source.h"

namespace attn {

// "example_prompt" of config.json in a folder. Without it: for an encoder with a mask token a
// sentence with that token, otherwise the beginning of a story. shape: of the model at `path`.
// Throws Error(kBadInput) if "example_prompt" is no text of 1 to 2000 bytes, and what
// load_tokenizer() throws.
std::string example_prompt(const std::filesystem::path& path, const SourceShape& shape);

}  // namespace attn
