// SPDX-License-Identifier: GPL-3.0-or-later
// Context attention: the prefills of a batch in which a sequence already has cached tokens (a
// prefix found in the cache, or an earlier chunk of its prompt). A task per (sequence, head, 128
// rows or fewer). It goes first over the context, read through the block table, then over the new
// tokens, read from the call's own keys and values. ALiBi and a sliding window are allowed in both.
// After the context attention kernel of vLLM (prefix_prefill.py) and LightLLM's.
//
// Keys are cut in tiles of kKvTile from position 0. The tile at the end of the context may hold
// both kinds of keys; it belongs to the second pass.
#pragma once

#include <cstdint>
#include <span>

#include "engine/core/tensor.h"
#include "engine/kernels/cache/kv_source.h"
#include "engine/kernels/workspace.h"
#include "engine/trace/probe.h"

namespace attn::backends::xformers {

inline constexpr int64_t kPrefixQueries = 128;  // most query rows of a task

struct PrefixSequence {
  uint32_t request = 0;
  int64_t row_begin = 0;  // first row in the flat batch
  int64_t query_len = 0;
  int64_t context_len = 0;                // tokens in the cache before this step
  KvSource context_keys, context_values;  // paged; token 0 has position 0
  KvSource new_keys, new_values;          // dense; token 0 has position context_len
};

struct PrefixArgs {
  const Tensor* query = nullptr;  // [T, H, D]
  Tensor* out = nullptr;          // [T, H, D] dtype of query
  float* lse = nullptr;           // [T, H], never null
  int64_t num_heads = 0, num_kv_heads = 0, head_size = 0;
  float scale = 1;
  int64_t sliding_window = 0;           // 0: none
  const float* alibi_slopes = nullptr;  // [H] or null
  std::span<const PrefixSequence> sequences;
};

// False when the gate cancelled it. Engine thread.
bool prefix_prefill(const PrefixArgs& args, Workspace& workspace, const Execution& execution);

}  // namespace attn::backends::xformers
