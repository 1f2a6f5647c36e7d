// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/pallas/backend.h"

#include <fmt/format.h>

#include "backends/pallas/metadata.h"
#include "backends/pallas/pallas_cache.h"
#include "backends/pallas/pallas_calls.h"
#include "backends/pallas/pallas_grid.h"
#include "backends/pallas/tpu/tpu_model.h"
#include "engine/attention/pad_heads.h"
#include "engine/core/error.h"
#include "engine/core/limits.h"
#include "engine/kernels/paged_backend.h"

namespace attn::backends::pallas {
namespace {

std::string head_size_reason(const AttentionBackend& backend, const AttentionConfig& config) {
  std::string reason = fmt::format(
      "PALLAS needs a head size that is a multiple of 128, the width of a TPU register, and not "
      "{}.",
      config.head_size);
  AttentionConfig padded = config;
  padded.pad_head_size = true;
  const int64_t head_size = cache_head_size(backend, padded);
  if (head_size > 0)
    reason +=
        fmt::format("{} The cache would be {:.3g} times as large.", padding_hint(backend, config),
                    static_cast<double>(head_size) / static_cast<double>(config.head_size));
  return reason;
}

class PallasBackend final : public PagedBackend {
 public:
  std::string_view name() const override { return "pallas"; }
  std::string_view display_name() const override { return "PALLAS"; }
  std::string_view description() const override {
    return "Computes in the order of a TPU, block by block. In paged decode another worker can "
           "fetch the pages of the next block while the current block is computed.";
  }
  std::vector<int64_t> supported_head_sizes() const override {
    std::vector<int64_t> sizes;
    for (int64_t size = kTpuLanes; size <= kMostHeadSize; size += kTpuLanes) sizes.push_back(size);
    return sizes;
  }
  std::vector<BackendOption> options() const override { return {tpu_option()}; }
  std::unique_ptr<AttentionMetadata> make_metadata() const override {
    return std::make_unique<PallasMetadata>();
  }
  BackendCapabilities capabilities() const override {
    BackendCapabilities capabilities;
    capabilities.mixed_batches = false;
    capabilities.swap = false;
    capabilities.dtypes = {DType::kF32, DType::kBF16};
    capabilities.cache_dtypes = {DType::kF32, DType::kBF16};
    return capabilities;
  }

  std::vector<std::string> not_supported_reasons(const AttentionConfig& config) const override {
    std::vector<std::string> reasons;
    const int64_t head_size = cache_head_size(*this, config);
    if (head_size == 0 || head_size % kTpuLanes != 0)
      reasons.push_back(head_size_reason(*this, config));
    if (config.alibi_slopes)
      reasons.emplace_back("PALLAS has no ALiBi: its kernels add nothing to the scores.");
    if (!config.relative_bias.empty())
      reasons.emplace_back(
          "PALLAS has no relative position bias: its kernels add nothing to the scores.");
    if (config.sliding_window)
      reasons.emplace_back(
          "PALLAS has no sliding window: its kernels read every key up to the query.");
    if (config.logits_soft_cap)
      reasons.emplace_back(
          "PALLAS has no logits soft cap: its kernels take the softmax of the scores as they are.");
    if (config.sinks)
      reasons.emplace_back("PALLAS has no attention sinks: its kernels sum over keys only.");
    if (config.kv_cache_dtype_name != "auto")
      reasons.push_back(fmt::format(
          "PALLAS keeps its cache in the model's own type (auto), not as {}: its kernels copy "
          "pages as they are and convert nothing.",
          config.kv_cache_dtype_name));
    if (config.chunked_prefill && !config.extended)
      reasons.emplace_back(
          "PALLAS does not support chunked prefill: a batch can contain pieces of prompts and "
          "decodes, but PALLAS computes either prefills or decodes in one call, not both.");
    if (config.blocksparse)
      reasons.emplace_back(
          "PALLAS has no block-sparse attention: its grid visits every block up to the diagonal.");
    if (const TpuVersion version = tpu_version(config); version < TpuVersion::kV4)
      reasons.push_back(fmt::format(
          "PALLAS needs a TPU of version 4 or later, because its kernels do; {} is too old.",
          name_of(version)));
    if (config.attn_type != AttentionType::kDecoder)
      reasons.push_back(
          fmt::format("PALLAS runs DECODER attention only, not {}: the original has no encoder and "
                      "no cross attention.",
                      name_of(config.attn_type)));
    return reasons;
  }

  std::unique_ptr<DeviceModel> device_model(const AttentionConfig& config) const override {
    return make_device_model(config);
  }
  Shape kv_cache_shape(int64_t num_blocks, int64_t block_size, int64_t num_kv_heads,
                       int64_t head_size) const override {
    return {2, num_kv_heads, num_blocks, block_size, head_size};
  }

  void swap_blocks(const KvCacheView&, const KvCacheView&,
                   std::span<const BlockPair>) const override {
    throw Error::not_supported(
        {"PALLAS cannot swap blocks to host memory, as the original cannot. A preempted request "
         "gives its blocks back and is computed again."});
  }
  void copy_blocks(std::span<const KvCacheView> caches,
                   std::span<const BlockPair> pairs) const override {
    std::vector<int64_t> src_indices, dst_indices;
    for (const auto& [source, destination] : pairs) {
      src_indices.push_back(source);
      dst_indices.push_back(destination);
    }
    for (const KvCacheView& cache : caches) pallas::copy_blocks(cache, src_indices, dst_indices);
  }

  std::vector<PlannedCall> planned_calls(const AttentionConfig& config,
                                         const AttentionMetadata& batch,
                                         const PlanInputs& inputs) const override {
    return pallas::planned_calls(config, batch, inputs);
  }

  std::vector<PlannedMask> planned_masks(const AttentionConfig& config,
                                         const AttentionMetadata& batch,
                                         const PlanInputs& /*inputs*/) const override {
    return pallas::planned_masks(config, batch);
  }

  // Flash attention reads new keys and values from the call; multi-query paged attention, used with
  // cached tokens, reads them from the pages.
  bool reads_new_keys_from_cache(const NewKeys& keys) const override {
    return keys.context_len > 0;
  }

 protected:
  std::unique_ptr<AttentionImpl> impl_for(const AttentionConfig& config) const override {
    return pallas::make_impl(config);
  }
  CacheLayout cache_layout(const KvCacheView& cache) const override {
    return pallas::cache_layout(cache);
  }
};

}  // namespace

std::unique_ptr<AttentionBackend> make_backend() {
  return std::make_unique<PallasBackend>();
}

std::vector<std::string> call_not_supported_reasons(const LayerScales& scales,
                                                    const AttentionMetadata& metadata) {
  std::vector<std::string> reasons;
  if (scales.k_scale != 1.0f || scales.v_scale != 1.0f || !scales.k_head_scales.empty() ||
      !scales.v_head_scales.empty())
    reasons.push_back(
        fmt::format("PALLAS does not scale what it caches: k_scale and v_scale must be 1, not {} "
                    "and {}.",
                    scales.k_scale, scales.v_scale));
  if (metadata.num_decode_tokens > 0 &&
      sequences_per_call(metadata.num_decode_tokens, metadata.max_blocks_per_seq) < 1)
    reasons.push_back(
        fmt::format("PALLAS keeps the block table of a call in 512 KiB of scalar memory, and the "
                    "table of a single sequence with {} blocks is larger: choose larger blocks.",
                    metadata.max_blocks_per_seq));
  return reasons;
}

}  // namespace attn::backends::pallas
