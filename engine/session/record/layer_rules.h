// SPDX-License-Identifier: GPL-3.0-or-later
// The weight rules of a run's attention layers. Plain data; any thread.
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

  // A copy in which the first `rows` queries ignore the window of layers that also have ALiBi.
  LayerRules without_window(int64_t rows) const {
    LayerRules result = *this;
    for (WeightRule& rule : result.rules_)
      if (rule.sliding_window > 0 && !rule.alibi_slopes.empty()) rule.rows_without_window = rows;
    return result;
  }

  // Whether `a` masks less than `b`. The causal mask counts first, then the window.
  static bool sees_more(const WeightRule& a, const WeightRule& b) {
    if (a.causal != b.causal) return b.causal;
    if (a.sliding_window > 0 && a.sliding_window == b.sliding_window)
      return a.rows_without_window > b.rows_without_window;
    return b.sliding_window > 0 && (a.sliding_window == 0 || a.sliding_window > b.sliding_window);
  }

  bool are_one() const { return rules_.size() == 1; }
  const WeightRule& of(int64_t layer) const {
    return are_one() ? rules_[0] : rules_[static_cast<size_t>(layer)];
  }
  // Whether the queries and the keys of two layers belong to the same tokens.
  static bool same_tokens(const WeightRule& a, const WeightRule& b) {
    return a.cross == b.cross && a.encoder == b.encoder;
  }
  // Whether same_tokens() differs between layers.
  bool mix_keys() const {
    return std::ranges::any_of(
        rules_, [this](const WeightRule& rule) { return !same_tokens(rule, rules_[0]); });
  }
  // The layers of [0, num_layers) for which same_tokens() holds with `layer`.
  std::vector<int64_t> layers_like(int64_t layer, int64_t num_layers) const {
    std::vector<int64_t> layers;
    for (int64_t other = 0; other < num_layers; ++other)
      if (same_tokens(of(other), of(layer))) layers.push_back(other);
    return layers;
  }
  // The rule that masks least (sees_more()) among the layers for which same_tokens() holds with
  // `layer`.
  const WeightRule& widest_like(int64_t layer) const {
    const WeightRule* widest = &of(layer);
    for (const WeightRule& rule : rules_)
      if (same_tokens(rule, *widest) && sees_more(rule, *widest)) widest = &rule;
    return *widest;
  }
  const std::vector<WeightRule>& list() const { return rules_; }
  bool operator==(const LayerRules&) const = default;

 private:
  std::vector<WeightRule> rules_;
};

}  // namespace attn
