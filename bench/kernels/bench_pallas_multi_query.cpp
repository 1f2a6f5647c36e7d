// SPDX-License-Identifier: GPL-3.0-or-later
// Prefill by pallas after cached tokens.
#include "bench/kernels/attention_calls.h"

namespace attn::bench {

void register_pallas_multi_query(int threads) {
  for (const int t : thread_counts(threads)) {
    add_prefill(chunk(128, t), "pallas", "multi_query");
  }
}

}  // namespace attn::bench
