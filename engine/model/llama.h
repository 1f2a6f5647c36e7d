// SPDX-License-Identifier: GPL-3.0-or-later
// LlamaModel: a decoder of the Llama family from a Hugging Face folder (config.json,
// model.safetensors or its shards, tokenizer.json, perhaps generation_config.json). Mistral is the
// same network as long as a text fits in its sliding window. Supported are grouped-query attention,
// a head size that is set separately, and a tied or separate output embedding. Linear layers and
// norms are kept in f32, the input embedding in the type of the file. Arithmetic is f32, except the
// mean of squares, cosines and sines, which are computed in f64 and rounded.
//
//   x = embed(token)
//   per layer: x += W_o attention(rope(W_q n), rope(W_k n), W_v n)   with n = rms_norm(x)
//              x += W_down (silu(W_gate n) * W_up n)                 with n = rms_norm(x)
//   logits = W_head rms_norm(x)
// H. Touvron and others, "LLaMA", 2023. Rotary positions turn element i of a head together with
// element i + D/2, as in the `transformers` library: J. Su and others, "RoFormer", 2021.
//
// Every row is computed on its own (see linear.h for the matrix products): the bits of a row of
// query, key, value and logits depend on its token, its position and the attention output it was
// given, not on the other rows of the batch, the thread count or how a prompt is cut into steps.
// Engine thread, except the text functions: any thread.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/files/problems.h"
#include "engine/model/files/weight_files.h"
#include "engine/model/linear.h"
#include "engine/model/llama_config.h"
#include "engine/model/source.h"
#include "engine/model/tokenizer/tokenizer.h"

namespace attn {

struct LlamaWeights;

// What is known of a model folder before the numbers of its weights are read.
struct ModelCheck {
  SourceShape shape;  // zeros where config.json cannot be read
  std::vector<int32_t> stop_tokens;
  bool has_own_head = false;       // the files have a lm_head.weight
  int64_t stored_bytes = 0;        // of the model's weights in the files
  int64_t needed_bytes = 0;        // most memory that loading takes
  std::vector<std::string> notes;  // what is ignored or followed only in part, a sentence each
  Problems problems;               // every reason why the model cannot be loaded
};

class LlamaModel : public Source {
 public:
  // Checks a folder without reading the numbers of its weights. `available`: bytes of free memory.
  static ModelCheck check(const std::filesystem::path& folder, int64_t available);
  // Loads a model; its name is that of the folder. All problems are reported in one Error:
  // kBadInput for a folder that is broken, inconsistent or too large for the memory, kNotSupported
  // for features that this program lacks, kFailed where the system refuses to read a file or to
  // give memory. `progress` is called before every tensor with the share of the files' tensors that
  // have been read; when it returns false, loading ends with kCancelled.
  static std::unique_ptr<LlamaModel> load(const std::filesystem::path& folder,
                                          const std::function<bool(double)>& progress = {});

  const LlamaConfig& config() const { return config_; }
  const Tokenizer& tokenizer() const { return tokenizer_; }
  int64_t num_parameters() const { return num_parameters_; }

  const SourceShape& shape() const override { return shape_; }
  std::vector<int32_t> encode(std::string_view text) const override {
    return tokenizer_.encode(text);
  }
  std::string token_text(int32_t token) const override { return tokenizer_.token_text(token); }
  std::string decode(std::span<const int32_t> tokens) const override {
    return tokenizer_.decode(tokens);
  }
  std::vector<int32_t> stop_tokens() const override { return config_.stop_tokens; }
  std::vector<std::string> notes() const override { return notes_; }

  // Errors: kBadInput for a token outside the vocabulary or a position outside [0, max_model_len).
  bool begin_step(const StepTokens& tokens, const Execution& execution) override;
  bool qkv(int64_t layer, Tensor& query, Tensor& key, Tensor& value,
           const Execution& execution) override;
  bool attention_output(int64_t layer, const Tensor& out, const Execution& execution) override;
  bool end_step(Tensor& logits, const Execution& execution) override;

 private:
  struct Layer {
    std::vector<float> attention_norm, mlp_norm;  // [C]
    Linear qkv;                                   // C -> H*D query, Hkv*D key, Hkv*D value
    Linear out;                                   // H*D -> C
    Linear gate_up;                               // C -> F gate, F up
    Linear down;                                  // F -> C
  };

  LlamaModel() = default;
  void read_weights(const WeightFiles& files, const LlamaWeights& weights,
                    const std::function<bool(double)>& progress);
  bool normalize(const std::vector<float>& x, const std::vector<float>& weight,
                 std::vector<float>& to, int64_t rows, const Execution& execution) const;

  SourceShape shape_;
  std::vector<std::string> notes_;
  LlamaConfig config_;
  Tokenizer tokenizer_;
  Tensor embedding_;                      // [V, C] in the type of the file; f64 is rounded to f32
  std::vector<float> inverse_frequency_;  // [D/2]: theta^(-2i/D)
  std::vector<Layer> layers_;
  std::vector<float> final_norm_;  // [C]
  Linear head_;                    // C -> V
  int64_t num_parameters_ = 0;

  // The step being computed; T rows.
  StepTokens step_;
  std::vector<float> hidden_, normed_;      // [T, C]
  std::vector<float> cosine_, sine_;        // [T, D/2]
  std::vector<float> qkv_;                  // [T, (H + 2 Hkv) * D]
  std::vector<float> gate_up_, activated_;  // [T, 2F], [T, F]
};

}  // namespace attn
