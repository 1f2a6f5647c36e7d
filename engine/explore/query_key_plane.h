// SPDX-License-Identifier: GPL-3.0-or-later
// Queries and keys of a head as points, in the plane of a principal component analysis of both
// together (K. Pearson, 1901), in f64. The element of an axis with the largest magnitude is
// positive, so the picture does not flip. Any thread.
//
// Moving all keys by a vector c adds scale q.c to the scores of a row. Without soft cap and sinks
// the weights stay, and the log-sum-exp grows by scale q.c.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/session/record/attention_record.h"

namespace attn {

struct QueryKeyPlane {
  int64_t size = 0;                   // D
  std::vector<double> mean;           // [D] of all points
  std::vector<double> axes;           // [D, D] unit vectors, the one of most variance first
  std::vector<double> variance;       // [D] along each axis
  std::vector<double> queries, keys;  // [n, D] and [m, D] along the axes
  double share(int64_t axis) const;   // of the variance, in [0, 1]
  // mean + sum of coordinate * axis, for coordinates [D].
  std::vector<double> point(std::span<const double> coordinates) const;
};

// queries [n, D] and keys [m, D], f32. shift [D]: added to the keys first; empty: none. Throws
// Error(kBadInput) if there is no point.
QueryKeyPlane query_key_plane(std::span<const float> queries, std::span<const float> keys,
                              int64_t size, std::span<const double> shift = {});
// The plane of the computed rows [0, rows) of a head and their keys. Throws Error(kBadInput) for
// rows that are not computed.
QueryKeyPlane query_key_plane(const AttentionRecord& record, int64_t layer, int64_t head,
                              int64_t rows);

struct HeadPoints {
  int64_t size = 0;                  // D
  int64_t first = 0;                 // position of the first query
  std::vector<float> queries, keys;  // [rows, D] from `first` on; [keys, D] from 0 on
  int64_t rows() const { return size ? static_cast<int64_t>(queries.size()) / size : 0; }
  int64_t num_keys() const { return size ? static_cast<int64_t>(keys.size()) / size : 0; }
};
// The queries of the last computed rows of [0, rows) without a gap between them, and their keys.
// Empty: there is no such row, or a query or key of them is not kept.
HeadPoints head_points(const AttentionRecord& record, int64_t layer, int64_t head, int64_t rows);

// The largest difference of an element between a point and its reconstruction from all axes. shift:
// as for the plane.
double reconstruction_error(const QueryKeyPlane& plane, const HeadPoints& points,
                            std::span<const double> shift = {});

// The vector [D] from the mean of the keys to the mean of the queries, times `part`.
std::vector<double> shift_to_queries(const HeadPoints& points, double part);

// Why moving the keys of a layer would change weights; empty: it would not.
std::string shift_refusal(const WeightRule& rule);

// A row of attention with its keys moved by `shift` (c), in f64: scores scale * q.(k + c) + bias,
// softmax over `keys`. bias: one number for each key; empty: none.
struct ShiftedRow {
  std::vector<double> weights;
  double lse = 0;
};
ShiftedRow shifted_row(std::span<const float> query, std::span<const float> keys, float scale,
                       std::span<const double> shift, std::span<const double> bias = {});

struct ShiftCheck {
  double weight_change = 0;  // largest change
  double lse_growth = 0;     // of the log-sum-exp
  double residue = 0;        // |lse_growth - scale * q.c|
};
ShiftCheck check_shift(const AttentionRecord& record, int64_t layer, int64_t head,
                       const HeadPoints& points, int64_t query, std::span<const double> shift);

}  // namespace attn
