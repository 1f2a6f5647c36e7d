// SPDX-License-Identifier: GPL-3.0-or-later
// The flash attention of the pallas backend: one prompt without cached tokens, its rows padded to a
// multiple of 16, keys and values repeated for every query head of a group. Grid (head, q block, k
// block), at most 128 x 128; the k axis runs in order with the softmax state kept between its
// steps, blocks above the diagonal are left out.
#pragma once

#include <cstdint>

#include "engine/core/tensor.h"
#include "engine/kernels/cache/kv_source.h"
#include "engine/kernels/workspace.h"
#include "engine/trace/probe.h"

namespace attn::backends::pallas {

struct FlashArgs {
  const Tensor* query = nullptr;  // [rows, H, D]
  Tensor* out = nullptr;          // [rows, H, D] dtype of query
  float* lse = nullptr;           // [rows, H], never null
  int64_t num_heads = 0, num_kv_heads = 0, head_size = 0;
  float scale = 1;
  uint32_t request = 0;
  int64_t row_begin = 0;   // first row of the prompt
  int64_t padded_len = 0;  // rows of the prompt with padding, a multiple of 16
  int64_t query_len = 0;   // rows of the prompt without padding
  KvSource keys, values;   // token 0 is the first one of the prompt
};

// False when the gate cancelled it. Engine thread.
bool flash(const FlashArgs& args, Workspace& workspace, const Execution& execution);

}  // namespace attn::backends::pallas
