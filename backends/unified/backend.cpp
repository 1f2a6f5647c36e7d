// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/unified/backend.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "engine/kernels/paged_backend.h"
#include "engine/kernels/paged_impl.h"

namespace attn::backends::unified {
namespace {

// The option exactness; its values are in the order of Exactness.
const BackendOption& exactness_option() {
  static const BackendOption option{
      .about = BackendOption::About::kKernel,
      .name = "exactness",
      .noun = "exactness",
      .title = "Exactness",
      .meaning =
          "invariant: a token gets the same bits whatever the batch, threads and block size. fast: "
          "a decode task merges all its keys into one partial result, so the order of additions "
          "depends on how the step is divided among the threads. With queries and values of bf16 "
          "the weights are rounded to bf16 before they multiply the values. Bits, and at times a "
          "text, can then change with the batch.",
      .values = {"invariant", "fast"},
      .default_value = "invariant"};
  return option;
}

class UnifiedBackend final : public PagedBackend {
 public:
  std::string_view name() const override { return "unified"; }
  std::string_view display_name() const override { return "UNIFIED"; }
  std::string_view description() const override {
    return "This program's own backend, made to be fast and to support all features of the "
           "backends that are modelled on others.";
  }
  std::vector<int64_t> supported_head_sizes() const override { return {}; }
  std::vector<BackendOption> options() const override { return {exactness_option()}; }
  BackendCapabilities capabilities() const override {
    BackendCapabilities capabilities;
    capabilities.mixed_batches = true;
    capabilities.dense_bias = true;
    capabilities.captured_plans = true;
    capabilities.dtypes = {DType::kF32, DType::kBF16, DType::kF16};
    capabilities.cache_dtypes = {DType::kF32,    DType::kBF16,   DType::kF16,
                                 DType::kF8E4M3, DType::kF8E5M2, DType::kI8};
    return capabilities;
  }
  std::vector<std::string> not_supported_reasons(const AttentionConfig& config) const override {
    std::vector<std::string> reasons;
    if (config.kv_cache_dtype_name != "auto" && !cache_dtype_from_name(config.kv_cache_dtype_name))
      reasons.push_back(fmt::format("UNIFIED does not support the cache type {}; it supports {}.",
                                    config.kv_cache_dtype_name,
                                    fmt::join(cache_dtype_names(), ", ")));
    if (config.attn_type == AttentionType::kEncoderDecoder) {
      if (config.alibi_slopes)
        reasons.emplace_back(
            "UNIFIED has no ALiBi in cross attention: there is no distance between a token of the "
            "decoder and a token of the encoder.");
      if (!config.relative_bias.empty())
        reasons.emplace_back(
            "UNIFIED has no relative position bias in cross attention: there is no distance "
            "between a token of the decoder and a token of the encoder.");
      if (config.sliding_window)
        reasons.emplace_back(
            "UNIFIED has no sliding window in cross attention: every token of the encoder is "
            "visible.");
      if (config.blocksparse)
        reasons.emplace_back(
            "UNIFIED has no block-sparse attention in cross attention: its blocks are counted from "
            "the position of the query.");
    }
    return reasons;
  }
  std::unique_ptr<AttentionState> make_state() const override {
    return std::make_unique<PagedState>();
  }
  Shape kv_cache_shape(int64_t num_blocks, int64_t block_size, int64_t num_kv_heads,
                       int64_t head_size) const override {
    return {2, num_blocks, num_kv_heads * head_size * block_size};
  }

  std::vector<PlannedCall> planned_calls(const AttentionConfig& config,
                                         const AttentionMetadata& batch,
                                         const PlanInputs& inputs) const override {
    std::vector<PlannedCall> calls;
    if (const AttentionMetadata* prefills = batch.prefill_metadata()) {
      calls.push_back(
          prefill_call(config, *prefills, KernelId::kFlashPrefill, 0, prefills->num_seqs()));
      calls.back().reasons.emplace_back(translatable("Step", "One call for all prompts."));
    }
    std::ranges::move(
        grouped_decode_calls(config, batch, inputs, exactness(config) == Exactness::kFast),
        std::back_inserter(calls));
    return calls;
  }

  std::vector<PlannedMask> planned_masks(const AttentionConfig& config,
                                         const AttentionMetadata& batch,
                                         const PlanInputs& inputs) const override {
    std::vector<PlannedMask> masks = PagedBackend::planned_masks(config, batch, inputs);
    for (PlannedMask& mask : masks) mask.tiles = flash_tiles(config, *mask.rule, inputs.workers);
    return masks;
  }

  bool reads_new_keys_from_cache(const NewKeys& keys) const override {
    return unified::reads_new_keys_from_cache(keys);
  }

 protected:
  std::unique_ptr<AttentionImpl> impl_for(const AttentionConfig& config) const override {
    return unified::make_impl(config);
  }
  CacheLayout cache_layout(const KvCacheView& cache) const override {
    return unified::cache_layout(cache);
  }
};

}  // namespace

Exactness exactness(const AttentionConfig& config) {
  return static_cast<Exactness>(index_of(config.backend_options, exactness_option()).value_or(0));
}

std::unique_ptr<AttentionBackend> make_backend() {
  return std::make_unique<UnifiedBackend>();
}

CacheLayout cache_layout(const KvCacheView& cache) {
  // Coordinates of an odd head size cannot be paired.
  const int64_t pair = size_of(cache.storage->dtype()) == 2 && cache.head_size % 2 == 0 ? 2 : 1;
  CacheLayout layout;
  layout.keys.base = cache.storage->raw();
  layout.keys.dtype = cache.storage->dtype();
  layout.keys.block_size = cache.block_size;
  layout.keys.block_stride = cache.block_size * cache.num_kv_heads * cache.head_size;
  layout.keys.head_stride = cache.head_size * cache.block_size;
  layout.keys.token_stride = pair;
  layout.keys.chunk = pair;
  layout.keys.chunk_stride = cache.block_size * pair;
  layout.values = layout.keys;
  layout.values.base = static_cast<std::byte*>(cache.storage->raw()) + cache.storage->bytes() / 2;
  layout.values.token_stride = cache.head_size;
  layout.values.chunk = cache.head_size;
  layout.values.chunk_stride = 0;
  return layout;
}

}  // namespace attn::backends::unified
