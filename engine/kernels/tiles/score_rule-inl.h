// SPDX-License-Identifier: GPL-3.0-or-later
// ScoreRule: what makes a score of a dot product (scale, ALiBi, relative bias, soft cap), and which
// keys a query sees. Included once per Highway target.
#if defined(ATTN_KERNELS_SCORE_RULE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTN_KERNELS_SCORE_RULE_INL_H_
#undef ATTN_KERNELS_SCORE_RULE_INL_H_
#else
#define ATTN_KERNELS_SCORE_RULE_INL_H_
#endif

#include <algorithm>
#include <cstdint>

#include "engine/attention/types.h"
#include "engine/kernels/fault.h"
#include "engine/kernels/tiles/exp-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {

struct ScoreRule {
  float scale = 1;
  float slope = 0;  // ALiBi: + slope * (key - query)
  bool causal = true;
  int64_t sliding_window = 0;
  float soft_cap = 0;
  const BlockSparse* blocksparse = nullptr;
  int64_t head = 0;  // query head, for blocksparse
  // ALiBi: the key from which distances are counted; < 0: from the query. An origin makes all
  // scores of a row smaller by BiasShift() and, up to rounding, leaves its weights as they are.
  int64_t alibi_origin = -1;
  // Relative bias: by_distance[key - query], the distance clamped to [-before, after]; null: none.
  const float* by_distance = nullptr;
  int64_t before = 0, after = 0;
  // True if a score is the dot product times a positive scale. Masks do not matter.
  bool is_plain() const {
    if (ATTN_FAULT(kNoScale) || ATTN_FAULT(kScaleTwice)) return false;
    return slope == 0 && !by_distance && soft_cap == 0 && scale > 0;
  }
};

inline void SetRelativeBias(const RelativeBias& bias, int64_t head, ScoreRule& rule) {
  rule.by_distance =
      bias.empty() ? nullptr : bias.of_head(ATTN_FAULT(kBiasRowOfFirstHead) ? 0 : head);
  rule.before = bias.before(), rule.after = bias.after();
}

// How much smaller alibi_origin makes the scores of a row.
inline float BiasShift(const ScoreRule& rule, int64_t query) {
  return rule.alibi_origin < 0 ? 0.0f : rule.slope * static_cast<float>(rule.alibi_origin - query);
}

// The relative bias of the distances `distance`, distance + 1, ..., one per lane.
HWY_INLINE VF BiasByDistance(const ScoreRule& rule, int64_t distance) {
  const DF d;
  if (!ATTN_FAULT(kDistanceSign)) {
    const float* at = rule.by_distance + std::clamp(distance, -rule.before, rule.after);
    const int64_t last = distance + kLanes - 1;
    if (distance >= rule.after || last <= -rule.before) return hn::Set(d, *at);
    if (distance >= -rule.before && last <= rule.after) return hn::LoadU(d, at);
  }
  const int64_t sign = ATTN_FAULT(kDistanceSign) ? -1 : 1;
  HWY_ALIGN float lanes[kLanes];
  for (int64_t i = 0; i < kLanes; ++i)
    lanes[i] = rule.by_distance[std::clamp(sign * (distance + i), -rule.before, rule.after)];
  return hn::Load(d, lanes);
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#endif
