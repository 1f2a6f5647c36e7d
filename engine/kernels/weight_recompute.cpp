// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/weight_recompute.h"

#include "engine/core/tensor.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/weight_recompute.cpp"
#include "hwy/foreach_target.h"  // must precede hwy/highway.h

#include "hwy/highway.h"

#include "engine/kernels/tiles/tile_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {

ScoreRule RuleOf(const WeightTile& tile) {
  const WeightRule plain;
  const WeightRule& layer = tile.rule ? *tile.rule : plain;
  ScoreRule rule;
  rule.scale = tile.scale;
  rule.slope = layer.slope(tile.head);
  SetRelativeBias(layer.relative_bias, tile.head, rule);
  rule.causal = layer.causal;
  rule.sliding_window = layer.sliding_window;
  rule.soft_cap = layer.soft_cap;
  rule.blocksparse = tile.rule && tile.rule->blocksparse ? &*tile.rule->blocksparse : nullptr;
  rule.head = tile.head;
  return rule;
}

// Calls fn(row, first key, count, scores of a panel of keys) for every row and panel of the tile.
// Keys count from the tile's first; the scores are not masked yet.
template <class Fn>
void ForScores(const ScoreRule& rule, const WeightTile& tile, float* panel, float* scores,
               Fn&& fn) {
  const KvSource keys = dense_rows(tile.key, DType::kF32, 1, tile.key_stride);
  for (int64_t k = 0; k < tile.k_count; k += kKeyPanel) {
    const int64_t count = std::min(kKeyPanel, tile.k_count - k);
    KvSource rows = keys;
    rows.chunk = tile.head_size;
    PackKeys(rows, 0, k, count, tile.head_size, panel);
    for (int64_t q = 0; q < tile.q_count; q += kTileRows) {
      const int64_t group = std::min<int64_t>(kTileRows, tile.q_count - q);
      Scores(tile.query + q * tile.query_stride, tile.query_stride, group, panel, 1, tile.head_size,
             scores, kKeyPanel);
      for (int64_t r = 0; r < group; ++r) {
        float* row = scores + r * kKeyPanel;
        ApplyTerms(rule, tile.q_begin + q + r, tile.k_begin + k, 0, kKeyPanel, row);
        if (tile.bias)
          for (int64_t i = 0; i < count; ++i)
            row[i] += tile.bias[(q + r) * tile.bias_stride + k + i];
        fn(q + r, k, count, row);
      }
    }
  }
}

// Copies cells [count] to `out`. Cells of keys that the query at `position` does not see become
// `hidden`. The first cell belongs to key k_first of kv_len keys.
void CopySeenBy(const ScoreRule& rule, int64_t position, int64_t kv_len, int64_t k_first,
                int64_t count, const float* cells, float hidden, float* out) {
  const KeyRange seen = InTile(VisibleKeys(rule, position, kv_len), k_first, count);
  int64_t done = 0;
  ForVisibleRuns(rule, position, k_first, seen, [&](int64_t from, int64_t to) {
    std::fill(out + done, out + from, hidden);
    std::copy(cells + from, cells + to, out + from);
    done = to;
  });
  std::fill(out + done, out + count, hidden);
}

// CopySeenBy() for row q of the tile and its keys k .. k + count - 1.
void CopySeen(const ScoreRule& rule, const WeightTile& tile, int64_t q, int64_t k, int64_t count,
              const float* cells, float hidden, float* out) {
  const int64_t position = tile.q_begin + q, kv_len = tile.k_begin + tile.k_count;
  if (tile.rule && tile.rule->window_of(position) != rule.sliding_window) {
    ScoreRule of_row = rule;
    of_row.sliding_window = tile.rule->window_of(position);
    return CopySeenBy(of_row, position, kv_len, tile.k_begin + k, count, cells, hidden, out);
  }
  CopySeenBy(rule, position, kv_len, tile.k_begin + k, count, cells, hidden, out);
}

void RecomputeWeights(const WeightTile& tile, float* weights, int64_t weights_stride, float* panel,
                      float* scores) {
  const DF d;
  const ScoreRule rule = RuleOf(tile);
  ForScores(rule, tile, panel, scores,
            [&](int64_t q, int64_t k, int64_t count, float* row) HWY_ATTR {
              const float lse = tile.lse[q * tile.lse_stride];
              float* out = weights + q * weights_stride + k;
              if (std::isnan(lse) || lse == kNegInf) {  // -inf: the row has no weight
                std::fill(out, out + count, std::isnan(lse) ? lse : 0.0f);
                return;
              }
              for (int64_t i = 0; i < kKeyPanel; i += kLanes)
                hn::Store(Exp(d, hn::Sub(hn::Load(d, row + i), hn::Set(d, lse))), d, row + i);
              CopySeen(rule, tile, q, k, count, row, 0.0f, out);
            });
}

void RecomputeScores(const WeightTile& tile, float* out, int64_t stride, float* panel,
                     float* scores) {
  const ScoreRule rule = RuleOf(tile);
  ForScores(rule, tile, panel, scores, [&](int64_t q, int64_t k, int64_t count, const float* row) {
    CopySeen(rule, tile, q, k, count, row, kNegInf, out + q * stride + k);
  });
}

void ExpOfScores(const float* scores, int64_t count, float minus, float* out) {
  const DF d;
  if (std::isnan(minus) || minus == kNegInf) {
    std::fill(out, out + count, std::isnan(minus) ? minus : 0.0f);
    return;
  }
  HWY_ALIGN float lanes[hn::MaxLanes(DF())];
  for (int64_t i = 0; i < count; i += kLanes) {
    const int64_t part = std::min(kLanes, count - i);
    std::fill(std::copy(scores + i, scores + i + part, lanes), lanes + kLanes, 0.0f);
    hn::Store(Exp(d, hn::Sub(hn::Load(d, lanes), hn::Set(d, minus))), d, lanes);
    std::copy(lanes, lanes + part, out + i);
  }
}

float ScoreDot(const float* query, const float* key, int64_t head_size) {
  const hn::CappedTag<float, 1> d;
  auto sum = hn::Zero(d);
  for (int64_t e = 0; e < head_size; ++e)
    sum = hn::MulAdd(hn::Set(d, query[e]), hn::Set(d, key[e]), sum);
  return hn::GetLane(sum);
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attn {
namespace {
HWY_EXPORT(RecomputeWeights);
HWY_EXPORT(RecomputeScores);

AlignedBuffer scratch_for(const WeightTile& tile) {
  return AlignedBuffer(static_cast<size_t>(kKeyPanel * tile.head_size + 6 * kKeyPanel) *
                       sizeof(float));
}
HWY_EXPORT(ScoreDot);
HWY_EXPORT(ExpOfScores);

// Writes `hidden` into the cells whose scores a CutEdge of the rule cuts.
void hide_cut(const WeightTile& tile, float hidden, float* cells, int64_t stride) {
  if (!tile.rule) return;
  for (const CutEdge& cut : tile.rule->cuts) {
    const int64_t k = cut.key - tile.k_begin;
    if (cut.head != tile.head || k < 0 || k >= tile.k_count) continue;
    for (int64_t q = 0; q < tile.q_count; ++q)
      if (cut.cuts(tile.head, tile.q_begin + q, cut.key)) cells[q * stride + k] = hidden;
  }
}
}  // namespace

void recompute_weights(const WeightTile& tile, float* weights, int64_t weights_stride) {
  AlignedBuffer scratch = scratch_for(tile);
  auto* panel = reinterpret_cast<float*>(scratch.data());
  HWY_DYNAMIC_DISPATCH(RecomputeWeights)
  (tile, weights, weights_stride, panel, panel + kKeyPanel * tile.head_size);
  hide_cut(tile, 0.0f, weights, weights_stride);
}

void recompute_scores(const WeightTile& tile, float* scores, int64_t scores_stride) {
  AlignedBuffer scratch = scratch_for(tile);
  auto* panel = reinterpret_cast<float*>(scratch.data());
  HWY_DYNAMIC_DISPATCH(RecomputeScores)
  (tile, scores, scores_stride, panel, panel + kKeyPanel * tile.head_size);
  hide_cut(tile, -std::numeric_limits<float>::infinity(), scores, scores_stride);
}

KeySpan WeightRule::span(int64_t query, int64_t num_keys) const {
  const int64_t end = causal ? std::clamp<int64_t>(query + 1, 0, num_keys) : num_keys;
  const int64_t window = window_of(query);
  const int64_t begin = window > 0 ? std::max<int64_t>(0, query - window + 1) : 0;
  return {std::min(begin, end), end};
}

bool WeightRule::sees(int64_t head, int64_t query, int64_t key) const {
  const KeySpan keys = span(query, std::max(query, key) + 1);
  return key >= keys.begin && key < keys.end &&
         (!blocksparse || sees_key(*blocksparse, head, query, key)) &&
         std::ranges::none_of(cuts, [&](const CutEdge& cut) { return cut.cuts(head, query, key); });
}

WeightRule weight_rule(const AttentionConfig& config) {
  WeightRule rule;
  rule.causal = config.attn_type == AttentionType::kDecoder;
  rule.cross = config.attn_type == AttentionType::kEncoderDecoder;
  rule.encoder = config.attn_type == AttentionType::kEncoder;
  rule.sliding_window = config.sliding_window.value_or(0);
  rule.soft_cap = config.logits_soft_cap.value_or(0.0f);
  if (config.alibi_slopes) rule.alibi_slopes = *config.alibi_slopes;
  rule.relative_bias = config.relative_bias;
  if (config.sinks) rule.sinks = *config.sinks;
  rule.blocksparse = config.blocksparse;
  return rule;
}

void exp_of_scores(const float* scores, int64_t count, float minus, float* out) {
  HWY_DYNAMIC_DISPATCH(ExpOfScores)(scores, count, minus, out);
}

float score_dot(const float* query, const float* key, int64_t head_size) {
  return HWY_DYNAMIC_DISPATCH(ScoreDot)(query, key, head_size);
}

}  // namespace attn
#endif  // HWY_ONCE
