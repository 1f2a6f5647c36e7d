// SPDX-License-Identifier: GPL-3.0-or-later
// What is written, beside what is read (G. Kobayashi and others, 2020). A weight says how much a
// head reads of a key. For this key the head writes the vector
//   weight * f(v),  f(v) = W_O v,
// into the residual stream. Its length can be small where the weight is large: a sink. The length
// of f(v) is computed once for each key, not for each pair of a query and a key. Where a norm
// follows attention, the lengths are those before this norm. Engine thread.
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

// The lengths of one head's values. What they need of W_O is computed once.
class HeadLengths {
 public:
  // network: null for the lengths of the values v themselves; otherwise the lengths of W_O v.
  HeadLengths(const Network* network, int64_t layer, int64_t head);
  // The lengths for keys [first, first + count). Throws Error(kBadInput) where the record has no
  // values.
  std::vector<double> of(const AttentionRecord& record, int64_t first, int64_t count) const;

 private:
  int64_t layer_, head_;
  std::vector<double> gram_;  // [D, D] W_O' W_O; empty: lengths of v
};

// Why what a head writes cannot be told, as a sentence; empty: it can. network: of the model, null
// where there is none. Weight and weight * |v| need no network.
std::string written_refusal(const Network* network, int64_t layer, Written what);

// Euclidean lengths of the values of keys [first, first + count), or of what W_O makes of them, for
// a query head. Throws Error(kBadInput) where the record has no values.
std::vector<double> value_lengths(const AttentionRecord& record, int64_t layer, int64_t head,
                                  int64_t first, int64_t count);
std::vector<double> output_lengths(const Network& network, const AttentionRecord& record,
                                   int64_t layer, int64_t head, int64_t first, int64_t count);

// A tile [q_count, k_count] f32 row-major. As in AttentionRecord::weights(), masked cells are 0 and
// cells of rows that are not computed are NaN. Throws as value_lengths().
std::vector<float> written(const Network& network, const AttentionRecord& record, int64_t layer,
                           int64_t head, Written what, int64_t q_begin, int64_t q_count,
                           int64_t k_begin, int64_t k_count);

// What each head adds to the residual stream of positions [first, first + count) through its part
// of W_O, without the bias: [H, count, C] f32, summed in f64. With a norm after attention: what the
// head adds through this norm, with the statistics of the sum of all heads; with a residual scale:
// multiplied by the scale. The sum over heads and the bias is what attention adds. Throws
// Error(kBadInput) for rows that are not kept.
std::vector<float> head_outputs(const Network& network, const ResidualRecord& record, int64_t layer,
                                int64_t first, int64_t count);

// Two identities of what is written, for one position. The first compares weights, values and W_O
// with the outputs z of the heads that the record has kept: sum of weight * W_O v = W_O z, for all
// layers and heads. The second compares these outputs with the stream: the sum over the heads and
// the bias of W_O is what the attention of the layer has added.
struct WrittenCheck {
  int64_t heads = 0;   // that were compared, counted in each layer
  double residue = 0;  // the largest difference of an element
  double largest = 0;  // the largest element of W_O z
  int64_t layers = 0;  // whose sums were compared
  double residue_of_sum = 0, largest_sum = 0;
};
// changed: the interventions of the request. Heads whose output is replaced are left out of the
// first identity, layers with a stream that is replaced after their attention out of the second,
// and layers without W_O out of both. nullopt: cancelled, or the position or its values are not
// kept.
std::optional<WrittenCheck> check_written(const Network& network, const AttentionRecord& record,
                                          const ResidualRecord& kept, int64_t position,
                                          std::span<const Intervention> changed,
                                          const Execution& execution);

}  // namespace attn
