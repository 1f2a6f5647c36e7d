// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a tokenizer from the vocabulary of a GGUF file. Any thread.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "engine/model/files/gguf.h"
#include "engine/model/tokenizer/tokenizer.h"

namespace attn {

// What the keys tokenizer.ggml.* say, in the form of the tokenizer.json of a Hugging Face folder.
// For Unigram its normaliser and pre-tokenizer only come near that. Errors: kBadInput where keys
// are missing or do not fit together; kNotSupported for kinds of vocabularies and rules of
// splitting that are not known here.
nlohmann::json tokenizer_json_of(const GgufMetadata& metadata);

Tokenizer gguf_tokenizer(const GgufFile& file);

}  // namespace attn
