// SPDX-License-Identifier: GPL-3.0-or-later
// A tile of attention weights from kept operands: w[q][k] = exp(scale * q.k - lse[q]) for k <= q
// (causal), else 0. The dot products come from the micro-kernel the backends use, one fixed order
// of additions per (q, k): the bits of a cell do not depend on the tile it is computed in. Any
// thread; no allocation beyond a packed panel.
#pragma once

#include <cstdint>

namespace attn {

struct WeightTile {
  const float* query = nullptr;  // [q_count, head_size], row stride query_stride
  int64_t query_stride = 0;
  const float* key = nullptr;  // [k_count, head_size], row stride key_stride
  int64_t key_stride = 0;
  const float* lse = nullptr;  // [q_count], stride lse_stride; NaN rows give NaN, -inf rows give 0
  int64_t lse_stride = 1;
  int64_t q_begin = 0, q_count = 0;  // absolute positions
  int64_t k_begin = 0, k_count = 0;
  int64_t head_size = 0;
  float scale = 1;
  bool causal = true;
};

// weights [q_count, k_count], row stride weights_stride, f32.
void recompute_weights(const WeightTile& tile, float* weights, int64_t weights_stride);
// q.k exactly as in the kernels.
float score_dot(const float* query, const float* key, int64_t head_size);

}  // namespace attn
