// SPDX-License-Identifier: GPL-3.0-or-later
// config.json and generation_config.json of a Llama or Mistral model. What a key means and which
// keys a family ignores is as in transformers 5.23. Any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/problems.h"

namespace attn {

struct LlamaConfig {
  int64_t hidden_size = 0;        // C
  int64_t intermediate_size = 0;  // F
  int64_t num_layers = 0;
  int64_t num_heads = 0;      // H
  int64_t num_kv_heads = 0;   // Hkv; divides H
  int64_t head_size = 0;      // D; its own number, H * D need not be C
  int64_t vocab_size = 0;     // V
  int64_t max_model_len = 0;  // positions; not past a sliding window, where it would hide keys
  double rope_theta = 10000;
  float norm_epsilon = 1e-6f;
  bool tie_embeddings = false;       // lm_head is embed_tokens where the files have only one
  std::vector<int32_t> stop_tokens;  // all different
  std::vector<std::string>
      notes;  // keys that have no effect or are followed only in part, a sentence each

  // Reads the files of `folder`. Every reason why the model cannot run goes to `problems`:
  // kNotSupported for options that are not known here, kBadInput with the path for values out of
  // range. nullopt: so much is wrong that nothing can be said about the tensors.
  static std::optional<LlamaConfig> load(const std::filesystem::path& folder, Problems& problems);
};

}  // namespace attn
