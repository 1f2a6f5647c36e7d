// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/unknown_type.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace attn {
namespace {

struct Sign {
  const char* feature;
  std::vector<const char*> keys;  // any of these keys in config.json shows the feature
};

const std::vector<Sign>& signs() {
  static const std::vector<Sign> all{
      {"relative positions of another kind than T5's", {"relative_attention", "position_buckets"}},
      {"a language model inside another model", {"text_config", "llm_config"}},
      {"layers for images", {"vision_config", "image_size", "patch_size"}},
      {"layers for sound", {"audio_config", "num_mel_bins", "conv_dim"}},
      {"state-space layers",
       {"state_size", "ssm_cfg", "ssm_state_size", "mamba_d_state", "mamba_d_conv"}},
      {"linear attention", {"linear_num_value_heads", "linear_attn_config"}},
      {"recurrent layers", {"lru_width", "attention_hidden_size"}},
      {"keys and values from a latent vector", {"kv_lora_rank"}},
      {"experts that all tokens share", {"n_shared_experts", "shared_expert_intermediate_size"}},
      {"keys and values that layers share", {"num_kv_shared_layers"}},
      {"attention sinks that are learned", {"swiglu_limit", "add_swa_attention_sink_bias"}},
  };
  return all;
}

}  // namespace

std::vector<std::string> missing_features(const JsonAt& root) {
  std::vector<std::string> features;
  for (const Sign& sign : signs())
    if (std::ranges::any_of(sign.keys, [&](const char* key) { return root.has(key); }))
      features.emplace_back(sign.feature);
  return features;
}

void refuse_type(const JsonAt& root, const std::vector<std::string>& known) {
  const JsonAt type = root["model_type"];
  const std::vector<std::string> features = missing_features(root);
  type.not_supported("model family is not supported", type.shown(),
                     fmt::format("\"{}\"", fmt::join(known, "\", \"")),
                     features.empty()
                         ? ""
                         : fmt::format("By its other keys it needs {}", fmt::join(features, "; ")));
}

}  // namespace attn
