// SPDX-License-Identifier: GPL-3.0-or-later
// Finds numbers of a tensor or matrix that are NaN or infinite. Any thread.
#pragma once

#include "engine/core/tensor.h"
#include "engine/model/weights/weight_matrix.h"

namespace attn {

// Index of the first number of an f32, f16, bf16 or f64 tensor that is NaN or infinite; -1: all are
// finite.
int64_t first_not_finite(const Tensor& tensor);
// How many numbers are NaN or infinite.
int64_t count_not_finite(const Tensor& tensor);
// The same for a matrix; the index counts its numbers, row by row.
int64_t first_not_finite(const StoredMatrix& matrix);
int64_t count_not_finite(const StoredMatrix& matrix);

}  // namespace attn
