// SPDX-License-Identifier: GPL-3.0-or-later
// Memory-efficient attention over a packed batch in one call, as xFormers calls it: all queries in
// one axis, all keys in another, and a block-diagonal mask that says which keys a query sees. M.
// Rabe and C. Staats, "Self-attention Does Not Need O(n^2) Memory", 2021; B. Lefaudeux et al.,
// xFormers, 2022. Keys are cut in tiles of kKvTile. With ALiBi the bias is a tensor in the type of
// the query.
#pragma once

#include <cstdint>
#include <span>

#include "engine/attention/attention_bias.h"
#include "engine/core/tensor.h"
#include "engine/kernels/cache/kv_source.h"
#include "engine/kernels/prefill/flash_prefill.h"
#include "engine/kernels/workspace.h"
#include "engine/trace/probe.h"

namespace attn::backends::xformers {

inline constexpr int64_t kBlockQueries = 64;  // most query rows of a tile

struct MemoryEfficientArgs {
  const Tensor* query = nullptr;  // [T, H, D]
  Tensor* out = nullptr;          // [T, H, D] dtype of query
  float* lse = nullptr;           // [T, H], never null
  int64_t num_heads = 0, num_kv_heads = 0, head_size = 0;
  float scale = 1;
  KvSource keys, values;  // dense rows; token t is column t of the mask
  // Row i of the mask belongs to row row_begin + i of query.
  const BlockDiagonalRule* mask = nullptr;
  int64_t row_begin = 0;
  // For the trace, per sequence of the mask: its request and the position of its first row.
  std::span<const uint32_t> requests;
  std::span<const int32_t> positions;
  // Tensor bias [H, L, columns >= L] of f32, bf16 or f16, added to the scores of the only sequence
  // of the mask, which has L tokens; null: none. Columns from L on are padding.
  const Tensor* tensor_bias = nullptr;
};

// Computes one call. False when the gate cancelled it. Engine thread.
bool memory_efficient_prefill(const MemoryEfficientArgs& args, Workspace& workspace,
                              const Execution& execution);

}  // namespace attn::backends::xformers
