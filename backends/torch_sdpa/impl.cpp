// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/torch_sdpa/backend.h"
#include "engine/kernels/math_prefill.h"
#include "engine/kernels/paged_impl.h"
#include "engine/kernels/paged_layout.h"

namespace attn::backends::torch_sdpa {
namespace {

class TorchSdpaImpl final : public PagedImpl {
 public:
  explicit TorchSdpaImpl(const AttentionConfig& config) : PagedImpl(config) {}

  std::vector<std::string> warnings() const override {
    if (!config().logits_soft_cap) return {};
    return {
        "TORCH_SDPA ignores the logits soft cap, as the original does: results differ from the "
        "model's own."};
  }

 private:
  CacheLayout layout_of(const KvCacheView& cache) const override {
    return paged_cache_layout(cache);
  }
  bool uses_bf16_unit() const override { return config().sdpa_kernel != SdpaKernel::kMath; }

  bool prefill(const PagedCall& call, const AttentionMetadata& part) override {
    PrefillArgs args = prefill_args(call, part, reads_new_keys_from_cache);
    // A built mask is what the op gets for ALiBi and windows; else it is told is_causal.
    if (config().alibi_slopes || config().sliding_window)
      step_biases(config(), part, call.execution);
    if (config().sdpa_kernel != SdpaKernel::kMath)
      return flash_prefill(args, call.workspace, call.execution);
    args.weights = call.outputs.weights;
    return math_prefill(args, call.workspace, call.execution);
  }
};

}  // namespace

bool reads_new_keys_from_cache(const NewKeys& keys) {
  return keys.type == AttentionType::kDecoder && keys.context_len > 0;
}

std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig& config) {
  return std::make_unique<TorchSdpaImpl>(config);
}

}  // namespace attn::backends::torch_sdpa
