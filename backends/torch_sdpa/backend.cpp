// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/torch_sdpa/backend.h"

#include <fmt/format.h>

#include "engine/attention/pad_heads.h"
#include "engine/kernels/cache/paged_layout.h"

namespace attn::backends::torch_sdpa {
namespace {

// The option sdpa_kernel; its values are in the order of SdpaKernel.
const BackendOption& kernel_option() {
  static const BackendOption option{.about = BackendOption::About::kKernel,
                                    .name = "sdpa_kernel",
                                    .noun = "kernel",
                                    .title = "Prefill kernel",
                                    .meaning =
                                        "flash computes tile by tile with a running softmax; math "
                                        "computes the whole score matrix first.",
                                    .values = {"auto", "math", "flash"},
                                    .default_value = "auto"};
  return option;
}

void add_cache_reasons(const AttentionConfig& config, int64_t head_size,
                       std::vector<std::string>& reasons) {
  const std::string& name = config.kv_cache_dtype_name;
  if (name == "auto") return;
  const auto dtype = cache_dtype_from_name(name);
  if (!dtype) {
    reasons.push_back(
        fmt::format("TORCH_SDPA keeps its cache as auto, f32, bf16 or f16, not as {}.", name));
  } else if (dtype == DType::kI8) {
    reasons.emplace_back(
        "TORCH_SDPA does not support an int8 cache: only UNIFIED and REFERENCE have scales per KV "
        "head.");
  } else if (is_quantised(*dtype) && !config.extended) {
    const bool fits = head_size % 16 == 0;
    reasons.push_back(fmt::format(
        "TORCH_SDPA refuses an fp8 cache, as the original does: the original's prefill does not "
        "apply the scales of such a cache.{}",
        fits ? " The option extended allows it." : ""));
  } else if (is_quantised(*dtype) && head_size % 16 != 0) {
    reasons.push_back(fmt::format(
        "TORCH_SDPA cannot lay out an fp8 cache for head size {}: keys lie in pieces of 16 "
        "elements.",
        head_size));
  }
}

class TorchSdpaBackend final : public PagedLayoutBackend {
 public:
  std::string_view name() const override { return "torch_sdpa"; }
  std::string_view display_name() const override { return "TORCH_SDPA"; }
  std::string_view description() const override {
    return "PyTorch's scaled dot product attention for prefills, paged attention for decodes.";
  }
  std::vector<BackendOption> options() const override { return {kernel_option()}; }
  BackendCapabilities capabilities() const override {
    BackendCapabilities capabilities;
    capabilities.context_bias = false;  // as the original with chunked prefill
    capabilities.mixed_when_chunked = true;
    capabilities.dense_bias = true;  // as the operator's attn_mask
    capabilities.captured_plans = true;
    capabilities.ignores_soft_cap = true;
    capabilities.dtypes = {DType::kF32, DType::kBF16, DType::kF16};
    capabilities.cache_dtypes = {DType::kF32, DType::kBF16, DType::kF16};
    return capabilities;
  }

  std::vector<std::string> not_supported_reasons(const AttentionConfig& config) const override {
    std::vector<std::string> reasons;
    if (std::string reason = paged_head_size_reason(*this, config); !reason.empty())
      reasons.push_back(std::move(reason));
    if (config.blocksparse) reasons.emplace_back("TORCH_SDPA has no block-sparse attention.");
    if (config.sinks) reasons.emplace_back("TORCH_SDPA has no attention sinks.");
    add_cache_reasons(config, cache_head_size(*this, config), reasons);
    if (config.attn_type == AttentionType::kEncoderDecoder) {
      if (config.alibi_slopes)
        reasons.emplace_back(
            "TORCH_SDPA has no ALiBi in cross attention: there is no distance between a token of "
            "the decoder and a token of the encoder.");
      if (config.sliding_window)
        reasons.emplace_back(
            "TORCH_SDPA has no sliding window in cross attention: every token of the encoder is "
            "visible.");
    }
    return reasons;
  }

  bool reads_new_keys_from_cache(const NewKeys& keys) const override {
    return torch_sdpa::reads_new_keys_from_cache(keys);
  }

 protected:
  std::unique_ptr<AttentionImpl> impl_for(const AttentionConfig& config) const override {
    return torch_sdpa::make_impl(config);
  }
};

}  // namespace

SdpaKernel sdpa_kernel(const AttentionConfig& config) {
  return static_cast<SdpaKernel>(index_of(config.backend_options, kernel_option()).value_or(0));
}

std::unique_ptr<AttentionBackend> make_backend() {
  return std::make_unique<TorchSdpaBackend>();
}

}  // namespace attn::backends::torch_sdpa
