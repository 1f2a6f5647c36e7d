// SPDX-License-Identifier: GPL-3.0-or-later
// Combination: which values the heatmap shows of one sequence: the weights of one head, a mean over
// heads, or a difference. CombinedWeights computes them from the weights that AttentionRecord
// recomputes.
//   mean        float(sum / n): the sum in double precision, from 0, over heads in the order of
//               their layer and, within it, of their number; a masked weight counts as 0
//   difference  float - float of what the two sides show by themselves, so a - b is -(b - a)
// A row is available once it is available in every head that takes part. Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/session/record/attention_record.h"

namespace attn::gui {

struct HeadId {
  int64_t layer = 0, head = 0;
  auto operator<=>(const HeadId&) const = default;
};

enum class Combine : uint8_t {
  kHead,  // the head itself
  kLayerMean,
  kMean,            // mean over all layers that read the same keys as the head's layer
  kHeadDifference,  // the head - head `other`
  kLayerDifference  // mean of the head's layer - mean of the layer of `other`
};
inline constexpr Combine kCombines[] = {Combine::kHead, Combine::kLayerMean, Combine::kMean,
                                        Combine::kHeadDifference, Combine::kLayerDifference};

struct Combination {
  Combine kind = Combine::kHead;
  HeadId other;  // what a difference subtracts; kLayerDifference uses its layer only
  auto operator<=>(const Combination&) const = default;

  bool is_difference() const {
    return kind == Combine::kHeadDifference || kind == Combine::kLayerDifference;
  }
  bool uses_head() const { return kind == Combine::kHead || kind == Combine::kHeadDifference; }
  bool uses_layer() const { return kind != Combine::kMean; }
};

// The notation of the command line: "head", "layer-mean", "mean", "minus:L,H", "minus-layer:L".
std::optional<Combination> combination_from_word(std::string_view word);
// The name of a CSV column, such as "weight_layer_2_head_0" or "mean_weight_layer_2_heads_0_to_5".
// layers: those over which kMean is taken, ascending.
std::string column_name(const Combination& combination, const HeadId& head,
                        std::span<const int64_t> layers, int64_t num_heads);

// The heads on both sides of a combination; each side is the mean of its heads, added in this
// order. right: empty if nothing is subtracted.
struct CombinedHeads {
  std::vector<HeadId> left, right;
  size_t count() const { return left.size() + right.size(); }
};
CombinedHeads heads_of(const Combination& combination, const HeadId& head,
                       std::span<const int64_t> layers, int64_t num_heads);

// The record must outlive this object. One thread at a time.
class CombinedWeights {
 public:
  CombinedWeights(const AttentionRecord& record, CombinedHeads heads);

  size_t num_heads() const { return heads_.count(); }
  bool row_done(int64_t query) const;
  // out: [q_count, k_count]. Rows that are not done have unspecified values.
  void weights(int64_t q_begin, int64_t q_count, int64_t k_begin, int64_t k_count, float* out);

 private:
  void mean(std::span<const HeadId> heads, int64_t q_begin, int64_t q_count, int64_t k_begin,
            int64_t k_count, float* out);

  const AttentionRecord& record_;
  CombinedHeads heads_;
  std::vector<float> one_, other_;
  std::vector<double> sum_;
};

}  // namespace attn::gui
