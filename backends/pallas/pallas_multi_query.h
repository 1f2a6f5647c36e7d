// SPDX-License-Identifier: GPL-3.0-or-later
// Multi-query paged attention of the pallas backend: a prefill of sequences with cached tokens. All
// keys and values, the new ones too, are read through the block table. Grid (sequence, KV head, q
// block of up to 16, compute block); the pages of the next compute block are copied before the
// present one is computed. Query lengths are padded to a multiple of 16; the lengths without
// padding say where the diagonal lies: row i has position seq_len - query_len + i. Each (sequence,
// KV head, q block) is a task of the pool and uses two page buffers.
#pragma once

#include <cstdint>
#include <span>

#include "engine/core/tensor.h"
#include "engine/kernels/cache/kv_source.h"
#include "engine/kernels/workspace.h"
#include "engine/trace/probe.h"

namespace attn::backends::pallas {

struct PagedSequence {
  uint32_t request = 0;
  int64_t row_begin = 0;  // first row in `query`
  int64_t query_len = 1;  // without padding
  int64_t seq_len = 0;    // keys 0 .. seq_len - 1 exist; 0: the rows see no key
  KvSource keys, values;  // in pages of the cache; each row is contiguous
};

struct PagedArgs {
  const Tensor* query = nullptr;  // [T, H, D]
  Tensor* out = nullptr;          // [T, H, D] dtype of query
  float* lse = nullptr;           // [T, H], never null
  int64_t num_heads = 0, num_kv_heads = 0, head_size = 0;
  float scale = 1;
  int64_t block_size = 0;
  std::span<const PagedSequence> sequences;
};

// False when the gate cancelled it. Engine thread.
bool multi_query_paged(const PagedArgs& args, Workspace& workspace, const Execution& execution);

}  // namespace attn::backends::pallas
