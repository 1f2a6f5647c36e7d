// SPDX-License-Identifier: GPL-3.0-or-later
// Reads config.json and generation_config.json of a Llama or Mistral model. The meaning of the
// keys, and which keys a family ignores, are as in transformers 5.23. Any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/files/problems.h"

namespace attn {

struct LlamaConfig {
  int64_t hidden_size = 0;        // C
  int64_t intermediate_size = 0;  // F
  int64_t num_layers = 0;
  int64_t num_heads = 0;      // H
  int64_t num_kv_heads = 0;   // Hkv; divides H
  int64_t head_size = 0;      // D; H * D need not equal C
  int64_t vocab_size = 0;     // V
  int64_t max_model_len = 0;  // tokens; at most the sliding window, which is not supported
  double rope_theta = 10000;
  float norm_epsilon = 1e-6f;
  bool tie_embeddings = false;       // lm_head is embed_tokens, unless the files have both
  std::vector<int32_t> stop_tokens;  // each once
  std::vector<std::string>
      notes;  // keys that are ignored or followed only in part, a sentence each

  // Reads the files of `folder`. Every reason why the model cannot run is added to `problems`:
  // kNotSupported for unknown options, kBadInput with the JSON path for values out of range.
  // Returns nullopt where the shapes of the tensors cannot be told.
  static std::optional<LlamaConfig> load(const std::filesystem::path& folder, Problems& problems);
};

}  // namespace attn
