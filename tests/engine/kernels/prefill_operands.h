// SPDX-License-Identifier: GPL-3.0-or-later
// A prompt of random operands, for tests that call a prefill kernel directly.
#pragma once

#include <vector>

#include "engine/kernels/prefill/flash_prefill.h"
#include "tests/engine/kernels/kernel_operands.h"

namespace attn::testing {

struct Prefill {
  Prefill(int64_t length, int64_t heads, int64_t kv_heads, int64_t head_size)
      : operands(length, length, heads, kv_heads, head_size) {
    PrefillSequence sequence;
    sequence.request = 3;
    sequence.query_len = sequence.kv_len = length;
    sequence.keys = operands.key_source();
    sequence.values = operands.value_source();
    sequences.push_back(sequence);
    args.query = &operands.query;
    args.out = &operands.out;
    args.lse = operands.lse.data<float>();
    args.num_heads = heads;
    args.num_kv_heads = kv_heads;
    args.head_size = head_size;
    args.scale = operands.scale();
    args.sequences = sequences;
  }
  KernelOperands operands;
  std::vector<PrefillSequence> sequences;
  PrefillArgs args;
  Workspace workspace;
};

}  // namespace attn::testing
