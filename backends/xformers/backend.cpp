// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/xformers/backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "backends/xformers/biases.h"
#include "backends/xformers/metadata.h"
#include "engine/attention/pad_heads.h"
#include "engine/kernels/cache/paged_layout.h"
#include "engine/kernels/paged_impl.h"

namespace attn::backends::xformers {
namespace {

void add_cache_reasons(const AttentionConfig& config, int64_t head_size,
                       std::vector<std::string>& reasons) {
  const std::string& name = config.kv_cache_dtype_name;
  if (name == "auto") return;
  const auto dtype = cache_dtype_from_name(name);
  if (!dtype)
    reasons.push_back(fmt::format(
        "XFORMERS keeps its cache as f32, bf16, f16, fp8_e4m3, fp8_e5m2 or the model's type "
        "(auto), not as {}.",
        name));
  else if (dtype == DType::kI8)
    reasons.emplace_back(
        "XFORMERS does not support an int8 cache: its original knows no such type of cache. "
        "UNIFIED and REFERENCE do.");
  else if (is_quantised(*dtype) && head_size % 16 != 0)
    reasons.push_back(fmt::format(
        "XFORMERS cannot lay out an fp8 cache for head size {}: keys are stored in pieces of 16 "
        "elements.",
        head_size));
}

class XformersBackend final : public PagedLayoutBackend {
 public:
  std::string_view name() const override { return "xformers"; }
  std::string_view display_name() const override { return "XFORMERS"; }
  std::string_view description() const override {
    return "Memory-efficient attention for prefills, context attention for prefills with cached "
           "tokens, paged attention for decodes.";
  }
  BackendCapabilities capabilities() const override {
    BackendCapabilities capabilities;
    capabilities.mixed_batches = true;
    capabilities.captured_plans = true;
    capabilities.ignores_soft_cap = true;
    capabilities.dtypes = {DType::kF32, DType::kBF16, DType::kF16};
    capabilities.cache_dtypes = {DType::kF32, DType::kBF16, DType::kF16, DType::kF8E4M3,
                                 DType::kF8E5M2};
    return capabilities;
  }

  std::vector<std::string> not_supported_reasons(const AttentionConfig& config) const override {
    std::vector<std::string> reasons;
    if (std::string reason = paged_head_size_reason(*this, config); !reason.empty())
      reasons.push_back(std::move(reason));
    if (config.blocksparse)
      reasons.emplace_back(
          "XFORMERS has no block-sparse attention: its masks consist of whole diagonal blocks.");
    if (config.logits_soft_cap && !config.extended)
      reasons.emplace_back(
          "XFORMERS has no logits soft cap: its kernels take the softmax of the scores as they "
          "are. With the option extended (Extended in the window) it ignores the cap with a "
          "warning, as releases of the original after 0.6.4 do.");
    if (!config.relative_bias.empty())
      reasons.emplace_back(
          "XFORMERS has no relative position bias: its paged decode adds ALiBi to scores and "
          "nothing else.");
    if (config.sinks) reasons.emplace_back("XFORMERS has no attention sinks.");
    add_cache_reasons(config, cache_head_size(*this, config), reasons);
    if (config.attn_type == AttentionType::kDecoder) return reasons;
    if (config.alibi_slopes)
      reasons.push_back(fmt::format(
          "XFORMERS has ALiBi in DECODER attention only, not in {}: its ALiBi mask is causal.",
          name_of(config.attn_type)));
    if (config.sliding_window)
      reasons.push_back(
          fmt::format("XFORMERS has a sliding window in DECODER attention only, not "
                      "in {}: its local mask is causal.",
                      name_of(config.attn_type)));
    return reasons;
  }

  std::unique_ptr<AttentionMetadata> make_metadata() const override {
    return std::make_unique<XformersMetadata>();
  }
  PrefillMemory prefill_memory(const AttentionConfig& config, DType dtype, int64_t /*query_len*/,
                               int64_t kv_len) const override {
    return {.mask = tensor_bias_bytes(config, kv_len, dtype)};
  }

  std::vector<PlannedCall> planned_calls(const AttentionConfig& config,
                                         const AttentionMetadata& batch,
                                         const PlanInputs& inputs) const override {
    std::vector<PlannedCall> calls;
    if (const AttentionMetadata* prefills = batch.prefill_metadata())
      calls = prefill_calls(config, *prefills);
    std::ranges::move(PagedBackend::planned_calls(config, batch, inputs),
                      std::back_inserter(calls));
    return calls;
  }

  std::vector<PlannedMask> planned_masks(const AttentionConfig& config,
                                         const AttentionMetadata& batch,
                                         const PlanInputs& /*inputs*/) const override {
    const AttentionMetadata* prefills = batch.prefill_metadata();
    return prefills ? xformers::planned_masks(config, *prefills) : std::vector<PlannedMask>();
  }

  // Context attention, which keeps to the window, takes the whole batch if one prompt has cached
  // tokens.
  int64_t rows_without_window(const AttentionConfig& config, const AttentionMetadata& metadata,
                              int64_t sequence) const override {
    return ignores_window(config) && !has_cached_prompt(metadata)
               ? uncached_rows(metadata, sequence)
               : 0;
  }

  // Context attention reads cached tokens from the pages and new tokens from the call.
  bool reads_new_keys_from_cache(const NewKeys& /*keys*/) const override { return false; }

 protected:
  std::unique_ptr<AttentionImpl> impl_for(const AttentionConfig& config) const override {
    return xformers::make_impl(config);
  }
};

}  // namespace

std::unique_ptr<AttentionBackend> make_backend() {
  return std::make_unique<XformersBackend>();
}

}  // namespace attn::backends::xformers
