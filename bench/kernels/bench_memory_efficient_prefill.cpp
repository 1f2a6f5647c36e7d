// SPDX-License-Identifier: GPL-3.0-or-later
// Prefill by xformers without cached tokens.
#include "bench/kernels/attention_calls.h"

namespace attn::bench {

void register_memory_efficient_prefill(int threads) {
  for (const int t : thread_counts(threads)) {
    for (const bool alibi : {true, false}) add_prefill(masked(alibi, t), "xformers");
    add_prefill(masked_first(true, t), "xformers", "first_layer");  // a window's mask is no tensor
    add_prefill(square(2048, 8, 8, 128, t), "xformers");
    add_prefill(square(2048, 8, 2, 128, t), "xformers");
    add_prefill(ragged(64, t), "xformers", "packed");
    add_prefill(with_dtype(square(2048, 8, 8, 128, t), DType::kBF16), "xformers");
  }
}

}  // namespace attn::bench
