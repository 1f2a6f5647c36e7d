// SPDX-License-Identifier: GPL-3.0-or-later
// PagedBackend: base of the backends that describe their cache by a CacheLayout. It copies and
// swaps blocks, reads and writes rows, plans calls and masks for views, and makes the impl with its
// checks and head padding.
#pragma once

#include "engine/attention/backend.h"
#include "engine/kernels/cache/cache_map.h"
#include "engine/kernels/cache/cache_ops.h"
#include "engine/kernels/planned_calls.h"
#include "engine/kernels/planned_masks.h"

namespace attn {

class PagedBackend : public AttentionBackend {
 public:
  // Returns impl_for(config) or, if the head size is padded, impl_for() of the padded config
  // wrapped by pad_heads(). Throws Error(kBadInput) if the config or a backend option is invalid,
  // Error::not_supported with the reasons if the config is refused.
  std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig& config) const final;

  // swap_blocks() and copy_blocks() are for caches whose first axis is (keys, values) and whose
  // second axis is the block; a backend with another cache overrides both.
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

  // Where the numbers of a cache of this size lie. Allocates the tensor of one layer for the time
  // of the call.
  CacheMap cache_map(int64_t num_blocks, int64_t block_size, int64_t num_kv_heads,
                     int64_t head_size, DType dtype) const;
  // The attention kernel calls of a batch. Default: only the decodes, by paged attention v1 or v2.
  // `config` as for impl_for(). batch_not_supported_reasons() must be empty for `batch`.
  virtual std::vector<PlannedCall> planned_calls(const AttentionConfig& config,
                                                 const AttentionMetadata& batch,
                                                 const PlanInputs& inputs) const {
    return paged_decode_calls(config, batch, inputs);
  }
  // The masks of the prefills of a batch in one layer. Default: one rule for all of them, which the
  // kernel applies itself. Arguments as for planned_calls().
  virtual std::vector<PlannedMask> planned_masks(const AttentionConfig& config,
                                                 const AttentionMetadata& batch,
                                                 const PlanInputs& inputs) const;

 protected:
  virtual CacheLayout cache_layout(const KvCacheView& cache) const = 0;
  // Makes the impl of a config that is valid, not refused and needs no padding.
  virtual std::unique_ptr<AttentionImpl> impl_for(const AttentionConfig& config) const = 0;

 private:
  CacheLayout scaled_layout(const KvCacheView& cache) const {
    CacheLayout layout = cache_layout(cache);
    if (cache.scales) apply_scales(layout, *cache.scales);
    return layout;
  }
};

}  // namespace attn
