// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/reference/backend.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/kernels/paged_backend.h"

namespace attn::backends::reference {
namespace {

class ReferenceBackend final : public PagedBackend {
 public:
  std::string_view name() const override { return "reference"; }
  std::string_view display_name() const override { return "REFERENCE"; }
  std::string_view description() const override {
    return "The textbook formula in 64-bit floats, row by row. It is slow but precise; the other "
           "backends are tested against it.";
  }
  std::vector<int64_t> supported_head_sizes() const override { return {}; }
  BackendCapabilities capabilities() const override {
    BackendCapabilities capabilities;
    capabilities.mixed_batches = true;
    capabilities.dense_bias = capabilities.decode_dense_bias = true;
    capabilities.dtypes = {DType::kF32, DType::kBF16, DType::kF16};
    capabilities.cache_dtypes = {DType::kF32,    DType::kBF16,   DType::kF16,
                                 DType::kF8E4M3, DType::kF8E5M2, DType::kI8};
    return capabilities;
  }
  std::vector<std::string> not_supported_reasons(const AttentionConfig& config) const override {
    std::vector<std::string> reasons;
    if (config.kv_cache_dtype_name != "auto" && !cache_dtype_from_name(config.kv_cache_dtype_name))
      reasons.push_back(fmt::format("REFERENCE does not support the cache type {}; it supports {}.",
                                    config.kv_cache_dtype_name,
                                    fmt::join(cache_dtype_names(), ", ")));
    return reasons;
  }
  Shape kv_cache_shape(int64_t num_blocks, int64_t block_size, int64_t num_kv_heads,
                       int64_t head_size) const override {
    return {2, num_blocks, block_size, num_kv_heads, head_size};
  }
  std::vector<PlannedCall> planned_calls(const AttentionConfig& /*config*/,
                                         const AttentionMetadata& batch,
                                         const PlanInputs& /*inputs*/) const override {
    PlannedCall call;
    call.kernel = KernelId::kReference;
    call.sequences = batch.num_seqs();
    call.rows = batch.num_tokens();
    call.reasons.emplace_back(translatable(
        "Step",
        "One row of one head after the other: first its scores, then its weights and its output."));
    return {call};
  }

 protected:
  std::unique_ptr<AttentionImpl> impl_for(const AttentionConfig& config) const override {
    return reference::make_impl(config);
  }
  CacheLayout cache_layout(const KvCacheView& cache) const override {
    return reference::cache_layout(cache);
  }
};

}  // namespace

std::unique_ptr<AttentionBackend> make_backend() {
  return std::make_unique<ReferenceBackend>();
}

CacheLayout cache_layout(const KvCacheView& cache) {
  CacheLayout layout;
  KvSource& keys = layout.keys;
  keys.base = cache.storage->raw();
  keys.dtype = cache.storage->dtype();
  keys.block_size = cache.block_size;
  keys.block_stride = cache.block_size * cache.num_kv_heads * cache.head_size;
  keys.head_stride = cache.head_size;
  keys.token_stride = cache.num_kv_heads * cache.head_size;
  keys.chunk = cache.head_size;
  layout.values = keys;
  const size_t half = cache.storage->bytes() / 2;
  layout.values.base = static_cast<std::byte*>(cache.storage->raw()) + half;
  return layout;
}

}  // namespace attn::backends::reference
