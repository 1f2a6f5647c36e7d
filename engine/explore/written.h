// SPDX-License-Identifier: GPL-3.0-or-later
// What a head writes into the residual stream for a key (G. Kobayashi and others, 2020): the vector
//   weight * f(v),  f(v) = W_O v
// Its length can be small where the weight is large. Lengths are those before a norm after
// attention and before the residual scale. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/model/network.h"
#include "engine/session/intervene/intervention.h"
#include "engine/session/record/attention_record.h"
#include "engine/session/record/residual_record.h"

namespace attn {

enum class Written {
  kWeight,             // the weight alone
  kWeightTimesValue,   // weight * |v|
  kWeightTimesOutput,  // weight * |W_O v|
};

// The lengths of one head's values v, or of W_O v. W_O' W_O is computed once.
class HeadLengths {
 public:
  // network: null: lengths of the values v; otherwise of W_O v.
  HeadLengths(const Network* network, int64_t layer, int64_t head);
  // The lengths for keys [first, first + count). Throws Error(kBadInput) unless the record has all
  // their values.
  std::vector<double> of(const AttentionRecord& record, int64_t first, int64_t count) const;

 private:
  int64_t layer_, head_;
  std::vector<double> gram_;  // [D, D] W_O' W_O; empty: lengths of v
};

// Why the network does not allow `what`; empty: it does. network: of the model; null: none.
std::string written_refusal(const Network* network, int64_t layer, Written what);

// Euclidean lengths of the values v of keys [first, first + count), or of W_O v, for a query head.
// Throws Error(kBadInput) unless the record has all these values.
std::vector<double> value_lengths(const AttentionRecord& record, int64_t layer, int64_t head,
                                  int64_t first, int64_t count);
std::vector<double> output_lengths(const Network& network, const AttentionRecord& record,
                                   int64_t layer, int64_t head, int64_t first, int64_t count);

// A tile [q_count, k_count] f32, row-major. As in AttentionRecord::weights(), masked cells are 0
// and cells of rows that are not computed are NaN. Throws as value_lengths() does, unless kWeight.
std::vector<float> written(const Network& network, const AttentionRecord& record, int64_t layer,
                           int64_t head, Written what, int64_t q_begin, int64_t q_count,
                           int64_t k_begin, int64_t k_count);

// What each head adds to the residual stream of positions [first, first + count), without the bias:
// [H, count, C] f32. A norm after attention is applied with the statistics of the sum of all heads
// and the bias, then the residual scale. Throws Error(kBadInput) for rows that are not kept.
std::vector<float> head_outputs(const Network& network, const ResidualRecord& record, int64_t layer,
                                int64_t first, int64_t count);

// Two checks for one position. residue: the sum of weight * W_O v against W_O z of the kept outputs
// z. residue_of_sum: the sum over heads and the bias against what attention added to the stream.
struct WrittenCheck {
  int64_t heads = 0;   // checked heads of all layers
  double residue = 0;  // largest difference of an element
  double largest = 0;  // largest element
  int64_t layers = 0;  // the layers whose sums were compared
  double residue_of_sum = 0, largest_sum = 0;
};
// changed: the interventions of the request. The first check leaves out replaced heads, the second
// leaves out layers with a stream that is replaced after attention. nullopt: cancelled, or the
// position or its values are not kept.
std::optional<WrittenCheck> check_written(const Network& network, const AttentionRecord& record,
                                          const ResidualRecord& kept, int64_t position,
                                          std::span<const Intervention> changed,
                                          const Execution& execution);

}  // namespace attn
