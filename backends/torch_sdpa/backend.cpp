// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/torch_sdpa/backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "backends/torch_sdpa/masks.h"
#include "backends/torch_sdpa/metadata.h"
#include "engine/attention/pad_heads.h"
#include "engine/core/memory.h"
#include "engine/kernels/cache/paged_layout.h"
#include "engine/kernels/paged_impl.h"

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
                                        "computes all scores, then their softmax, then the output.",
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
    reasons.push_back(fmt::format(
        "TORCH_SDPA keeps its cache as f32, bf16, f16 or the model's type (auto), not as {}.",
        name));
  } else if (dtype == DType::kI8) {
    reasons.emplace_back(
        "TORCH_SDPA does not support an int8 cache: its original knows no such type of cache. "
        "UNIFIED and REFERENCE do.");
  } else if (is_quantised(*dtype) && !config.extended) {
    const bool fits = head_size % 16 == 0;
    reasons.push_back(fmt::format(
        "TORCH_SDPA refuses an fp8 cache, as the original does: the original's prefill does not "
        "apply the scales of such a cache.{}",
        fits ? " The option extended (Extended in the window) allows it." : ""));
  } else if (!is_quantised(*dtype) && config.dtype && *dtype != *config.dtype && !config.extended) {
    reasons.push_back(fmt::format(
        "TORCH_SDPA keeps its cache in the model's type, {}, and not as {}: its original "
        "accepts no cache type but auto. The option extended (Extended in the window) allows it.",
        name_of(*config.dtype), name_of(*dtype)));
  } else if (is_quantised(*dtype) && head_size % 16 != 0) {
    reasons.push_back(fmt::format(
        "TORCH_SDPA cannot lay out an fp8 cache for head size {}: keys are stored in pieces of 16 "
        "elements.",
        head_size));
  }
}

double score_bytes(const AttentionConfig& config, int64_t query_len, int64_t kv_len) {
  return static_cast<double>(config.num_heads) * static_cast<double>(query_len) *
         static_cast<double>(kv_len) * sizeof(float);
}

void add_context_reasons(const AttentionConfig& config, const AttentionMetadata& metadata,
                         std::vector<std::string>& reasons) {
  if (config.extended || config.attn_type != AttentionType::kDecoder) return;
  if (has_cached_prompt(metadata))
    reasons.emplace_back(
        "TORCH_SDPA cannot compute a prompt with cached tokens (of a prefix that was found in the "
        "cache, or of earlier chunks of the prompt). Its original says: \"Torch SDPA backend "
        "doesn't support prefix decoding.\" Use the option extended (Extended in the window) or "
        "another backend.");
}

void add_score_reasons(const AttentionConfig& config, const AttentionMetadata& metadata,
                       std::vector<std::string>& reasons) {
  if (sdpa_kernel(config) != SdpaKernel::kMath || metadata.num_seqs() < metadata.num_prefills)
    return;
  const std::vector<int32_t>& keys =
      config.attn_type == AttentionType::kEncoderDecoder && metadata.encoder_seq_lens
          ? *metadata.encoder_seq_lens
          : metadata.seq_lens;
  for (int64_t s = 0; s < metadata.num_prefills; ++s) {
    const int64_t query_len = metadata.query_len(s), kv_len = keys[static_cast<size_t>(s)];
    const double bytes = score_bytes(config, query_len, kv_len);
    if (bytes <= kMostScoreBytes) continue;
    reasons.push_back(fmt::format(
        "The math kernel would hold {} of scores for one prompt: {} heads x {} queries x {} keys x "
        "4 bytes. More than {} is refused. This is why the flash kernel exists: it goes through "
        "the keys tile by tile and holds the scores of one tile at a time. Use flash or a shorter "
        "prompt.",
        bytes_text(bytes), config.num_heads, query_len, kv_len, bytes_text(kMostScoreBytes)));
    return;
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
    capabilities.dense_bias = true;
    capabilities.captured_plans = true;
    capabilities.ignores_soft_cap = true;
    capabilities.causal_masks = true;
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
    if (!config.relative_bias.empty())
      reasons.emplace_back(
          "TORCH_SDPA has no relative position bias: its original adds ALiBi or a window's mask to "
          "scores, but no numbers that a model has learned.");
    if (config.logits_soft_cap && !config.extended)
      reasons.emplace_back(
          "TORCH_SDPA refuses a logits soft cap, as the original does up to release 0.6.4. With "
          "the option extended (Extended in the window) it ignores the cap with a warning, as "
          "later releases do.");
    if (config.chunked_prefill && !config.extended)
      reasons.emplace_back(
          "TORCH_SDPA does not support chunked prefill, as the original does not up to release "
          "0.6.4: a prompt is computed in one step. The option extended (Extended in the window) "
          "allows it.");
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

  std::unique_ptr<AttentionMetadata> make_metadata() const override {
    return std::make_unique<TorchSdpaMetadata>();
  }
  PrefillMemory prefill_memory(const AttentionConfig& config, DType dtype, int64_t query_len,
                               int64_t kv_len) const override {
    PrefillMemory memory;
    memory.mask = mask_bytes(config, kv_len, dtype);
    if (sdpa_kernel(config) == SdpaKernel::kMath)
      memory.scores = score_bytes(config, query_len, kv_len);
    return memory;
  }
  void add_batch_reasons(const AttentionConfig& config, const AttentionMetadata& metadata,
                         std::vector<std::string>& reasons) const override {
    add_context_reasons(config, metadata, reasons);
    add_score_reasons(config, metadata, reasons);
  }

  std::vector<PlannedCall> planned_calls(const AttentionConfig& config,
                                         const AttentionMetadata& batch,
                                         const PlanInputs& inputs) const override {
    std::vector<PlannedCall> calls;
    if (const AttentionMetadata* prefills = batch.prefill_metadata()) {
      const auto add = [&](KernelId kernel, Translatable why) {
        add_calls_of_one_prompt(config, *prefills, kernel, why, calls);
      };
      if (sdpa_kernel(config) == SdpaKernel::kMath) {
        add(KernelId::kMathScores,
            translatable("Step",
                         "The operator takes one prompt at a time. The kernel math first computes "
                         "all scores of the prompt."));
        add(KernelId::kMathSoftmax, translatable("Step", "Then the scores become weights."));
        add(KernelId::kMathValues,
            translatable("Step", "Then the weights are multiplied by the values."));
      } else {
        add(KernelId::kFlashPrefill,
            translatable("Step", "The operator takes one prompt at a time: one call each."));
      }
    }
    std::ranges::move(PagedBackend::planned_calls(config, batch, inputs),
                      std::back_inserter(calls));
    return calls;
  }

  std::vector<PlannedMask> planned_masks(const AttentionConfig& config,
                                         const AttentionMetadata& batch,
                                         const PlanInputs& inputs) const override {
    const AttentionMetadata* prefills = batch.prefill_metadata();
    return prefills ? torch_sdpa::planned_masks(config, *prefills, inputs.workers)
                    : std::vector<PlannedMask>();
  }

  int64_t rows_without_window(const AttentionConfig& config, const AttentionMetadata& metadata,
                              int64_t sequence) const override {
    return ignores_window(config) ? uncached_rows(metadata, sequence) : 0;
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

std::string scales_reason() {
  return "TORCH_SDPA has no scales for keys and values, as its original: k_scale and v_scale must "
         "be "
         "1. The option extended (Extended in the window) allows others.";
}

SdpaKernel sdpa_kernel(const AttentionConfig& config) {
  return static_cast<SdpaKernel>(index_of(config.backend_options, kernel_option()).value_or(0));
}

std::unique_ptr<AttentionBackend> make_backend() {
  return std::make_unique<TorchSdpaBackend>();
}

}  // namespace attn::backends::torch_sdpa
