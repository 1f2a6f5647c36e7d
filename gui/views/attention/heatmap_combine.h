// SPDX-License-Identifier: GPL-3.0-or-later
// The heads and the name of a Combination. CombinedWeights: computes its values for one sequence
// from the weights that AttentionRecord recomputes.
//   mean        float(sum / n). The sum is in double precision, starts at 0, and adds the n heads
//               in the order of their layers and, within a layer, of their numbers. A masked weight
//               counts as 0.
//   difference  The value that the left side shows by itself, a float, minus that of the right
//               side, so a - b is -(b - a).
// A row is available once it is available in every head that takes part. Any thread; a
// CombinedWeights is used by one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/session/record/attention_record.h"
#include "gui/models/explore/combination.h"

namespace attn::gui {

// The first part of the names of CSV columns, such as "weight_layer_2_head_0" or
// "mean_weight_layer_2_heads_0_to_5". layers: those over which kMean takes the mean, ascending.
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

// The record must outlive this object.
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
