// SPDX-License-Identifier: GPL-3.0-or-later
// Decode by unified, torch_sdpa and xformers. Queries are bf16 if the cache has 8 bits.
#include "bench/kernels/attention_calls.h"

namespace attn::bench {
namespace {

void add_decode(Call call, DType dtype, const std::string& cache = "auto") {
  call.dtype = dtype;
  call.cache_dtype = cache;
  add_attention(call);
}

void add_decode(Call call, const std::string& backend, const std::string& path = "") {
  call.backend = backend;
  call.path = path;
  if (path == "fast") call.options["exactness"] = "fast";
  add_attention(call);
}

void register_decode_backends(int threads) {
  for (const DType dtype : {DType::kF32, DType::kBF16}) {
    const DecodeShapes shapes(dtype, threads);
    for (const char* backend : {"torch_sdpa", "xformers"}) {
      add_decode(shapes.short_context, backend, "v1");
      add_decode(shapes.long_context, backend, "v2");
      add_decode(shapes.groups, backend, "v2");
    }
    add_decode(shapes.short_context, "unified");
  }
  for (const char* cache : {"fp8_e4m3", "fp8_e5m2"}) {
    Call call = decode(4096, 8, 8, 8, threads);
    call.dtype = DType::kBF16;
    call.cache_dtype = cache;
    add_decode(call, "xformers", "v2");
  }
}

void register_block_sizes(int threads) {
  for (const DType dtype : {DType::kF32, DType::kBF16})
    for (const int64_t block_size : {8, 32, 64, 128, 256}) {
      Call call = decode(4096, 8, 8, 8, threads);
      call.block_size = block_size;
      add_decode(call, dtype);
    }
  for (const int64_t block_size : {8, 16, 256}) {
    Call call = decode(4096, 8, 8, 8, threads);
    call.block_size = block_size;
    call.shuffled = false;
    add_attention(call);
  }
}

}  // namespace

void register_paged_decode(int threads) {
  for (const int t : thread_counts(threads)) {
    for (const DType dtype : {DType::kF32, DType::kBF16, DType::kF16}) {
      add_decode(decode(4096, 8, 8, 8, t), dtype);
      add_decode(decode(4096, 8, 32, 8, t), dtype);
      add_decode(decode(8192, 8, 8, 1, t), dtype);
    }
    for (const DType dtype : {DType::kF32, DType::kBF16}) {
      add_decode(decode(4096, 1, 8, 8, t), dtype);
      add_decode(decode(8192, 8, 32, 8, t), dtype);
    }
    for (const DType dtype : {DType::kF32, DType::kBF16})
      for (Call call : {decode(4096, 1, 8, 8, t), decode(4096, 8, 8, 8, t),
                        decode(4096, 8, 32, 8, t), decode(8192, 8, 8, 1, t)}) {
        call.dtype = dtype;
        add_decode(call, "unified", "fast");
      }
    for (const char* cache : {"fp8_e4m3", "fp8_e5m2", "int8"}) {
      add_decode(decode(4096, 8, 8, 8, t), DType::kBF16, cache);
      add_decode(decode(4096, 8, 32, 8, t), DType::kBF16, cache);
      add_decode(decode(8192, 8, 8, 1, t), DType::kBF16, cache);
    }
    Call ragged = decode(1, 1, 8, 8, t);
    ragged.shape = "ragged32x17..4097";
    ragged.query_lens.assign(32, 1);
    ragged.context_lens.clear();
    for (int64_t i = 0; i < 32; ++i) ragged.context_lens.push_back(16 + i * 1303 % 4080);
    add_attention(ragged);
    register_decode_backends(t);
    register_block_sizes(t);
  }
  // Time should grow in proportion to the context length.
  for (int64_t context = 1024; context <= 32768; context *= 2)
    for (const DType dtype : {DType::kF32, DType::kBF16})
      add_decode(decode(context, 4, 4, 4, 1), dtype);
  for (const int64_t batch : {2, 4, 16, 32})  // 1 and 8 are among the rows above
    add_decode(decode(4096, batch, 8, 8, 1), DType::kF32);
}

}  // namespace attn::bench
