// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/torch_sdpa/backend.h"
#include "engine/kernels/cache/paged_layout.h"
#include "engine/kernels/paged_impl.h"
#include "engine/kernels/prefill/math_prefill.h"

namespace attn::backends::torch_sdpa {
namespace {

class TorchSdpaImpl final : public PagedImpl {
 public:
  explicit TorchSdpaImpl(const AttentionConfig& config)
      : PagedImpl(config), is_math_(sdpa_kernel(config) == SdpaKernel::kMath) {}

  std::vector<std::string> warnings() const override {
    if (!config().logits_soft_cap) return {};
    return {
        "TORCH_SDPA ignores the logits soft cap, as the original does: results can differ from "
        "those of a backend that has the cap."};
  }

 private:
  CacheLayout layout_of(const KvCacheView& cache) const override {
    return paged_cache_layout(cache);
  }
  bool uses_bf16_unit() const override { return !is_math_; }

  bool prefill(const PagedCall& call, const AttentionMetadata& part) override {
    PrefillArgs args = prefill_args(call, part, reads_new_keys_from_cache);
    // The original passes a mask tensor to the operator for ALiBi and windows, else is_causal. The
    // same masks are built here, as part of the step; the kernels below compute them from slopes
    // and window.
    if (config().alibi_slopes || config().sliding_window)
      step_biases(config(), part, call.execution);
    if (!is_math_) return flash_prefill(args, call.workspace, call.execution);
    args.weights = call.outputs.weights;
    return math_prefill(args, call.workspace, call.execution);
  }

  bool is_math_;
};

}  // namespace

bool reads_new_keys_from_cache(const NewKeys& keys) {
  return keys.type == AttentionType::kDecoder && keys.context_len > 0;
}

std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig& config) {
  return std::make_unique<TorchSdpaImpl>(config);
}

}  // namespace attn::backends::torch_sdpa
