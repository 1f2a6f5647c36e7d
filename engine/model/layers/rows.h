// SPDX-License-Identifier: GPL-3.0-or-later
// What the layers of a model share: rows of f32 numbers, [T, C], row after row without gaps, and
// loops over them on the pool. Row operations use Eigen's arrays. Sums over a row are plain loops,
// because the order in which Eigen adds may depend on where the row lies in memory. for_rows():
// engine thread; the body of a loop runs on any worker.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/core/tensor.h"
#include "engine/trace/probe.h"

namespace attn {

using RowMap = Eigen::Map<Eigen::ArrayXf>;
using ConstRowMap = Eigen::Map<const Eigen::ArrayXf>;

inline RowMap row_of(float* values, int64_t width) {
  return {values, static_cast<Eigen::Index>(width)};
}
inline ConstRowMap row_of(const float* values, int64_t width) {
  return {values, static_cast<Eigen::Index>(width)};
}

// Runs fn(row) for each of `rows` rows on the pool as kernel `kernel`, at most 16 rows per task.
// `flops` and `bytes` are those of one row. Returns false when the gate cancelled the run.
template <class Fn>
bool for_rows(const Execution& execution, KernelId kernel, int64_t rows, double flops, double bytes,
              Fn&& fn) {
  constexpr int64_t kRowsPerTask = 16;
  if (rows == 0) return true;
  const int64_t tasks = (rows + kRowsPerTask - 1) / kRowsPerTask;
  const double rows_per_task = static_cast<double>(rows) / static_cast<double>(tasks);
  return traced_parallel_for(execution, kernel, tasks, rows, flops * rows_per_task,
                             bytes * rows_per_task, [&](int64_t task, int /*worker*/) {
                               const int64_t end = std::min(rows, (task + 1) * kRowsPerTask);
                               for (int64_t row = task * kRowsPerTask; row < end; ++row) fn(row);
                             });
}

// Makes room for `count` numbers, or for an f32 tensor of this shape. What was there may be lost.
inline void make_room(std::vector<float>& values, int64_t count) {
  values.resize(static_cast<size_t>(count));
}
inline void make_room(Tensor& tensor, const Shape& shape) {
  if (tensor.dtype() != DType::kF32 || tensor.shape() != shape) tensor = Tensor(DType::kF32, shape);
}

}  // namespace attn
