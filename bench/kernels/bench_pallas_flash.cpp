// SPDX-License-Identifier: GPL-3.0-or-later
// Prefill by pallas without cached tokens.
#include "bench/kernels/attention_calls.h"

namespace attn::bench {

void register_pallas_flash(int threads) {
  for (const int t : thread_counts(threads)) {
    add_prefill(square(2048, 8, 8, 128, t), "pallas", "flash");
    add_prefill(square(2048, 8, 2, 128, t), "pallas", "flash");
    add_prefill(with_dtype(square(2048, 8, 8, 128, t), DType::kBF16), "pallas", "flash");
  }
}

}  // namespace attn::bench
