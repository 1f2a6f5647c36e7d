// SPDX-License-Identifier: GPL-3.0-or-later
// The metadata of a GGUF file from the config.json and tokenizer.json of a folder. For convert.cpp.
// Any thread.
#pragma once

#include <filesystem>
#include <string>

#include "engine/model/gguf/architecture.h"
#include "engine/model/gguf/gguf_writer.h"
#include "engine/model/load_model.h"

namespace attn {

// Writes all metadata of a model that check_model() accepts. Throws Error(kNotSupported) for a
// family, scaling of rotary positions or kind of tokenizer that is not written here.
const GgufArchitecture& write_folder_metadata(const std::filesystem::path& folder,
                                              const ModelCheck& check, GgufWriter& writer);

// Throws Error(kNotSupported) where the second tokenizer gives other ids than the first. Compared
// are a few texts with letters, digits, spaces, signs and characters beyond ASCII.
void check_same_tokens(const Tokenizer& before, const Tokenizer& after, const std::string& where);

}  // namespace attn
