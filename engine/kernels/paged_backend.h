// SPDX-License-Identifier: GPL-3.0-or-later
// PagedBackend: the part of a backend that follows from its cache layout and its refusals. A
// backend says where a row lies (cache_layout); copies, swaps and canonical access come from here,
// and make_impl with its checks and head padding.
#pragma once

#include "engine/attention/backend.h"
#include "engine/kernels/cache_ops.h"

namespace attn {

class PagedBackend : public AttentionBackend {
 public:
  // An impl_for the config, or for the padded one behind padding of heads (pad_heads.h).
  std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig& config) const final;

  // Blocks must be the second axis of kv_cache_shape, keys and values the first.
  void swap_blocks(const KvCacheView& src, const KvCacheView& dst,
                   std::span<const BlockPair> pairs) const override {
    copy_paired_blocks(*src.storage, src.num_blocks, *dst.storage, dst.num_blocks, pairs);
  }
  void copy_blocks(std::span<const KvCacheView> caches,
                   std::span<const BlockPair> pairs) const override {
    for (const KvCacheView& cache : caches) swap_blocks(cache, cache, pairs);
  }
  void read_keys(const KvCacheView& cache, std::span<const int64_t> slots,
                 float* keys) const override {
    read_rows(scaled_layout(cache).keys, slots, cache.num_kv_heads, cache.head_size, keys);
  }
  void read_values(const KvCacheView& cache, std::span<const int64_t> slots,
                   float* values) const override {
    read_rows(scaled_layout(cache).values, slots, cache.num_kv_heads, cache.head_size, values);
  }
  void write_rows(const KvCacheView& cache, std::span<const int64_t> slots, const float* keys,
                  const float* values) const override {
    const CacheLayout layout = scaled_layout(cache);
    attn::write_rows(layout.keys, slots, cache.num_kv_heads, cache.head_size, keys);
    attn::write_rows(layout.values, slots, cache.num_kv_heads, cache.head_size, values);
  }

 protected:
  virtual CacheLayout cache_layout(const KvCacheView& cache) const = 0;
  // The impl of a config that is valid, not refused and needs no padding.
  virtual std::unique_ptr<AttentionImpl> impl_for(const AttentionConfig& config) const = 0;

 private:
  CacheLayout scaled_layout(const KvCacheView& cache) const {
    CacheLayout layout = cache_layout(cache);
    if (cache.scales) apply_scales(layout, *cache.scales);
    return layout;
  }
};

}  // namespace attn
