// SPDX-License-Identifier: GPL-3.0-or-later
// The cache layout of vLLM's paged attention and the base of its backends, torch_sdpa and xformers:
// one tensor [2, num_blocks, block_size * Hkv * D], keys seen as [num_blocks, Hkv, D/x, block_size,
// x] with x = 16 / sizeof(element), values as [num_blocks, Hkv, D, block_size]. Any thread.
#pragma once

#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "engine/attention/backend.h"
#include "engine/kernels/cache/cache_ops.h"
#include "engine/kernels/paged_backend.h"
#include "engine/kernels/paged_impl.h"

namespace attn {

inline constexpr int64_t kPagedHeadSizes[] = {32, 64, 80, 96, 112, 120, 128, 192, 256};

inline Shape paged_cache_shape(int64_t num_blocks, int64_t block_size, int64_t num_kv_heads,
                               int64_t head_size) {
  return {2, num_blocks, block_size * num_kv_heads * head_size};
}

// Why the head size of `config` (padded, if it asks for padding) does not fit this layout; empty:
// it fits.
std::string paged_head_size_reason(const AttentionBackend& backend, const AttentionConfig& config);

inline CacheLayout paged_cache_layout(const KvCacheView& cache) {
  const auto x = static_cast<int64_t>(16 / size_of(cache.storage->dtype()));
  CacheLayout layout;
  layout.keys.base = cache.storage->raw();
  layout.keys.dtype = cache.storage->dtype();
  layout.keys.block_size = cache.block_size;
  layout.keys.block_stride = cache.block_size * cache.num_kv_heads * cache.head_size;
  layout.keys.head_stride = cache.head_size * cache.block_size;
  layout.keys.token_stride = x;
  layout.keys.chunk = x;
  layout.keys.chunk_stride = cache.block_size * x;
  layout.values = layout.keys;
  layout.values.base =
      static_cast<const std::byte*>(cache.storage->raw()) + cache.storage->bytes() / 2;
  layout.values.token_stride = 1;
  layout.values.chunk = 1;
  layout.values.chunk_stride = cache.block_size;
  return layout;
}

class PagedLayoutBackend : public PagedBackend {
 public:
  std::vector<int64_t> supported_head_sizes() const final {
    return {std::begin(kPagedHeadSizes), std::end(kPagedHeadSizes)};
  }
  std::unique_ptr<AttentionState> make_state() const final {
    return std::make_unique<PagedState>();
  }
  Shape kv_cache_shape(int64_t num_blocks, int64_t block_size, int64_t num_kv_heads,
                       int64_t head_size) const final {
    return paged_cache_shape(num_blocks, block_size, num_kv_heads, head_size);
  }

 protected:
  CacheLayout cache_layout(const KvCacheView& cache) const final {
    return paged_cache_layout(cache);
  }
};

}  // namespace attn
