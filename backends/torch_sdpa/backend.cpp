// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/torch_sdpa/backend.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/core/error.h"
#include "engine/kernels/paged_backend.h"

namespace attn::backends::torch_sdpa {
namespace {

bool knows_cache_dtype(const AttentionConfig& config) {
  const std::string& name = config.kv_cache_dtype_name;
  return name == "auto" || name == "f32" || name == "bf16";
}

constexpr int64_t kHeadSizes[] = {32, 64, 80, 96, 112, 120, 128, 192, 256};

class TorchSdpaBackend final : public PagedBackend {
 public:
  std::string_view name() const override { return "torch_sdpa"; }
  std::string_view display_name() const override { return "TORCH_SDPA"; }
  std::string_view description() const override {
    return "PyTorch's scaled dot product attention for the prompt, paged attention for every "
           "further token.";
  }
  std::vector<int64_t> supported_head_sizes() const override {
    return {std::begin(kHeadSizes), std::end(kHeadSizes)};
  }
  BackendCapabilities capabilities() const override {
    BackendCapabilities capabilities;
    capabilities.context_bias = false;  // as the original with chunked prefill
    capabilities.dtypes = {DType::kF32, DType::kBF16};
    return capabilities;
  }

  std::vector<std::string> not_supported_reasons(const AttentionConfig& config) const override {
    std::vector<std::string> reasons;
    if (std::find(std::begin(kHeadSizes), std::end(kHeadSizes), config.head_size) ==
        std::end(kHeadSizes))
      reasons.push_back(
          fmt::format("TORCH_SDPA keeps its cache in the layout of paged attention, which knows "
                      "the head sizes {} and "
                      "not {}.",
                      fmt::join(kHeadSizes, ", "), config.head_size));
    if (config.blocksparse) reasons.emplace_back("TORCH_SDPA has no block-sparse attention.");
    if (config.kv_cache_dtype_name.starts_with("fp8") && !config.extended)
      reasons.emplace_back("TORCH_SDPA refuses an fp8 cache, as the original does.");
    else if (!knows_cache_dtype(config))
      reasons.push_back(fmt::format("TORCH_SDPA keeps its cache as auto, f32 or bf16, not as {}.",
                                    config.kv_cache_dtype_name));
    if (config.attn_type != AttentionType::kDecoder)
      reasons.push_back(fmt::format("TORCH_SDPA runs DECODER attention only so far, not {}.",
                                    name_of(config.attn_type)));
    return reasons;
  }

  std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig& config) const override {
    validate(config);
    auto reasons = not_supported_reasons(config);
    if (!reasons.empty()) throw Error::not_supported(std::move(reasons));
    return torch_sdpa::make_impl(config);
  }

  Shape kv_cache_shape(int64_t num_blocks, int64_t block_size, int64_t num_kv_heads,
                       int64_t head_size) const override {
    return {2, num_blocks, block_size * num_kv_heads * head_size};
  }

 protected:
  CacheLayout cache_layout(const KvCacheView& cache) const override {
    return torch_sdpa::cache_layout(cache);
  }
};

}  // namespace

std::unique_ptr<AttentionBackend> make_backend() {
  return std::make_unique<TorchSdpaBackend>();
}

CacheLayout cache_layout(const KvCacheView& cache) {
  const int64_t block_elements = cache.block_size * cache.num_kv_heads * cache.head_size;
  const auto x = static_cast<int64_t>(16 / size_of(cache.storage->dtype()));
  CacheLayout layout;
  layout.keys.base = cache.storage->raw();
  layout.keys.dtype = cache.storage->dtype();
  layout.keys.block_size = cache.block_size;
  layout.keys.block_stride = block_elements;
  layout.keys.head_stride = cache.head_size * cache.block_size;
  layout.keys.token_stride = x;
  layout.keys.chunk = x;
  layout.keys.chunk_stride = cache.block_size * x;
  layout.values = layout.keys;
  layout.values.base = static_cast<std::byte*>(cache.storage->raw()) + cache.storage->bytes() / 2;
  layout.values.token_stride = 1;
  layout.values.chunk = 1;
  layout.values.chunk_stride = cache.block_size;
  return layout;
}

}  // namespace attn::backends::torch_sdpa
