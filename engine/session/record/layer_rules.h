// SPDX-License-Identifier: GPL-3.0-or-later
// The weight rules of a run's attention layers. Most runs have one rule for all of them. Plain
// data; any thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/kernels/weight_recompute.h"

namespace attn {

class LayerRules {
 public:
  LayerRules(WeightRule of_all = {}) : rules_{std::move(of_all)} {}
  // rules: one for each layer, at least one.
  explicit LayerRules(std::vector<WeightRule> rules) : rules_(std::move(rules)) {
    if (std::ranges::all_of(rules_, [this](const WeightRule& rule) { return rule == rules_[0]; }))
      rules_.resize(1);
  }

  // A copy of these rules in which the window does not count for the first `rows` queries where
  // ALiBi is beside it.
  LayerRules without_window(int64_t rows) const {
    LayerRules result = *this;
    for (WeightRule& rule : result.rules_)
      if (rule.sliding_window > 0 && !rule.alibi_slopes.empty()) rule.rows_without_window = rows;
    return result;
  }

  // Whether the causal mask and the window of `a` show a query keys that those of `b` hide.
  static bool sees_more(const WeightRule& a, const WeightRule& b) {
    if (a.causal != b.causal) return b.causal;
    if (a.sliding_window > 0 && a.sliding_window == b.sliding_window)
      return a.rows_without_window > b.rows_without_window;
    return b.sliding_window > 0 && (a.sliding_window == 0 || a.sliding_window > b.sliding_window);
  }

  // Whether all layers have the same rule.
  bool are_one() const { return rules_.size() == 1; }
  const WeightRule& of(int64_t layer) const {
    return are_one() ? rules_[0] : rules_[static_cast<size_t>(layer)];
  }
  // Whether the queries and the keys of two layers are those of the same tokens.
  static bool same_tokens(const WeightRule& a, const WeightRule& b) {
    return a.cross == b.cross && a.encoder == b.encoder;
  }
  // Whether some layers read a request's own keys and others those of its encoder.
  bool mix_keys() const {
    return std::ranges::any_of(
        rules_, [this](const WeightRule& rule) { return !same_tokens(rule, rules_[0]); });
  }
  // The layers of [0, num_layers) whose queries and keys belong to the same tokens as those of
  // `layer`: of self attention, of cross attention, or of an encoder.
  std::vector<int64_t> layers_like(int64_t layer, int64_t num_layers) const {
    std::vector<int64_t> layers;
    for (int64_t other = 0; other < num_layers; ++other)
      if (same_tokens(of(other), of(layer))) layers.push_back(other);
    return layers;
  }
  // The rule that masks least, by the causal mask and the window, among the layers whose queries
  // and keys belong to the same tokens as those of `layer`.
  const WeightRule& widest_like(int64_t layer) const {
    const WeightRule* widest = &of(layer);
    for (const WeightRule& rule : rules_)
      if (same_tokens(rule, *widest) && sees_more(rule, *widest)) widest = &rule;
    return *widest;
  }
  // The rule of all layers, or those of layers 0, 1, ...
  const std::vector<WeightRule>& list() const { return rules_; }
  bool operator==(const LayerRules&) const = default;

 private:
  std::vector<WeightRule> rules_;
};

}  // namespace attn
