// SPDX-License-Identifier: GPL-3.0-or-later
// The configurations of a run's attention layers: what the scenario asks for, and what the source
// says of a layer by itself. Any thread; plain data.
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
  std::vector<AttentionConfig> distinct;  // each once, in order of the first layer that has it
  std::vector<size_t> index;              // [num_layers] into `distinct`

  const AttentionConfig& of(int64_t layer) const {
    return distinct[index[static_cast<size_t>(layer)]];
  }
  int64_t num_layers() const { return static_cast<int64_t>(index.size()); }
  // Whether some layer is of this type.
  bool any_of(AttentionType type) const;
  // Whether requests have a table of their own tokens: not where all layers are cross attention.
  bool cache_own() const {
    return any_of(AttentionType::kDecoder) || any_of(AttentionType::kEncoderOnly);
  }
  // How many layers have configuration `i`.
  int64_t count_of(size_t i) const;
};

// Throws Error(kBadInput) for an unknown type of the cache, when the scenario has several sinks and
// not one for each query head, or when the scenario's attention type is not that of the model
// (decoder, encoder, or both).
LayerConfigs layer_configs(const Scenario& scenario, const SourceShape& shape);

// The rules that `backend` computes by.
LayerRules layer_rules(const AttentionBackend& backend, const LayerConfigs& configs);
// Why `backend` cannot run some of the layers, each sentence once; empty: it can run all.
std::vector<std::string> not_supported_reasons(const AttentionBackend& backend,
                                               const LayerConfigs& configs);
// Adds the sentences that are not there yet.
void add_new(std::vector<std::string> sentences, std::vector<std::string>& all);
// The largest window of the layers that read the sequence's own keys: blocks outside of it can be
// given back. nullopt: one of these layers has no window, so all blocks are needed; or there are no
// such layers.
std::optional<int64_t> window_of_all(const LayerConfigs& configs);

}  // namespace attn
