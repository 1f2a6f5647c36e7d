// SPDX-License-Identifier: GPL-3.0-or-later
// Finds and counts the numbers of a tensor or matrix that are NaN or infinite. Any thread.
#pragma once

#include "engine/core/tensor.h"
#include "engine/model/weights/weight_type.h"

namespace attn {

// Index of the first number of an f32, f16, bf16 or f64 tensor that is NaN or infinite; -1: there
// is none, or the tensor has another type.
int64_t first_not_finite(const Tensor& tensor);
// How many numbers of the tensor are NaN or infinite; 0 for another type.
int64_t count_not_finite(const Tensor& tensor);
// The same two for `count` numbers at `from` of a matrix of this type, if quantised: whole blocks.
int64_t first_not_finite(WeightType type, const std::byte* from, int64_t count);
int64_t count_not_finite(WeightType type, const std::byte* from, int64_t count);

}  // namespace attn
