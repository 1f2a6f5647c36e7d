// SPDX-License-Identifier: GPL-3.0-or-later
// Source: where the queries, keys and values come from and where the attention output goes. A
// source is a model, a synthetic generator or tensors from files. A step calls begin_step, then
// for every attention layer that has queries qkv, the attention kernels and attention_output, then
// end_step. These functions run on the engine thread and may run tasks in execution.pool.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/attention/types.h"
#include "engine/core/tensor.h"
#include "engine/trace/probe.h"

namespace attn {

// One attention layer: an attention call of a step. For a member without a value, the scenario's
// attention settings hold.
struct AttentionCall {
  std::string label;  // for people: "L0", or "L0 self" where a source has calls of several types
  // kDecoder: self attention of a decoder; kEncoderOnly: self attention of a model that has no
  // decoder; kEncoderDecoder: cross attention; kEncoder: self attention of the encoder before a
  // decoder. A source that sets the type of one call sets it for all, and its calls of the type
  // kEncoder come first.
  std::optional<AttentionType> type = {};
  std::optional<int64_t> sliding_window = {};  // tokens, the query's own included; 0: none
  std::optional<float> logits_soft_cap = {};   // 0: none
  std::optional<std::vector<float>> alibi_slopes = {}, sinks = {};  // [num_heads]; empty: none
  // From a trained model (its numbers are set once the weights have been read), or from a file of
  // tensors that a run wrote.
  RelativeBias relative_bias = {};
  bool operator==(const AttentionCall&) const = default;
};

struct SourceShape {
  std::string name;        // "tinystories-gqa", "synthetic induction"
  int64_t num_layers = 0;  // attention layers, in the order of their calls
  int64_t num_heads = 0, num_kv_heads = 0;
  int64_t head_size = 0;
  float scale = 0;  // factor on the dot product of query and key
  int64_t vocab_size = 0;
  int64_t max_model_len = 0;
  int64_t max_encoder_len = 0;  // most tokens of a request's encoder; 0: it can have none
  int64_t first_query = 0;      // position; tokens before it have a key and a value, but no query
  // [num_layers] what the source says of its calls by itself. Empty: it says nothing, and all calls
  // are as the scenario's attention says.
  std::vector<AttentionCall> calls = {};

  // Whether layer `layer` is cross attention. of_all: the attention type of layers whose type the
  // source does not say.
  bool is_cross(int64_t layer, AttentionType of_all) const {
    const auto i = static_cast<size_t>(layer);
    return (calls.empty() ? of_all : calls[i].type.value_or(of_all)) ==
           AttentionType::kEncoderDecoder;
  }
  // The layers [0, num_encoder_layers()) are those of the encoder before a decoder: their queries,
  // keys and values are those of the encoder's tokens, and they run only in steps that compute a
  // prompt.
  int64_t num_encoder_layers() const {
    int64_t count = 0;
    for (const AttentionCall& call : calls) {
      if (call.type != AttentionType::kEncoder) break;
      ++count;
    }
    return count;
  }
  bool is_encoder(int64_t layer) const { return layer < num_encoder_layers(); }
  // The type of a model: kDecoder, kEncoderOnly, or kEncoderDecoder where it has an encoder and a
  // decoder.
  AttentionType type_of_model() const {
    if (calls.empty() || !calls.front().type) return AttentionType::kDecoder;
    return *calls.front().type == AttentionType::kEncoder ? AttentionType::kEncoderDecoder
                                                          : *calls.front().type;
  }
};

// The tokens of one step, flat: row t is token_ids[t] at absolute position positions[t] of request
// requests[t].
struct StepTokens {
  std::vector<int32_t> token_ids;   // [T]
  std::vector<int32_t> positions;   // [T]
  std::vector<uint32_t> requests;   // [T] request id of each row
  std::vector<int64_t> logit_rows;  // indices of the rows whose logits are wanted

  // The encoder's tokens, which are listed in a step that computes the prompt of their request.
  // Cross attention makes keys and values from them; the encoder's layers make queries, too.
  // has_encoder: true if the requests of the run have encoder tokens.
  bool has_encoder = false;
  std::vector<int32_t> encoder_lens;       // [T] tokens of each row's encoder; or empty
  std::vector<int32_t> encoder_ids;        // [E]
  std::vector<int32_t> encoder_positions;  // [E]

  // Whether an attention layer of the source is cross attention in this run.
  bool is_cross(const SourceShape& shape, int64_t layer) const {
    return shape.is_cross(layer,
                          has_encoder ? AttentionType::kEncoderDecoder : AttentionType::kDecoder);
  }
  int64_t num_queries(const SourceShape& shape, int64_t layer) const {
    return static_cast<int64_t>((shape.is_encoder(layer) ? encoder_ids : token_ids).size());
  }
  int64_t num_keys(const SourceShape& shape, int64_t layer) const {
    const bool encoder = shape.is_encoder(layer) || is_cross(shape, layer);
    return static_cast<int64_t>((encoder ? encoder_ids : token_ids).size());
  }
};

class Source {
 public:
  virtual ~Source() = default;
  virtual const SourceShape& shape() const = 0;

  // Token ids of the prompt of request number `request` (from 0), `tokens` long. encoder_tokens:
  // how many the encoder of the request reads; 0: it has none. Throws Error(kBadInput) where the
  // source has no such prompt.
  virtual std::vector<int32_t> prompt_ids(int64_t /*request*/, int64_t tokens,
                                          int64_t /*encoder_tokens*/) const {
    const int64_t vocab = std::max<int64_t>(1, shape().vocab_size);
    std::vector<int32_t> ids(static_cast<size_t>(tokens));
    for (size_t i = 0; i < ids.size(); ++i)
      ids[i] = static_cast<int32_t>(static_cast<int64_t>(i) % vocab);
    return ids;
  }

  // Cross attention of a source that is no model: ids of the `tokens` encoder tokens of request
  // number `request`. They differ from all ids of prompts, and token_text() accepts them. Throws
  // Error(kBadInput) where the source does not have that many encoder tokens.
  virtual std::vector<int32_t> encoder_ids(int64_t /*request*/, int64_t /*tokens*/) const {
    return {};
  }

  // The tokens of a text. The labels of synthetic tokens ("k17") count as text. Throws
  // Error(kBadInput) for text that the source cannot read.
  virtual std::vector<int32_t> encode(std::string_view text) const = 0;
  // Of a model with an encoder and a decoder: the token with which the decoder begins; the encoder
  // reads the text of a prompt. nullopt: the source is not such a model.
  virtual std::optional<int32_t> decoder_start() const { return std::nullopt; }
  // The tokens of a text that goes on from other tokens: without those that the tokenizer adds to a
  // whole text.
  virtual std::vector<int32_t> encode_rest(std::string_view text) const { return encode(text); }
  // The text a token contributes, for labels: leading spaces, newline and tab kept, the bytes of
  // other control characters (at least those of ASCII) and of what is not UTF-8 as <0xHH>. A
  // special token of a model: its text in the vocabulary. Any thread.
  virtual std::string token_text(int32_t token) const = 0;
  virtual std::string decode(std::span<const int32_t> tokens) const = 0;
  // Ids of the tokens that end a text, each once. Empty: no token does.
  virtual std::vector<int32_t> stop_tokens() const = 0;
  // Ids of the tokens that are never generated, ascending, each once.
  virtual std::vector<int32_t> suppressed_tokens() const { return {}; }
  virtual std::vector<std::string> notes() const { return {}; }

  // False from one of the next four: the gate cancelled the run.
  virtual bool begin_step(const StepTokens& tokens, const Execution& execution) = 0;
  // Fills query [num_queries, H, D], key and value [num_keys, Hkv, D], f32, rotary positions
  // applied. num_queries and num_keys are what StepTokens gives for the layer; H query heads, Hkv
  // KV heads, D the head size. Not called for a layer without queries: the encoder's, in a step
  // without a prompt.
  virtual bool qkv(int64_t layer, Tensor& query, Tensor& key, Tensor& value,
                   const Execution& execution) = 0;
  // Takes the attention output [num_queries, H, D] of the layer. A model goes on to the layer's end
  // (o_proj, MLP, residuals).
  virtual bool attention_output(int64_t layer, const Tensor& out, const Execution& execution) = 0;
  // Fills logits [logit_rows, vocab], f32.
  virtual bool end_step(Tensor& logits, const Execution& execution) = 0;
};

}  // namespace attn
