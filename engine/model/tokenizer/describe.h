// SPDX-License-Identifier: GPL-3.0-or-later
// What a tokenizer is, in words. Any thread.
#pragma once

#include <string>
#include <vector>

#include "engine/model/tokenizer/tokenizer.h"

namespace attn {

// The kind of a tokenizer: "BPE, byte-level".
std::string kind_of(const Tokenizer& tokenizer);
// Normalizer, pre-tokenizer, template and decoder, one line each: "normalizer: NFC".
std::vector<std::string> steps_of(const Tokenizer& tokenizer);

}  // namespace attn
