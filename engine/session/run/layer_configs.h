// SPDX-License-Identifier: GPL-3.0-or-later
// The attention configurations of a run's layers. Any thread; plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/attention/backend.h"
#include "engine/model/source.h"
#include "engine/session/record/layer_rules.h"
#include "engine/session/scenario/scenario.h"

namespace attn {

struct LayerConfigs {
  std::vector<AttentionConfig> distinct;  // in order of first use
  std::vector<size_t> index;              // [num_layers] into `distinct`

  const AttentionConfig& of(int64_t layer) const {
    return distinct[index[static_cast<size_t>(layer)]];
  }
  int64_t num_layers() const { return static_cast<int64_t>(index.size()); }
  bool any_of(AttentionType type) const;
  // Whether requests have a block table of their own tokens.
  bool cache_own() const {
    return any_of(AttentionType::kDecoder) || any_of(AttentionType::kEncoderOnly);
  }
  int64_t count_of(size_t i) const;
};

// Throws Error(kBadInput), for example when the scenario's attention type is not that of the model.
LayerConfigs layer_configs(const Scenario& scenario, const SourceShape& shape);

LayerRules layer_rules(const AttentionBackend& backend, const LayerConfigs& configs);
// The reasons why `backend` cannot run these layers, without repeats. Empty: it can run them.
std::vector<std::string> not_supported_reasons(const AttentionBackend& backend,
                                               const LayerConfigs& configs);
void add_new(std::vector<std::string> sentences, std::vector<std::string>& all);
// The largest sliding window of the layers of type kDecoder, in tokens. nullopt: one of them has no
// window, or there are no such layers.
std::optional<int64_t> window_of_all(const LayerConfigs& configs);

}  // namespace attn
