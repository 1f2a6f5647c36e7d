// SPDX-License-Identifier: GPL-3.0-or-later
// Paged attention for decode: one query token per sequence against the keys and values in the
// blocks of its table. After W. Kwon et al., "PagedAttention", 2023.
//   v1: one pass per (sequence, head).
//   v2: one pass per (sequence, head, partition of 512 tokens), then a reduction of the partials.
//   grouped: one pass per (sequence, KV head) for up to 16 of its query heads. With several
//   workers long sequences are cut, and the partials are merged.
// All compute KV tile by KV tile and merge the tiles in order, so the bits do not depend on the
// batch, the block size or the placement of the blocks. DecodeArgs::one_partial_per_task gives this
// up.
#pragma once

#include <cstdint>
#include <span>

#include "engine/attention/types.h"
#include "engine/core/tensor.h"
#include "engine/kernels/cache/kv_source.h"
#include "engine/kernels/prefill/flash_prefill.h"
#include "engine/kernels/tiles/bf16_unit.h"
#include "engine/kernels/workspace.h"
#include "engine/trace/probe.h"

namespace attn {

inline constexpr int64_t kPartition = 512;      // tokens of a partition, a multiple of kKvTile
inline constexpr int64_t kMaxDecodeHeads = 16;  // query heads that one pass over the keys can serve

struct DecodeSequence {
  uint32_t request = 0;
  int64_t row = 0;      // row of query, out and lse in DecodeArgs
  int64_t seq_len = 0;  // keys in the cache; 0 in a padding row
  KvSource keys, values;
  // Position of the query in trace events; -1: that of the last token in the cache. It is set
  // in cross attention.
  int64_t position = -1;
};

struct DecodeArgs {
  const Tensor* query = nullptr;  // [T, H, D] f32, bf16 or f16
  Tensor* out = nullptr;          // [T, H, D] dtype of query
  float* lse = nullptr;           // [T, H] f32, never null
  int64_t num_heads = 0, num_kv_heads = 0, head_size = 0;
  float scale = 1;
  int64_t sliding_window = 0;           // 0: none
  const float* alibi_slopes = nullptr;  // [H] or null
  const RelativeBias* relative_bias = nullptr;
  float soft_cap = 0;            // 0: none
  const float* sinks = nullptr;  // [H] or null
  const BlockSparse* blocksparse = nullptr;
  Bf16Unit bf16_unit = Bf16Unit::kNone;  // as in PrefillArgs
  // paged_decode_grouped() only: a task merges its tiles into one partial result. The bits can
  // then depend on the batch and the number of workers.
  bool one_partial_per_task = false;
  bool bf16_weights = false;  // as in PrefillArgs; with one_partial_per_task only
  std::span<const DecodeSequence> sequences;
};

// The original's rule: v1 if and only if max_seq_len <= 8192 and (one partition or num_seqs *
// num_heads > 512).
bool use_paged_decode_v1(int64_t max_seq_len, int64_t num_seqs, int64_t num_heads);

// Computes the decodes of `args`. False when the gate cancelled it. Engine thread.
bool paged_decode_v1(const DecodeArgs& args, Workspace& workspace, const Execution& execution);
bool paged_decode_v2(const DecodeArgs& args, Workspace& workspace, const Execution& execution);
bool paged_decode_grouped(const DecodeArgs& args, Workspace& workspace, const Execution& execution);

}  // namespace attn
