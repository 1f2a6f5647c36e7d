// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the special token that hides a word from an encoder ("[MASK]", "<mask>"). Any thread.
#pragma once

#include <optional>

#include "engine/model/tokenizer/tokenizer.h"

namespace attn {

// The id of "[MASK]" (BERT) or "<mask>" (RoBERTa); nullopt: the tokenizer has neither as a special
// token.
inline std::optional<int32_t> mask_token(const Tokenizer& tokenizer) {
  for (const char* const piece : {"[MASK]", "<mask>"})
    if (const auto token = tokenizer.find(piece); token && tokenizer.is_special(*token))
      return token;
  return std::nullopt;
}

}  // namespace attn
