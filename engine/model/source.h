// SPDX-License-Identifier: GPL-3.0-or-later
// Source: where Q, K and V come from and where the attention output goes. A model, a synthetic
// generator or tensors of the user's; the engine cannot tell them apart. One step: begin_step, then
// for each layer qkv -> (attention) -> attention_output, then end_step. Engine thread; heavy work
// goes through execution.pool.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/core/tensor.h"
#include "engine/scheduler/request.h"
#include "engine/trace/probe.h"

namespace attn {

struct SourceShape {
  std::string name;  // "tinystories-gqa", "synthetic induction"
  int64_t num_layers = 0, num_heads = 0, num_kv_heads = 0;
  int64_t head_size = 0;
  float scale = 0;  // of q.k
  int64_t vocab_size = 0;
  int64_t max_model_len = 0;
  int64_t max_encoder_len = 0;  // tokens that cross attention can read; 0: the source has none
};

// The tokens of one step, flat: row t is token_ids[t] at absolute position positions[t] of sequence
// sequence[t].
struct StepTokens {
  std::vector<int32_t> token_ids;   // [T]
  std::vector<int32_t> positions;   // [T]
  std::vector<uint32_t> requests;   // [T] request id of each row
  std::vector<int64_t> logit_rows;  // rows whose logits are wanted

  // Cross attention: the rows above only ask. Keys and values are wanted of the encoder's tokens,
  // each once, at the first step of its request.
  bool is_cross = false;
  std::vector<int32_t> encoder_lens;       // [T] encoder tokens of each row's request
  std::vector<int32_t> encoder_ids;        // [E]
  std::vector<int32_t> encoder_positions;  // [E]
  int64_t num_keys() const {
    return static_cast<int64_t>((is_cross ? encoder_ids : token_ids).size());
  }
};

class Source {
 public:
  virtual ~Source() = default;
  virtual const SourceShape& shape() const = 0;

  // The prompt of request `request`, `tokens` long, of a source that reads no text. Throws
  // Error(kBadInput) where it has no such prompt.
  virtual std::vector<int32_t> prompt_ids(int64_t /*request*/, int64_t tokens) const {
    const int64_t vocab = std::max<int64_t>(1, shape().vocab_size);
    std::vector<int32_t> ids(static_cast<size_t>(tokens));
    for (size_t i = 0; i < ids.size(); ++i)
      ids[i] = static_cast<int32_t>(static_cast<int64_t>(i) % vocab);
    return ids;
  }

  // Cross attention: the encoder's tokens of request `request`, of a source that has an encoder. No
  // id is one of a prompt, and token_text() knows them all. Throws Error(kBadInput) where there are
  // not so many.
  virtual std::vector<int32_t> encoder_ids(int64_t /*request*/, int64_t /*tokens*/) const {
    return {};
  }

  // Text <-> tokens. Synthetic sources make token labels of their own ("k17").
  virtual std::vector<int32_t> encode(std::string_view text) const = 0;
  // The text a token contributes, for labels: leading spaces, newline and tab kept, other
  // unprintable bytes as <0xHH>. Any thread.
  virtual std::string token_text(int32_t token) const = 0;
  // The text of a sequence. Any thread.
  virtual std::string decode(std::span<const int32_t> tokens) const = 0;
  // Tokens each of which ends a text, all different. Empty: none does.
  virtual std::vector<int32_t> stop_tokens() const = 0;
  // What was left aside when the source was loaded, a sentence each.
  virtual std::vector<std::string> notes() const { return {}; }

  // Each returns false when the gate cancelled the run.
  virtual bool begin_step(const StepTokens& tokens, const Execution& execution) = 0;
  // Fills query [T, H, D], key and value [num_keys(), Hkv, D], f32, rotary positions applied.
  virtual bool qkv(int64_t layer, Tensor& query, Tensor& key, Tensor& value,
                   const Execution& execution) = 0;
  // Takes the attention output [T, H, D] of the layer and goes on to the layer's end (o_proj, MLP,
  // residuals).
  virtual bool attention_output(int64_t layer, const Tensor& out, const Execution& execution) = 0;
  // logits [logit_rows, vocab] f32.
  virtual bool end_step(Tensor& logits, const Execution& execution) = 0;
};

}  // namespace attn
