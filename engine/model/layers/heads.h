// SPDX-License-Identifier: GPL-3.0-or-later
// Splits the output of a linear layer into query, key and value of an attention call, and rotates
// queries and keys. HeadShape is the shape of its heads. split_heads(): engine thread.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/tensor.h"
#include "engine/model/layers/linear.h"
#include "engine/model/layers/rotary.h"
#include "engine/trace/probe.h"

namespace attn {

struct HeadShape {
  int64_t heads = 0, kv_heads = 0, size = 0;                       // H, Hkv, D
  int64_t width() const { return (heads + 2 * kv_heads) * size; }  // numbers of a row of qkv
};

// A rotation, and cosines and sines of the angles of the step's rows.
struct RowAngles {
  const Rotary* rotary = nullptr;  // null: queries and keys are not rotated
  const float* cosine = nullptr;   // [rows, R/2]
  const float* sine = nullptr;     // [rows, R/2]
};

// Where the outputs of a fused tensor go in a row of qkv (see split_heads()). The tensor has, for
// each KV head in turn, its queries, its key and its value.
std::vector<OutputRun> runs_by_group(const HeadShape& shape);

// A row of qkv [rows, (H + 2 Hkv) D] is all query heads, then all key heads, then all value heads.
// Fills query [rows, H, D], key and value [rows, Hkv, D], f32; queries and keys are rotated by
// `angles`. Returns false when the gate cancelled the run.
bool split_heads(const float* qkv, int64_t rows, const HeadShape& shape, const RowAngles& angles,
                 Tensor& query, Tensor& key, Tensor& value, const Execution& execution);

}  // namespace attn
