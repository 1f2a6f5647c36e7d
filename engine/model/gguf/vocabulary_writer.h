// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the vocabulary of a folder as metadata of a GGUF file. Also checks that two tokenizers
// give the same ids for sample texts. Any thread.
#pragma once

#include <filesystem>

#include "engine/model/gguf/gguf_writer.h"
#include "engine/model/load_model.h"

namespace attn {

// Writes the tokens and rules under keys tokenizer.ggml.*. Throws Error(kNotSupported) for a
// tokenizer that cannot be written.
void write_vocabulary(const std::filesystem::path& folder, const ModelCheck& check,
                      GgufWriter& writer);

// Throws Error(kNotSupported) where the second tokenizer gives other ids than the first for one of
// a few sample texts. For a Unigram tokenizer, texts with the special tokens are compared, too.
void check_same_tokens(const Tokenizer& before, const Tokenizer& after, const std::string& where);

}  // namespace attn
