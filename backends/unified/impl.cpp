// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/unified/backend.h"
#include "engine/kernels/flash_prefill.h"
#include "engine/kernels/paged_decode.h"

namespace attn::backends::unified {
namespace {

class UnifiedImpl final : public AttentionImpl {
 public:
  explicit UnifiedImpl(const AttentionConfig& config) : config_(config) {}

  bool forward(const AttentionInputs& inputs, const AttentionMetadata& metadata,
               const AttentionOutputs& outputs, const Execution& execution) override {
    const bool cached = !inputs.kv_cache.empty() && config_.attn_type == AttentionType::kDecoder;
    CacheLayout cache;
    if (cached) {
      cache = cache_layout(inputs.kv_cache);
      if (!cache_write(*inputs.key, *inputs.value, metadata.slot_mapping, cache, execution))
        return false;
    }
    float* lse = outputs.lse ? outputs.lse->data<float>() : own_lse(metadata);
    if (metadata.num_prefills > 0 &&
        !prefill(inputs, metadata, cached ? &cache : nullptr, outputs, lse, execution))
      return false;
    return metadata.num_decode_tokens == 0 ||
           decode(inputs, metadata, cache, outputs, lse, execution);
  }

 private:
  // New keys and values are read as they came where the cache holds the same bits; a cache of
  // another type is what later steps will see, so this one sees it too.
  bool prefill(const AttentionInputs& inputs, const AttentionMetadata& metadata,
               const CacheLayout* cache, const AttentionOutputs& outputs, float* lse,
               const Execution& execution) {
    const bool same_type = !cache || cache->keys.dtype == inputs.key->dtype();
    prefills_.clear();
    for (int64_t s = 0; s < metadata.num_prefills; ++s) {
      const auto i = static_cast<size_t>(s);
      PrefillSequence sequence;
      sequence.request = metadata.request(s);
      sequence.row_begin = metadata.query_start_loc[i];
      sequence.query_len = metadata.query_len(s);
      sequence.context_len = cache ? metadata.context_lens[i] : 0;
      sequence.kv_len = cache ? metadata.seq_lens[i] : sequence.query_len;
      if (sequence.context_len == 0 && same_type) {
        sequence.keys = rows_from(*inputs.key, sequence.row_begin);
        sequence.values = rows_from(*inputs.value, sequence.row_begin);
      } else {
        sequence.keys = cache->keys;
        sequence.values = cache->values;
        sequence.keys.block_table = sequence.values.block_table = metadata.block_table(s).data();
      }
      prefills_.push_back(sequence);
    }
    PrefillArgs args;
    fill(args, inputs, outputs, lse);
    args.causal = config_.attn_type == AttentionType::kDecoder;
    args.sequences = prefills_;
    args.kernel = KernelId::kUnifiedPrefill;
    return flash_prefill(args, workspace_, execution);
  }

  bool decode(const AttentionInputs& inputs, const AttentionMetadata& metadata,
              const CacheLayout& cache, const AttentionOutputs& outputs, float* lse,
              const Execution& execution) {
    decodes_.clear();
    for (int64_t s = metadata.num_prefills; s < metadata.num_seqs(); ++s) {
      DecodeSequence sequence;
      sequence.request = metadata.request(s);
      sequence.row = metadata.query_start_loc[static_cast<size_t>(s)];
      sequence.seq_len = metadata.seq_lens[static_cast<size_t>(s)];
      sequence.keys = cache.keys;
      sequence.values = cache.values;
      sequence.keys.block_table = sequence.values.block_table = metadata.block_table(s).data();
      decodes_.push_back(sequence);
    }
    DecodeArgs args;
    fill(args, inputs, outputs, lse);
    args.sequences = decodes_;
    return paged_decode_grouped(args, workspace_, execution);
  }

  // Row `row` of a tensor [T, Hkv, D] as token 0.
  KvSource rows_from(const Tensor& tensor, int64_t row) const {
    const auto bytes = static_cast<size_t>(row * config_.num_kv_heads * config_.head_size) *
                       size_of(tensor.dtype());
    return dense_rows(static_cast<const std::byte*>(tensor.raw()) + bytes, tensor.dtype(),
                      config_.num_kv_heads, config_.head_size);
  }

  // What prefill and decode have in common.
  template <class Args>
  void fill(Args& args, const AttentionInputs& inputs, const AttentionOutputs& outputs,
            float* lse) const {
    args.query = inputs.query;
    args.out = outputs.out;
    args.lse = lse;
    args.num_heads = config_.num_heads;
    args.num_kv_heads = config_.num_kv_heads;
    args.head_size = config_.head_size;
    args.scale = config_.scale;
    args.sliding_window = config_.sliding_window.value_or(0);
    args.alibi_slopes = config_.alibi_slopes ? config_.alibi_slopes->data() : nullptr;
    args.soft_cap = config_.logits_soft_cap.value_or(0.0f);
    args.sinks = config_.sinks ? config_.sinks->data() : nullptr;
    args.blocksparse = config_.blocksparse ? &*config_.blocksparse : nullptr;
  }

  float* own_lse(const AttentionMetadata& metadata) {
    lse_.resize(static_cast<size_t>(metadata.num_tokens() * config_.num_heads));
    return lse_.data();
  }

  AttentionConfig config_;
  Workspace workspace_;
  std::vector<PrefillSequence> prefills_;
  std::vector<DecodeSequence> decodes_;
  std::vector<float> lse_;
};

}  // namespace

std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig& config) {
  return std::make_unique<UnifiedImpl>(config);
}

}  // namespace attn::backends::unified
