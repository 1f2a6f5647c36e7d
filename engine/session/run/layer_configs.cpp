// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/run/layer_configs.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/error.h"
#include "engine/session/scenario/attention_rule.h"

namespace attn {
namespace {

// The configuration to which the settings of one layer are added.
AttentionConfig config_of_all(const Scenario& scenario, const SourceShape& shape) {
  AttentionConfig config;
  config.num_heads = shape.num_heads;
  config.num_kv_heads = shape.num_kv_heads;
  config.head_size = shape.head_size;
  config.scale = shape.scale;
  set_cache_dtype(config, scenario.engine.kv_cache_dtype, DType::kF32,
                  place_in(scenario, "$.engine.kv_cache_dtype"));
  // With a bf16 cache the engine rounds queries, keys and values, so attention computes with bf16
  // operands.
  if (config.kv_cache_dtype == DType::kBF16) config.dtype = DType::kBF16;
  config.backend_options = scenario.engine.backend_options;
  config.extended = scenario.engine.extended;
  config.pad_head_size = scenario.engine.pad_head_size;
  config.chunked_prefill = scenario.engine.policy == SchedulingPolicy::kChunkedPrefill;
  set_attention(scenario.attention, shape, config);
  return config;
}

// Compares the fields that may differ between the layers of one run.
bool same_layer(const AttentionConfig& a, const AttentionConfig& b) {
  return a.attn_type == b.attn_type && a.sliding_window == b.sliding_window &&
         a.logits_soft_cap == b.logits_soft_cap && a.alibi_slopes == b.alibi_slopes &&
         a.sinks == b.sinks && a.relative_bias == b.relative_bias;
}

void check_type(const Scenario& scenario, const SourceShape& shape) {
  const AttentionType found = scenario.attention.type, allowed = shape.type_of_model();
  if (!scenario.source.reads_text() || found == allowed) return;
  const auto named = [](AttentionType type) {
    return type == AttentionType::kEncoderOnly      ? "\"encoder_only\""
           : type == AttentionType::kEncoderDecoder ? "\"encoder_decoder\""
                                                    : "\"decoder\"";
  };
  const bool is_encoder = allowed == AttentionType::kEncoderOnly,
             has_both = allowed == AttentionType::kEncoderDecoder;
  throw_bad_input({fmt::format("the model {} {}", shape.name,
                               is_encoder ? "is an encoder"
                               : has_both ? "has an encoder and a decoder"
                                          : "is a decoder"),
                   place_in(scenario, "$.attention.type"), named(found), named(allowed),
                   is_encoder
                       ? "An encoder computes prompts and writes no text: max_tokens is 1, without "
                         "prefix cache and chunked prefill"
                   : has_both ? "Its encoder reads the prompt, and its decoder writes the answer"
                              : "Tokens of a decoder see no later tokens"});
}

}  // namespace

bool LayerConfigs::any_of(AttentionType type) const {
  return std::ranges::count(distinct, type, &AttentionConfig::attn_type) > 0;
}

int64_t LayerConfigs::count_of(size_t i) const {
  return std::ranges::count(index, i);
}

LayerConfigs layer_configs(const Scenario& scenario, const SourceShape& shape) {
  check_type(scenario, shape);
  const AttentionConfig all = config_of_all(scenario, shape);
  LayerConfigs configs;
  for (int64_t layer = 0; layer < shape.num_layers; ++layer) {
    AttentionConfig config = all;
    if (!shape.calls.empty()) set_attention(shape.calls[static_cast<size_t>(layer)], config);
    const auto known = std::ranges::find_if(
        configs.distinct, [&](const AttentionConfig& one) { return same_layer(one, config); });
    configs.index.push_back(static_cast<size_t>(known - configs.distinct.begin()));
    if (known == configs.distinct.end()) configs.distinct.push_back(std::move(config));
  }
  return configs;
}

LayerRules layer_rules(const AttentionBackend& backend, const LayerConfigs& configs) {
  std::vector<WeightRule> rules;
  for (int64_t layer = 0; layer < configs.num_layers(); ++layer)
    rules.push_back(layer_rule(backend, configs.of(layer)));
  return LayerRules(std::move(rules));
}

std::vector<std::string> not_supported_reasons(const AttentionBackend& backend,
                                               const LayerConfigs& configs) {
  std::vector<std::string> reasons;
  for (const AttentionConfig& config : configs.distinct)
    add_new(backend.not_supported_reasons(config), reasons);
  return reasons;
}

void add_new(std::vector<std::string> sentences, std::vector<std::string>& all) {
  for (std::string& sentence : sentences)
    if (std::ranges::find(all, sentence) == all.end()) all.push_back(std::move(sentence));
}

std::optional<int64_t> window_of_all(const LayerConfigs& configs) {
  std::optional<int64_t> largest;
  for (const AttentionConfig& config : configs.distinct) {
    if (config.attn_type != AttentionType::kDecoder) continue;
    if (!config.sliding_window) return std::nullopt;
    largest = std::max(largest.value_or(0), *config.sliding_window);
  }
  return largest;
}

}  // namespace attn
