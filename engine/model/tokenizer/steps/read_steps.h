// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the normalizer, pre_tokenizer and decoder of a tokenizer.json. Throws Error(kBadInput), or
// Error(kNotSupported) for a step or an option that is not supported. Any thread.
#pragma once

#include "engine/model/files/json_at.h"
#include "engine/model/tokenizer/steps/decoder.h"
#include "engine/model/tokenizer/steps/normalizer.h"
#include "engine/model/tokenizer/steps/pre_tokenizer.h"

namespace attn {

inline constexpr size_t kMaxPatternBytes = 4096;
// How deep the Sequences of a normaliser, pre-tokenizer, decoder or post-processor may be nested.
inline constexpr int kMaxSequences = 32;

Normalizer read_normalizer(const JsonAt& at);
PreTokenizer read_pre_tokenizer(const JsonAt& at);
Decoder read_decoder(const JsonAt& at);

// Calls each(item, depth + 1) for the items of a Sequence. `key`: the key of their list.
template <class Each>
void for_each_in_sequence(const JsonAt& at, const char* key, int depth, Each&& each);
// Throws where Sequences are nested too deep.
void check_depth(const JsonAt& at, int depth);

template <class Each>
void for_each_in_sequence(const JsonAt& at, const char* key, int depth, Each&& each) {
  check_depth(at, depth);
  const JsonAt list = at[key];
  list.expect_array();
  for (size_t i = 0; i < list.size(); ++i) each(list.item(i), depth + 1);
}

}  // namespace attn
