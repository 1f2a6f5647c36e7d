// SPDX-License-Identifier: GPL-3.0-or-later
// WeightRule, CutEdge, and the recomputation of attention weights and scores from kept operands:
// w[q][k] = exp(s - lse[q]) where the query sees the key, else 0, with s = cap(scale * q.k) + slope
// * (k - q) + bias, where cap is the soft cap and bias the sum of the relative and the dense bias.
// The bits of a cell do not depend on the tile in which it is computed. Any thread; the
// recomputation of a tile allocates a packed panel and a few rows of scores.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "engine/attention/attention_bias.h"
#include "engine/attention/types.h"

namespace attn {

// A cut edge: in this head the score of this query and key is -inf. With query -1 that holds for
// every query after the key.
struct CutEdge {
  int64_t head = 0, query = -1, key = 0;
  bool cuts(int64_t of_head, int64_t of_query, int64_t of_key) const {
    return head == of_head && key == of_key && (query < 0 ? of_query > key : of_query == query);
  }
  bool operator==(const CutEdge&) const = default;
};

// What a layer does to its scores, and which keys a query sees. Positions are absolute in the
// sequence; in cross attention those of keys count the encoder's tokens.
struct WeightRule {
  bool causal = true;  // key <= query
  bool cross = false;  // true in cross attention: the keys are the encoder's tokens
  // true in a layer of the encoder before a decoder: queries and keys are the encoder's tokens.
  bool encoder = false;
  int64_t sliding_window = 0;  // key > query - window; 0: none
  // The window does not apply to queries before this one (AttentionBackend::rows_without_window).
  int64_t rows_without_window = 0;
  float soft_cap = 0;               // cap * tanh(s / cap); 0: none
  std::vector<float> alibi_slopes;  // [num_heads]; empty: none
  RelativeBias relative_bias = {};  // empty: none
  // [num_heads]: one more logit in the softmax sum of every row, to which no key belongs; empty:
  // none.
  std::vector<float> sinks;
  std::optional<BlockSparse> blocksparse;  // hides some of the visible keys
  std::vector<CutEdge> cuts = {};          // hide further keys

  bool operator==(const WeightRule&) const = default;
  bool is_plain() const {
    return masks_later_keys_only() && soft_cap == 0 && alibi_slopes.empty() &&
           relative_bias.empty() && sinks.empty();
  }
  // Whether the causal mask is the only mask; how scores are changed does not matter.
  bool masks_later_keys_only() const {
    return causal && sliding_window == 0 && !blocksparse && cuts.empty();
  }
  // Whether span() may hold keys that the query does not see.
  bool has_holes() const { return blocksparse.has_value() || !cuts.empty(); }
  float slope(int64_t head) const {
    return alibi_slopes.empty() ? 0.0f : alibi_slopes[static_cast<size_t>(head)];
  }
  // What ALiBi and the relative bias add to a score.
  float bias(int64_t head, int64_t query, int64_t key) const {
    return slope(head) * static_cast<float>(key - query) + relative_bias.at(head, query, key);
  }
  float sink(int64_t head) const {  // -inf if the layer has no sinks
    return sinks.empty() ? -std::numeric_limits<float>::infinity()
                         : sinks[static_cast<size_t>(head)];
  }
  // The window of a query; 0: none.
  int64_t window_of(int64_t query) const {
    return query < rows_without_window ? 0 : sliding_window;
  }
  // The keys of [0, num_keys) that causality and the window let the query see. Block-sparse
  // attention and cuts can hide some of them.
  KeySpan span(int64_t query, int64_t num_keys) const;
  bool sees(int64_t head, int64_t query, int64_t key) const;
};
WeightRule weight_rule(const AttentionConfig& config);

// How many of the keys [begin, end) the query sees.
inline int64_t count_seen_keys(const WeightRule& rule, int64_t head, int64_t query, int64_t begin,
                               int64_t end) {
  const KeySpan keys = rule.span(query, end);
  const int64_t first = std::max(begin, keys.begin);
  if (!rule.has_holes()) return std::max<int64_t>(0, keys.end - first);
  int64_t seen = 0;
  for (int64_t key = first; key < keys.end; ++key) seen += rule.sees(head, query, key) ? 1 : 0;
  return seen;
}

struct WeightTile {
  const float* query = nullptr;  // [q_count, head_size], row stride query_stride
  int64_t query_stride = 0;
  const float* key = nullptr;  // [k_count, head_size], row stride key_stride
  int64_t key_stride = 0;
  const float* lse = nullptr;  // [q_count], stride lse_stride; NaN gives NaN weights, -inf gives 0
  int64_t lse_stride = 1;
  int64_t q_begin = 0, q_count = 0;  // q_begin, k_begin: absolute positions
  int64_t k_begin = 0, k_count = 0;
  int64_t head_size = 0;
  float scale = 1;
  const WeightRule* rule = nullptr;  // null: a causal mask and nothing else
  int64_t head = 0;                  // query head
  // Dense bias [q_count, k_count], added to the scores; column 0 is key k_begin; null: none.
  const float* bias = nullptr;
  int64_t bias_stride = 0;
};

// Computes the weights of a tile: [q_count, k_count], row stride weights_stride, f32.
void recompute_weights(const WeightTile& tile, float* weights, int64_t weights_stride);
// Computes the scores behind the weights, in the same layout: s if the query sees the key, else
// -inf. tile.lse is not read and may be null.
void recompute_scores(const WeightTile& tile, float* scores, int64_t scores_stride);
// exp(scores - minus), with the bits that recompute_weights() gives where `minus` is the row's lse.
// A `minus` of NaN gives NaN everywhere, one of -inf gives 0. [count]; in and out may be the same.
void exp_of_scores(const float* scores, int64_t count, float minus, float* out);
// q.k in f32, added in the order of the kernels that use no bf16 unit.
float score_dot(const float* query, const float* key, int64_t head_size);

}  // namespace attn
