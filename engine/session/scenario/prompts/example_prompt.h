// SPDX-License-Identifier: GPL-3.0-or-later
// The first prompt of a model that was opened by itself, without a scenario. Any thread.
#pragma once

#include <filesystem>
#include <string>

#include "engine/model/source.h"

namespace attn {

// "example_prompt" of the config.json of a folder. Without this key: for an encoder that has a mask
// token a sentence with it, for any other model the beginning of a story. shape: of the model at
// `path`. Throws Error(kBadInput) for an "example_prompt" that is no text of 1 to 2000 bytes, and
// as load_tokenizer().
std::string example_prompt(const std::filesystem::path& path, const SourceShape& shape);

}  // namespace attn
