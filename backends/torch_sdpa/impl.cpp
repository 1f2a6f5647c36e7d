// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/torch_sdpa/backend.h"
#include "backends/torch_sdpa/masks.h"
#include "backends/torch_sdpa/math_prefill.h"
#include "engine/core/error.h"
#include "engine/kernels/cache/paged_layout.h"
#include "engine/kernels/fault.h"
#include "engine/kernels/paged_impl.h"

namespace attn::backends::torch_sdpa {
namespace {

class TorchSdpaImpl final : public PagedImpl {
 public:
  explicit TorchSdpaImpl(const AttentionConfig& config)
      : PagedImpl(config), is_math_(sdpa_kernel(config) == SdpaKernel::kMath) {}

  std::vector<std::string> warnings() const override {
    std::vector<std::string> sentences;
    if (config().logits_soft_cap)
      sentences.emplace_back(
          "TORCH_SDPA ignores the logits soft cap, as releases of the original after 0.6.4 do: "
          "results can differ from those of a backend that has the cap.");
    add_mask_warnings(config(), "TORCH_SDPA", sentences);
    const bool bidirectional = config().attn_type == AttentionType::kEncoder ||
                               config().attn_type == AttentionType::kEncoderOnly;
    if (bidirectional && needs_mask(config()))
      sentences.emplace_back(
          "TORCH_SDPA builds the mask of ALiBi or of a sliding window as for a decoder, as the "
          "original does: the tokens of this encoder do not see later ones.");
    return sentences;
  }

 private:
  CacheLayout layout_of(const KvCacheView& cache) const override {
    return paged_cache_layout(cache);
  }
  bool uses_bf16_unit() const override { return !is_math_; }

  void check(const AttentionInputs& inputs) const override {
    const LayerScales& scales = inputs.scales;
    if (!config().extended && (scales.k_scale != 1.0f || scales.v_scale != 1.0f))
      throw Error::not_supported({scales_reason()});
  }

  bool prefill(const PagedCall& call, const AttentionMetadata& part) override {
    const PrefillArgs all = prefill_args(call, part, reads_new_keys_from_cache);
    const BiasList* masks = nullptr;
    if (needs_mask(config()))
      masks = &step_masks(config(), part, call.inputs.query->dtype(), call.execution);
    for (size_t s = 0; s < all.sequences.size(); ++s) {
      PrefillSequence sequence = all.sequences[s];
      if (ATTN_FAULT(kCallsMerged)) {
        sequence.keys = all.sequences[0].keys;
        sequence.kv_len = std::min(sequence.kv_len, all.sequences[0].kv_len);
      }
      PrefillArgs args = all;
      args.sequences = {&sequence, 1};
      if (masks && (*masks)[s])
        read_mask(static_cast<const DenseMask&>(*(*masks)[s]), args, sequence);
      if (sequence.query_len == 0 && !call.outputs.weights) continue;
      if (!attend(args, call)) return false;
    }
    return true;
  }

  bool attend(const PrefillArgs& args, const PagedCall& call) {
    if (!is_math_) return flash_prefill(args, call.workspace, call.execution);
    if (!math_prefill(args, scores_, call.workspace, call.execution)) return false;
    if (call.outputs.weights) call.outputs.weights->push_back(std::move(scores_));
    scores_ = Tensor();
    return true;
  }

  // The mask replaces causality, window and ALiBi.
  static void read_mask(const DenseMask& mask, PrefillArgs& args, PrefillSequence& sequence) {
    const Tensor& tensor = mask.tensor();
    args.causal = false;
    args.sliding_window = 0;
    args.alibi_slopes = nullptr;
    sequence.mask = {static_cast<const std::byte*>(tensor.raw()), tensor.dtype(),
                     tensor.dim(0) > 1 ? tensor.dim(1) * tensor.dim(2) : 0, tensor.dim(2),
                     mask.only_hides()};
  }

  bool is_math_;
  Tensor scores_;  // scores of the `math` kernel, while a call runs
};

}  // namespace

bool reads_new_keys_from_cache(const NewKeys& keys) {
  return keys.type == AttentionType::kDecoder && keys.context_len > 0;
}

std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig& config) {
  return std::make_unique<TorchSdpaImpl>(config);
}

}  // namespace attn::backends::torch_sdpa
