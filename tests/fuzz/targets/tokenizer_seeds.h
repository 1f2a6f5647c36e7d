// SPDX-License-Identifier: GPL-3.0-or-later
// Seeds and changes for tokenizer.json, and the use of a tokenizer that was accepted. The seeds use
// all kinds of models and steps, and all parts of a regular expression.
#pragma once

#include <string>
#include <vector>

#include "engine/model/tokenizer/tokenizer.h"
#include "tests/fuzz/targets/targets.h"

namespace attn::fuzz {

// Each is a tokenizer.json with ids below 12. Their names begin with "tokenizer-".
std::vector<Seed> tokenizer_files();

// Puts parts of regular expressions into one of the patterns of the JSON text, or changes some
// characters there. A text without patterns stays as it is.
std::string change_pattern(const std::string& json, Random& random);

// Encodes and decodes fixed texts, and describes the tokenizer. Throws Error for a text that cannot
// be encoded, std::logic_error for a token that is not in the vocabulary.
void use_tokenizer(const Tokenizer& tokenizer);

}  // namespace attn::fuzz
