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
    metadata.require_fields(config_.attn_type);
    CacheLayout layout;
    const CacheLayout* cache = nullptr;
    if (uses_cache() && !inputs.kv_cache.empty()) {
      layout = cache_layout(inputs.kv_cache);
      apply_scales(layout, inputs.scales);
      cache = &layout;
      if (inputs.key &&
          !cache_write(*inputs.key, *inputs.value,
                       is_cross() ? *metadata.cross_slot_mapping : metadata.slot_mapping, layout,
                       execution, inputs.state ? &inputs.state->saturated_values() : nullptr))
        return false;
    }
    float* lse = outputs.lse ? outputs.lse->data<float>() : own_lse(*inputs.query);
    if (config_.attn_type == AttentionType::kEncoder)  // the batch is the encoder's, all of it
      return prefill(inputs, metadata, cache, outputs, lse, execution);
    if (const AttentionMetadata* part = metadata.prefill_metadata())
      if (!prefill(inputs, *part, cache, outputs, lse, execution)) return false;
    const AttentionMetadata* part = metadata.decode_metadata();
    return !part ||
           decode(inputs, *part, *cache, metadata.num_prefill_tokens, outputs, lse, execution);
  }

 private:
  bool is_cross() const { return config_.attn_type == AttentionType::kEncoderDecoder; }
  bool uses_cache() const { return config_.attn_type == AttentionType::kDecoder || is_cross(); }
  Workspace& workspace(const AttentionInputs& inputs) {
    return inputs.state ? inputs.state->shared<Workspace>() : workspace_;
  }

  // New keys and values are read as they came where the cache holds the same bits; a cache of
  // another type is what later steps will see, so this one sees it too.
  bool reads_cache(const AttentionInputs& inputs, const CacheLayout* cache,
                   int64_t context_len) const {
    if (!cache) return false;
    if (!inputs.key || inputs.key->dtype() != cache->keys.dtype) return true;
    return !is_cross() && context_len > 0;
  }

  bool prefill(const AttentionInputs& inputs, const AttentionMetadata& part,
               const CacheLayout* cache, const AttentionOutputs& outputs, float* lse,
               const Execution& execution) {
    prefills_.clear();
    const BlockTableArgs table = part.block_table_args_for(config_.attn_type, true);
    int64_t encoder_row = 0;
    for (int64_t s = 0; s < part.num_seqs(); ++s) {
      const auto i = static_cast<size_t>(s);
      PrefillSequence sequence;
      sequence.request = part.request(s);
      sequence.row_begin = part.query_start_loc[i];
      sequence.query_len = part.query_len(s);
      sequence.kv_len = table.seq_lens[i];
      if (config_.attn_type == AttentionType::kEncoder) {
        sequence.row_begin = encoder_row;
        sequence.query_len = sequence.kv_len;
      }
      sequence.context_len = uses_cache() ? part.context_lens[i] : 0;
      if (reads_cache(inputs, cache, sequence.context_len)) {
        sequence.keys = cache->keys;
        sequence.values = cache->values;
        sequence.keys.block_table = sequence.values.block_table =
            table.block_tables.data() + s * table.max_blocks_per_seq;
      } else {
        const int64_t row = is_cross() ? encoder_row : sequence.row_begin;
        sequence.keys = rows_from(*inputs.key, row);
        sequence.values = rows_from(*inputs.value, row);
      }
      encoder_row += sequence.kv_len;
      sequence.bias = part.dense_bias_at(sequence.row_begin);
      sequence.bias_head_stride = part.dense_bias_head_stride();
      sequence.bias_row_stride = part.dense_bias ? part.dense_bias->dim(2) : 0;
      prefills_.push_back(sequence);
    }
    PrefillArgs args;
    fill(args, lse);
    args.query = inputs.query;
    args.out = outputs.out;
    args.causal = config_.attn_type == AttentionType::kDecoder;
    args.sequences = prefills_;
    args.kernel = KernelId::kUnifiedPrefill;
    return flash_prefill(args, workspace(inputs), execution);
  }

  bool decode(const AttentionInputs& inputs, const AttentionMetadata& part,
              const CacheLayout& cache, int64_t first_row, const AttentionOutputs& outputs,
              float* lse, const Execution& execution) {
    decodes_.clear();
    const BlockTableArgs table = part.block_table_args_for(config_.attn_type, false);
    for (int64_t s = 0; s < part.num_seqs(); ++s) {
      DecodeSequence sequence;
      sequence.request = part.request(s);
      sequence.row = first_row + s;
      sequence.seq_len = table.seq_lens[static_cast<size_t>(s)];
      sequence.keys = cache.keys;
      sequence.values = cache.values;
      sequence.keys.block_table = sequence.values.block_table =
          table.block_tables.data() + s * table.max_blocks_per_seq;
      decodes_.push_back(sequence);
    }
    DecodeArgs args;
    fill(args, lse);
    args.query = inputs.query;
    args.out = outputs.out;
    args.sequences = decodes_;
    return paged_decode_grouped(args, workspace(inputs), execution);
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
  void fill(Args& args, float* lse) const {
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

  float* own_lse(const Tensor& query) {
    lse_.resize(static_cast<size_t>(query.dim(0) * config_.num_heads));
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
