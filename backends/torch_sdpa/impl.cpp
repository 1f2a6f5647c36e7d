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

  // Without cached tokens the new keys and values are read as they came; with them, all are read
  // through the table.
  bool prefill(const PagedCall& call, const AttentionMetadata& part) override {
    PrefillArgs args = prefill_args(call, part, [&](int64_t context_len) {
      if (!uses_cache()) return false;
      return is_cross() ? call.inputs.key == nullptr : context_len > 0;
    });
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

std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig& config) {
  return std::make_unique<TorchSdpaImpl>(config);
}

}  // namespace attn::backends::torch_sdpa
