// SPDX-License-Identifier: GPL-3.0-or-later
// Model: a Source that is a trained network from a model folder or a GGUF file, with what all
// families have in common. The networks (engine/model/transformer) derive from it. load_model()
// makes one.
//
// A row of query, key, value and logits depends on its token, its position and the attention output
// it was given, not on the other rows of the batch. One thread at a time; the text functions and
// network() of a loaded model: any thread.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/model/files/tensor_reader.h"
#include "engine/model/network.h"
#include "engine/model/residual.h"
#include "engine/model/source.h"
#include "engine/model/tokenizer/tokenizer.h"

namespace attn {

// What load_model() gives to a model with set_facts().
struct ModelFacts {
  Tokenizer tokenizer;
  std::vector<int32_t> stop_tokens;        // each once
  std::vector<int32_t> suppressed_tokens;  // ascending, each once
  std::vector<std::string> notes;
  int64_t num_parameters = 0;  // elements of all tensors that were read
};

class Model : public Source {
 public:
  const Tokenizer& tokenizer() const { return facts_.tokenizer; }
  int64_t num_parameters() const { return facts_.num_parameters; }

  const SourceShape& shape() const override { return shape_; }
  std::vector<int32_t> encode(std::string_view text) const override {
    return facts_.tokenizer.encode(text);
  }
  std::string token_text(int32_t token) const override {
    return facts_.tokenizer.token_text(token);
  }
  std::string decode(std::span<const int32_t> tokens) const override {
    return facts_.tokenizer.decode(tokens);
  }
  std::vector<int32_t> stop_tokens() const override { return facts_.stop_tokens; }
  std::vector<int32_t> suppressed_tokens() const override { return facts_.suppressed_tokens; }
  std::optional<int32_t> decoder_start() const override { return decoder_start_; }
  std::vector<int32_t> encode_rest(std::string_view text) const override {
    return facts_.tokenizer.encode(text, false);
  }
  std::vector<std::string> notes() const override { return facts_.notes; }

  // --- for looking into the network (engine/explore, engine/session) ---

  // The parts of the network (network.h). Complete once the weights have been read.
  virtual Network network() const = 0;
  // Fills logits [rows.size(), vocab], f32, as the end of a step does: row i from row rows[i] of
  // the residual streams x [.., C]. False: cancelled by the gate.
  virtual bool read_out(const float* x, std::span<const int64_t> rows, Tensor& logits,
                        const Execution& execution) = 0;
  // From now on `hook` is called in every step. Null: no hook is called.
  void set_hook(ResidualHook* hook) { hook_ = hook; }

  // --- for load_model() ---

  // Tells `reader` the name and shape of every tensor of the network, and the member into which it
  // is to be read. Called once, before `reader` checks or reads; the model must stay where it is
  // until `reader` has read.
  virtual void take_weights(TensorReader& reader) = 0;
  // Whether the output embedding is a tensor of its own. Known after take_weights().
  bool has_own_head() const { return has_own_head_; }
  void set_name(std::string name) { shape_.name = std::move(name); }
  void set_facts(ModelFacts facts) { facts_ = std::move(facts); }
  void add_note(std::string note) { facts_.notes.push_back(std::move(note)); }
  void set_decoder_start(int32_t token) { decoder_start_ = token; }

 protected:
  // shape.name may be empty: load_model() sets the name.
  explicit Model(SourceShape shape) : shape_(std::move(shape)) {}
  // Throws Error(kBadInput) for a token outside the vocabulary or a position outside
  // [0, max_model_len), for the encoder's tokens [0, max_encoder_len).
  void check_step(const StepTokens& tokens) const;
  void show(ResidualSite site, int64_t layer, float* x, int64_t rows, int64_t width) const {
    if (hook_) hook_->at(site, layer, x, rows, width);
  }

  SourceShape shape_;
  bool has_own_head_ = false;

 private:
  ModelFacts facts_;
  std::optional<int32_t> decoder_start_;
  ResidualHook* hook_ = nullptr;
};

}  // namespace attn
