// SPDX-License-Identifier: GPL-3.0-or-later
// Prefill by the paths of every backend but reference. The limit is f32 multiply-adds, or bf16 dot
// products where the operands are bf16 and the processor is faster with dot products (their limit
// is also the counter bf16_dot_limit). Only FLOPs of unmasked pairs count.
#include <fmt/format.h>

#include "bench/attention_bench.h"

namespace attn::bench {
namespace {

constexpr int64_t kChunk = 512, kPrefix = 1536;

Call square(int64_t length, int64_t heads, int64_t kv_heads, int64_t head_size, int threads) {
  Call call;
  set_lengths(call, 1, length, 0);
  call.shape = fmt::format("S{}", length);
  call.num_heads = heads;
  call.num_kv_heads = kv_heads;
  call.head_size = head_size;
  call.threads = threads;
  call.cached = false;
  return call;
}

Call ragged(int64_t head_size, int threads) {
  Call call = square(1, 8, 8, head_size, threads);
  call.shape = "ragged32x17..577";
  call.query_lens.clear();
  for (int64_t i = 0; i < 32; ++i) call.query_lens.push_back(17 + i * 37 % 560);
  call.context_lens.assign(32, 0);
  return call;
}

// The last 512 tokens of 2,048, of which the first 1,536 are in the cache.
Call chunk(int64_t head_size, int threads) {
  Call call = square(1, 8, 8, head_size, threads);
  set_lengths(call, 1, kChunk, kPrefix);
  call.shape = fmt::format("S{}+{}", kChunk, kPrefix);
  call.cached = true;
  return call;
}

void add(Call call, const std::string& backend, const std::string& path = "") {
  call.backend = backend;
  call.path = path;
  if (path == "math") call.options["sdpa_kernel"] = "math";
  if (path == "fast") call.options["exactness"] = "fast";
  call.chunked_prefill = path == "chunked";
  add_attention(call);
}

void add(Call call, DType dtype) {
  call.dtype = dtype;
  add_attention(call);
}

// ALiBi and a window: in a later layer of a step, and in the first, which builds the masks.
void register_masks(int threads) {
  for (const char* backend : {"torch_sdpa", "xformers", "unified"})
    for (const bool alibi : {true, false})
      for (const bool builds : {false, true}) {
        Call call = square(2048, 8, 8, 64, threads);
        call.alibi = alibi;
        call.window = alibi ? 0 : 256;
        call.builds_masks = builds;
        const bool has_tensor =
            std::string(backend) == "torch_sdpa" || (alibi && std::string(backend) == "xformers");
        if (builds && !has_tensor) continue;
        add(call, backend, builds ? "first_layer" : "");
      }
}

void register_backends(int threads) {
  register_masks(threads);
  for (const int64_t head_size : {128, 64})
    add(square(2048, 8, 8, head_size, threads), "torch_sdpa");
  add(square(2048, 8, 2, 128, threads), "torch_sdpa");
  add(square(2048, 8, 8, 64, threads), "torch_sdpa", "math");
  add(chunk(128, threads), "torch_sdpa", "chunked");
  add(square(2048, 8, 8, 128, threads), "xformers");
  add(square(2048, 8, 2, 128, threads), "xformers");
  add(ragged(64, threads), "xformers", "packed");
  add(chunk(128, threads), "xformers", "prefix");
  add(square(2048, 8, 8, 128, threads), "pallas", "flash");
  add(square(2048, 8, 2, 128, threads), "pallas", "flash");
  add(chunk(128, threads), "pallas", "multi_query");
  for (const char* backend : {"torch_sdpa", "xformers", "pallas"}) {
    Call call = square(2048, 8, 8, 128, threads);
    call.dtype = DType::kBF16;
    add(call, backend, std::string(backend) == "pallas" ? "flash" : "");
  }
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
    for (const DType dtype : {DType::kBF16, DType::kF16}) add(square(2048, 8, 8, 128, t), dtype);
    for (const int64_t head_size : {128, 64}) {
      Call bf16 = square(2048, 8, 8, head_size, t);
      bf16.dtype = DType::kBF16;
      if (head_size == 64) add(bf16, "unified");
      add(bf16, "unified", "fast");
    }
    register_backends(t);
  }
  // Rows for the growth of work: time / S^2 should stay the same.
  for (int64_t length = 1024; length <= 32768; length *= 2)
    add_attention(square(length, 1, 1, 128, 1));
}

}  // namespace attn::bench
