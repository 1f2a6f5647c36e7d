// SPDX-License-Identifier: GPL-3.0-or-later
// config.json of a Llama model. Unsupported options are refused by a sentence (kNotSupported),
// values out of range with their path (kBadInput). Any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace attn {

struct LlamaConfig {
  int64_t hidden_size = 0;        // C
  int64_t intermediate_size = 0;  // F
  int64_t num_layers = 0;
  int64_t num_heads = 0;      // H
  int64_t num_kv_heads = 0;   // Hkv; divides H
  int64_t head_size = 0;      // D; its own number, H * D need not be C
  int64_t vocab_size = 0;     // V
  int64_t max_model_len = 0;  // positions
  double rope_theta = 10000;
  float norm_epsilon = 1e-6f;
  bool tie_embeddings = false;  // lm_head is embed_tokens
  std::optional<int32_t> stop_token;

  static LlamaConfig load(const std::filesystem::path& file);
  static LlamaConfig parse(std::string_view json, const std::string& where);
};

}  // namespace attn
