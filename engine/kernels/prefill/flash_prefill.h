// SPDX-License-Identifier: GPL-3.0-or-later
// Flash attention for prefill: query tiles x KV tiles with online softmax.
//   s = score,  m = running max,  d = running sum of exp(s - m),
//   o = unnormalised output,  out = o / d,  lse = m + ln d
// T. Dao et al., "FlashAttention", 2022; M. Milakov and N. Gimelshein, "Online normalizer
// calculation for softmax", 2018.
//
// KV tiles start at multiples of kKvTile from position 0 and merge in order (tile_math-inl.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/attention/types.h"
#include "engine/core/tensor.h"
#include "engine/kernels/cache/kv_source.h"
#include "engine/kernels/tiles/bf16_unit.h"
#include "engine/kernels/workspace.h"
#include "engine/trace/probe.h"

namespace attn {

inline constexpr int64_t kQueryTile = 192;  // most query rows of a tile: 32 register tiles of 6
inline constexpr int64_t kKvTile = 256;     // keys of a tile
inline constexpr int64_t kKeyPanel = 64;    // keys of a packed panel
inline constexpr int64_t kValueStrip = 64;  // most columns of a packed strip of values

// A dense mask of one sequence, [H or 1, query_len, columns >= kv_len] of f32, bf16 or f16, added
// to the scores; -inf masks a key. Strides in elements.
struct DenseMaskRows {
  const std::byte* first = nullptr;  // null: none
  DType dtype = DType::kF32;
  int64_t head_stride = 0;  // 0: all heads share the mask
  int64_t row_stride = 0;
  // Whether every element is 0 or -inf. The mask may then be added before the scale.
  bool only_hides = false;
};

struct PrefillSequence {
  uint32_t request = 0;
  int64_t row_begin = 0;  // first row in the flat batch
  int64_t query_len = 0;
  int64_t context_len = 0;  // position of the first query row
  int64_t kv_len = 0;       // keys 0 .. kv_len - 1 exist
  KvSource keys, values;    // token 0 has position 0
  // Dense bias added to the scaled and capped scores, f32 [H or 1, query_len, kv_len], strides in
  // floats; -inf masks a key. null: none.
  const float* bias = nullptr;
  int64_t bias_head_stride = 0;  // 0: all heads share the bias
  int64_t bias_row_stride = 0;
  // With a mask, PrefillArgs has causal = false, no window and no slopes.
  DenseMaskRows mask;
};

struct PrefillArgs {
  const Tensor* query = nullptr;  // [T, H, D] f32, bf16 or f16
  Tensor* out = nullptr;          // [T, H, D] dtype of query
  float* lse = nullptr;           // [T, H] f32, never null
  int64_t num_heads = 0, num_kv_heads = 0, head_size = 0;
  float scale = 1;
  bool causal = true;                   // key position <= query position
  int64_t sliding_window = 0;           // 0: none; key > query - window
  const float* alibi_slopes = nullptr;  // [H] or null
  const RelativeBias* relative_bias = nullptr;
  float soft_cap = 0;            // 0: none
  const float* sinks = nullptr;  // [H] or null
  const BlockSparse* blocksparse = nullptr;
  // The unit that multiplies bf16 queries by keys; has_bf16_unit() must be true for it.
  Bf16Unit bf16_unit = Bf16Unit::kNone;
  // true: weights are rounded to bf16 before they multiply the values; the sum of a row adds the
  // weights before rounding. Needs bf16 queries, keys and values, and a contiguous row of values
  // per token. flash_prefill() only.
  bool bf16_weights = false;
  std::span<const PrefillSequence> sequences;
  KernelId kernel = KernelId::kFlashPrefill;  // the kernel that tile events name
};

// Computes the prefills of `args`. Returns false if the gate cancelled it. Engine thread.
bool flash_prefill(const PrefillArgs& args, Workspace& workspace, const Execution& execution);

}  // namespace attn
