// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/paged_backend.h"

#include "engine/attention/pad_heads.h"
#include "engine/core/error.h"

namespace attn {

std::unique_ptr<AttentionImpl> PagedBackend::make_impl(const AttentionConfig& config) const {
  validate(config);
  validate_options(*this, config);
  auto reasons = not_supported_reasons(config);
  if (!reasons.empty()) throw Error::not_supported(std::move(reasons));
  const int64_t head_size = cache_head_size(*this, config);
  if (head_size == config.head_size) return impl_for(config);
  return pad_heads(impl_for(padded_config(*this, config)), *this, config);
}

CacheMap PagedBackend::cache_map(int64_t num_blocks, int64_t block_size, int64_t num_kv_heads,
                                 int64_t head_size, DType dtype) const {
  CacheMap map;
  map.shape = kv_cache_shape(num_blocks, block_size, num_kv_heads, head_size);
  map.dtype = dtype;
  map.num_blocks = num_blocks;
  map.block_size = block_size;
  map.num_kv_heads = num_kv_heads;
  map.head_size = head_size;
  Tensor layer(dtype, map.shape);
  KvCacheView view;
  view.storage = &layer;
  view.num_blocks = num_blocks;
  view.block_size = block_size;
  view.num_kv_heads = num_kv_heads;
  view.head_size = head_size;
  const CacheLayout layout = cache_layout(view);
  map.bytes = static_cast<int64_t>(layer.bytes());
  map.value_byte = static_cast<const std::byte*>(layout.values.base) -
                   static_cast<const std::byte*>(layout.keys.base);
  map.keys = layout.keys;
  map.values = layout.values;
  map.keys.base = map.values.base = nullptr;
  return map;
}

std::vector<PlannedMask> PagedBackend::planned_masks(const AttentionConfig& config,
                                                     const AttentionMetadata& batch,
                                                     const PlanInputs& /*inputs*/) const {
  const AttentionMetadata* prefills = batch.prefill_metadata();
  if (!prefills) return {};
  PlannedMask mask = rule_mask(config, *prefills, 0, prefills->num_seqs());
  mask.name = translatable("Step", "rule in the kernel");
  return {mask};
}

}  // namespace attn
