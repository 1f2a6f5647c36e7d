// SPDX-License-Identifier: GPL-3.0-or-later
// Queries and keys of a head as points. A principal component analysis of both together (K.
// Pearson, 1901) gives the plane in which they are shown: computed in f64, always the same, with
// the share of the variance that each axis has. The largest element of an axis is positive, so the
// picture never flips. Any thread.
//
// Moving all keys by one vector c adds scale q.c to every score of a row: no weight changes, but
// the log-sum-exp grows by just that.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/session/record/attention_record.h"

namespace attn {

struct QueryKeyPlane {
  int64_t size = 0;                   // D
  std::vector<double> mean;           // [D] of all points
  std::vector<double> axes;           // [D, D] unit vectors, the one of most variance first
  std::vector<double> variance;       // [D] along each axis
  std::vector<double> queries, keys;  // [n, D] coordinates along the axes
  double share(int64_t axis) const;   // of the whole variance, in [0, 1]
  // The point that coordinates [D] stand for: mean + sum of coordinate * axis.
  std::vector<double> point(std::span<const double> coordinates) const;
};

// queries [n, D] and keys [m, D], f32. shift [D]: added to every key first; empty: none. Throws
// Error(kBadInput) where there is no point.
QueryKeyPlane query_key_plane(std::span<const float> queries, std::span<const float> keys,
                              int64_t size, std::span<const double> shift = {});
// The same for the computed rows [0, rows) of a head and their keys. Throws Error(kBadInput) for
// rows that are not computed.
QueryKeyPlane query_key_plane(const AttentionRecord& record, int64_t layer, int64_t head,
                              int64_t rows);

// A row of attention with its keys moved by `shift`, in f64: scores scale * q.(k + c), softmax over
// the keys that the row sees. For the check that nothing but the log-sum-exp changes.
struct ShiftedRow {
  std::vector<double> weights;
  double lse = 0;
};
ShiftedRow shifted_row(std::span<const float> query, std::span<const float> keys, float scale,
                       std::span<const double> shift);

}  // namespace attn
