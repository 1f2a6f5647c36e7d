// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/unified/backend.h"
#include "engine/kernels/paged_impl.h"

namespace attn::backends::unified {
namespace {

class UnifiedImpl final : public PagedImpl {
 public:
  explicit UnifiedImpl(const AttentionConfig& config)
      : PagedImpl(config), is_fast_(exactness(config) == Exactness::kFast) {}

 private:
  CacheLayout layout_of(const KvCacheView& cache) const override { return cache_layout(cache); }
  bool uses_bf16_unit() const override { return true; }

  bool prefill(const PagedCall& call, const AttentionMetadata& part) override {
    PrefillArgs args = prefill_args(call, part, reads_new_keys_from_cache);
    set_features(args);
    args.bf16_weights = is_fast_ && is_bf16(call);
    args.kernel = KernelId::kUnifiedPrefill;
    return flash_prefill(args, call.workspace, call.execution);
  }

  bool decode(DecodeArgs& args, int64_t /*max_seq_len*/, Workspace& workspace,
              const Execution& execution) const override {
    set_features(args);
    args.one_partial_per_task = is_fast_;
    args.bf16_weights = is_fast_ && args.query->dtype() == DType::kBF16 &&
                        args.sequences.front().values.dtype == DType::kBF16;
    return paged_decode_grouped(args, workspace, execution);
  }

  static bool is_bf16(const PagedCall& call) {
    return call.inputs.query->dtype() == DType::kBF16 &&
           (!call.has_cache || call.cache.values.dtype == DType::kBF16);
  }

  template <class Args>
  void set_features(Args& args) const {
    args.soft_cap = config().logits_soft_cap.value_or(0.0f);
    args.sinks = config().sinks ? config().sinks->data() : nullptr;
    args.blocksparse = config().blocksparse ? &*config().blocksparse : nullptr;
  }

  bool is_fast_;
};

}  // namespace

bool reads_new_keys_from_cache(const NewKeys& keys) {
  return keys.dtype != keys.cache_dtype ||
         (keys.type == AttentionType::kDecoder && keys.context_len > 0);
}

std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig& config) {
  return std::make_unique<UnifiedImpl>(config);
}

}  // namespace attn::backends::unified
