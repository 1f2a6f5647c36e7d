// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heatmap_combine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace attn::gui {

std::string column_name(const Combination& combination, const HeadId& head,
                        std::span<const int64_t> layers, int64_t num_heads) {
  const HeadId& other = combination.other;
  switch (combination.kind) {
    case Combine::kHead:
      break;
    case Combine::kLayerMean:
      return fmt::format("mean_weight_layer_{}_heads_0_to_{}", head.layer, num_heads - 1);
    case Combine::kMean: {
      const bool whole = layers.back() - layers.front() + 1 == std::ssize(layers);
      return fmt::format("mean_weight_layers_{}_heads_0_to_{}",
                         whole ? fmt::format("{}_to_{}", layers.front(), layers.back())
                               : fmt::format("{}", fmt::join(layers, "_")),
                         num_heads - 1);
    }
    case Combine::kHeadDifference:
      return fmt::format("weight_layer_{}_head_{}_minus_layer_{}_head_{}", head.layer, head.head,
                         other.layer, other.head);
    case Combine::kLayerDifference:
      return fmt::format("mean_weight_layer_{}_minus_layer_{}", head.layer, other.layer);
  }
  return fmt::format("weight_layer_{}_head_{}", head.layer, head.head);
}

CombinedHeads heads_of(const Combination& combination, const HeadId& head,
                       std::span<const int64_t> layers, int64_t num_heads) {
  const auto layer_of = [num_heads](int64_t layer) {
    std::vector<HeadId> heads;
    for (int64_t h = 0; h < num_heads; ++h) heads.push_back({layer, h});
    return heads;
  };
  switch (combination.kind) {
    case Combine::kHead:
      break;
    case Combine::kLayerMean:
      return {layer_of(head.layer), {}};
    case Combine::kMean: {
      CombinedHeads all;
      for (const int64_t layer : layers)
        for (const HeadId& id : layer_of(layer)) all.left.push_back(id);
      return all;
    }
    case Combine::kHeadDifference:
      return {{head}, {combination.other}};
    case Combine::kLayerDifference:
      return {layer_of(head.layer), layer_of(combination.other.layer)};
  }
  return {{head}, {}};
}

CombinedWeights::CombinedWeights(const AttentionRecord& record, CombinedHeads heads)
    : record_(record), heads_(std::move(heads)) {}

bool CombinedWeights::row_done(int64_t query) const {
  const auto done = [&](const HeadId& id) { return record_.row_done(id.layer, id.head, query); };
  return std::ranges::all_of(heads_.left, done) && std::ranges::all_of(heads_.right, done);
}

void CombinedWeights::mean(std::span<const HeadId> heads, int64_t q_begin, int64_t q_count,
                           int64_t k_begin, int64_t k_count, float* out) {
  if (heads.size() == 1)
    return record_.weights(heads[0].layer, heads[0].head, q_begin, q_count, k_begin, k_count, out);
  const auto cells = static_cast<size_t>(q_count * k_count);
  one_.resize(cells);
  sum_.assign(cells, 0.0);
  for (const HeadId& id : heads) {
    record_.weights(id.layer, id.head, q_begin, q_count, k_begin, k_count, one_.data());
    for (size_t i = 0; i < cells; ++i) sum_[i] += static_cast<double>(one_[i]);
  }
  const auto count = static_cast<double>(heads.size());
  for (size_t i = 0; i < cells; ++i) out[i] = static_cast<float>(sum_[i] / count);
}

void CombinedWeights::weights(int64_t q_begin, int64_t q_count, int64_t k_begin, int64_t k_count,
                              float* out) {
  mean(heads_.left, q_begin, q_count, k_begin, k_count, out);
  if (heads_.right.empty()) return;
  const auto cells = static_cast<size_t>(q_count * k_count);
  other_.resize(cells);
  mean(heads_.right, q_begin, q_count, k_begin, k_count, other_.data());
  for (size_t i = 0; i < cells; ++i) out[i] -= other_[i];
}

}  // namespace attn::gui
