// SPDX-License-Identifier: GPL-3.0-or-later
// Decode by pallas.
#include "bench/kernels/attention_calls.h"

namespace attn::bench {

void register_pallas_paged_decode(int threads) {
  for (const int t : thread_counts(threads))
    for (const DType dtype : {DType::kF32, DType::kBF16}) {
      const DecodeShapes shapes(dtype, t);
      for (Call call : {shapes.short_context, shapes.long_context, shapes.groups}) {
        call.backend = "pallas";
        add_attention(call);
      }
    }
}

}  // namespace attn::bench
