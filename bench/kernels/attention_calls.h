// SPDX-License-Identifier: GPL-3.0-or-later
// Attention calls that several benches measure, and functions that register rows of them.
#pragma once

#include <fmt/format.h>

#include <string>

#include "bench/attention_bench.h"

namespace attn::bench {

// --- prefills
inline Call square(int64_t length, int64_t heads, int64_t kv_heads, int64_t head_size,
                   int threads) {
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

inline Call ragged(int64_t head_size, int threads) {
  Call call = square(1, 8, 8, head_size, threads);
  call.shape = "ragged32x17..577";
  call.query_lens.clear();
  for (int64_t i = 0; i < 32; ++i) call.query_lens.push_back(17 + i * 37 % 560);
  call.context_lens.assign(32, 0);
  return call;
}

inline Call chunk(int64_t head_size, int threads) {
  constexpr int64_t kChunk = 512, kPrefix = 1536;
  Call call = square(1, 8, 8, head_size, threads);
  set_lengths(call, 1, kChunk, kPrefix);
  call.shape = fmt::format("S{}+{}", kChunk, kPrefix);
  call.cached = true;
  return call;
}

inline void add_prefill(Call call, const std::string& backend, const std::string& path = "") {
  call.backend = backend;
  call.path = path;
  if (path == "math") call.options["sdpa_kernel"] = "math";
  if (path == "fast") call.options["exactness"] = "fast";
  call.chunked_prefill = path == "chunked";
  add_attention(call);
}

inline Call with_dtype(Call call, DType dtype) {
  call.dtype = dtype;
  return call;
}

// ALiBi or a window of 256 keys. Timed runs build no masks, like the later layers of a step.
inline Call masked(bool alibi, int threads) {
  Call call = square(2048, 8, 8, 64, threads);
  call.alibi = alibi;
  call.window = alibi ? 0 : 256;
  return call;
}
// As masked(), in the first layer of a step: each run builds its masks.
inline Call masked_first(bool alibi, int threads) {
  Call call = masked(alibi, threads);
  call.builds_masks = true;
  return call;
}

// --- decodes
inline Call decode(int64_t context, int64_t batch, int64_t heads, int64_t kv_heads, int threads) {
  Call call;
  call.is_prefill = false;
  set_lengths(call, batch, 1, context - 1);
  call.shape = fmt::format("C{}/B{}", context, batch);
  call.num_heads = heads;
  call.num_kv_heads = kv_heads;
  call.threads = threads;
  return call;
}

struct DecodeShapes {
  DecodeShapes(DType dtype, int threads)
      : long_context(decode(4096, 8, 8, 8, threads)),
        groups(decode(4096, 8, 32, 8, threads)),
        short_context(decode(512, 64, 8, 8, threads)) {
    for (Call* call : {&long_context, &groups, &short_context}) call->dtype = dtype;
  }
  Call long_context, groups, short_context;
};

}  // namespace attn::bench
