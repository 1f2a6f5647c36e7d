// SPDX-License-Identifier: GPL-3.0-or-later
// Prefill by the `math` kernel of torch_sdpa.
#include "bench/kernels/attention_calls.h"

namespace attn::bench {

void register_math_prefill(int threads) {
  for (const int t : thread_counts(threads)) {
    add_prefill(square(2048, 8, 8, 64, t), "torch_sdpa", "math");
  }
}

}  // namespace attn::bench
