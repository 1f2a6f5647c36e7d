// SPDX-License-Identifier: GPL-3.0-or-later
// Prefill by xformers after cached tokens.
#include "bench/kernels/attention_calls.h"

namespace attn::bench {

void register_prefix_prefill(int threads) {
  for (const int t : thread_counts(threads)) {
    add_prefill(chunk(128, t), "xformers", "prefix");
  }
}

}  // namespace attn::bench
