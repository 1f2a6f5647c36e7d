// SPDX-License-Identifier: GPL-3.0-or-later
// Prefill by unified and torch_sdpa, most of it without cached tokens.
#include "bench/kernels/attention_calls.h"

namespace attn::bench {
namespace {

void register_torch_sdpa(int threads) {
  for (const bool alibi : {true, false}) {
    add_prefill(masked(alibi, threads), "torch_sdpa");
    add_prefill(masked_first(alibi, threads), "torch_sdpa", "first_layer");
    add_prefill(masked(alibi, threads), "unified");
  }
  for (const int64_t head_size : {128, 64})
    add_prefill(square(2048, 8, 8, head_size, threads), "torch_sdpa");
  add_prefill(square(2048, 8, 2, 128, threads), "torch_sdpa");
  add_prefill(chunk(128, threads), "torch_sdpa", "chunked");
  add_prefill(with_dtype(square(2048, 8, 8, 128, threads), DType::kBF16), "torch_sdpa");
}

}  // namespace

void register_flash_prefill(int threads) {
  for (const int t : thread_counts(threads)) {
    add_attention(square(2048, 8, 8, 128, t));
    add_attention(square(8192, 2, 2, 128, t));
    add_attention(square(2048, 8, 8, 64, t));
    add_attention(square(512, 8, 8, 64, t));
    add_attention(square(2048, 8, 2, 128, t));
    add_attention(square(2048, 8, 1, 128, t));
    add_attention(ragged(64, t));
    add_attention(chunk(128, t));
    for (const DType dtype : {DType::kBF16, DType::kF16})
      add_attention(with_dtype(square(2048, 8, 8, 128, t), dtype));
    for (const int64_t head_size : {128, 64}) {
      const Call bf16 = with_dtype(square(2048, 8, 8, head_size, t), DType::kBF16);
      if (head_size == 64) add_prefill(bf16, "unified");
      add_prefill(bf16, "unified", "fast");
    }
    register_torch_sdpa(t);
  }
  // Time should grow with the square of the length.
  for (int64_t length = 1024; length <= 32768; length *= 2)
    add_attention(square(length, 1, 1, 128, 1));
}

}  // namespace attn::bench
