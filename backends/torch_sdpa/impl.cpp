// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/torch_sdpa/backend.h"
#include "engine/kernels/flash_prefill.h"
#include "engine/kernels/math_prefill.h"
#include "engine/kernels/paged_decode.h"

namespace attn::backends::torch_sdpa {
namespace {

class TorchSdpaImpl final : public AttentionImpl {
 public:
  explicit TorchSdpaImpl(const AttentionConfig& config) : config_(config) {}

  std::vector<std::string> warnings() const override {
    if (!config_.logits_soft_cap) return {};
    return {
        "TORCH_SDPA ignores the logits soft cap, as the original does: results differ from the "
        "model's own."};
  }

  bool forward(const AttentionInputs& inputs, const AttentionMetadata& metadata,
               const AttentionOutputs& outputs, const Execution& execution) override {
    CacheLayout cache;
    if (!inputs.kv_cache.empty()) {
      cache = cache_layout(inputs.kv_cache);
      if (!cache_write(*inputs.key, *inputs.value, metadata.slot_mapping, cache, execution))
        return false;
    }
    float* lse = outputs.lse ? outputs.lse->data<float>() : own_lse(metadata);
    if (const AttentionMetadata* part = metadata.prefill_metadata())
      if (!prefill(inputs, *part, cache, outputs, lse, execution)) return false;
    if (const AttentionMetadata* part = metadata.decode_metadata())
      if (!decode(inputs, *part, cache, metadata.num_prefill_tokens, outputs, lse, execution))
        return false;
    return true;
  }

 private:
  // Without cached tokens the new keys and values are read as they came; with them, all are read
  // through the table.
  bool prefill(const AttentionInputs& inputs, const AttentionMetadata& part,
               const CacheLayout& cache, const AttentionOutputs& outputs, float* lse,
               const Execution& execution) {
    sequences_.clear();
    for (int64_t s = 0; s < part.num_seqs(); ++s) {
      const auto i = static_cast<size_t>(s);
      PrefillSequence sequence;
      sequence.request = part.request(s);
      sequence.row_begin = part.query_start_loc[i];
      sequence.query_len = part.query_len(s);
      sequence.context_len = part.context_lens[i];
      sequence.kv_len = part.seq_lens[i];
      if (sequence.context_len == 0) {
        const int64_t offset = sequence.row_begin * config_.num_kv_heads * config_.head_size;
        const auto bytes = static_cast<size_t>(offset) * size_of(inputs.key->dtype());
        sequence.keys = dense_rows(static_cast<const std::byte*>(inputs.key->raw()) + bytes,
                                   inputs.key->dtype(), config_.num_kv_heads, config_.head_size);
        sequence.values =
            dense_rows(static_cast<const std::byte*>(inputs.value->raw()) + bytes,
                       inputs.value->dtype(), config_.num_kv_heads, config_.head_size);
      } else {
        sequence.keys = cache.keys;
        sequence.values = cache.values;
        sequence.keys.block_table = sequence.values.block_table = part.block_table(s).data();
      }
      sequences_.push_back(sequence);
    }
    PrefillArgs args;
    args.query = inputs.query;
    args.out = outputs.out;
    args.lse = lse;
    args.num_heads = config_.num_heads;
    args.num_kv_heads = config_.num_kv_heads;
    args.head_size = config_.head_size;
    args.scale = config_.scale;
    args.sliding_window = config_.sliding_window.value_or(0);
    args.alibi_slopes = config_.alibi_slopes ? config_.alibi_slopes->data() : nullptr;
    args.sequences = sequences_;
    if (config_.sdpa_kernel == SdpaKernel::kMath) {
      args.weights = outputs.weights;
      return math_prefill(args, workspace_, execution);
    }
    return flash_prefill(args, workspace_, execution);
  }

  bool decode(const AttentionInputs& inputs, const AttentionMetadata& part,
              const CacheLayout& cache, int64_t first_row, const AttentionOutputs& outputs,
              float* lse, const Execution& execution) {
    decodes_.clear();
    for (int64_t s = 0; s < part.num_seqs(); ++s) {
      DecodeSequence sequence;
      sequence.request = part.request(s);
      sequence.row = first_row + s;
      sequence.seq_len = part.seq_lens[static_cast<size_t>(s)];
      sequence.keys = cache.keys;
      sequence.values = cache.values;
      sequence.keys.block_table = sequence.values.block_table = part.block_table(s).data();
      decodes_.push_back(sequence);
    }
    DecodeArgs args;
    args.query = inputs.query;
    args.out = outputs.out;
    args.lse = lse;
    args.num_heads = config_.num_heads;
    args.num_kv_heads = config_.num_kv_heads;
    args.head_size = config_.head_size;
    args.scale = config_.scale;
    args.sliding_window = config_.sliding_window.value_or(0);
    args.alibi_slopes = config_.alibi_slopes ? config_.alibi_slopes->data() : nullptr;
    args.sequences = decodes_;
    return use_paged_decode_v1(part.max_decode_seq_len, part.num_seqs(), config_.num_heads)
               ? paged_decode_v1(args, workspace_, execution)
               : paged_decode_v2(args, workspace_, execution);
  }

  float* own_lse(const AttentionMetadata& metadata) {
    lse_.resize(static_cast<size_t>(metadata.num_tokens() * config_.num_heads));
    return lse_.data();
  }

  AttentionConfig config_;
  Workspace workspace_;
  std::vector<PrefillSequence> sequences_;
  std::vector<DecodeSequence> decodes_;
  std::vector<float> lse_;
};

}  // namespace

std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig& config) {
  return std::make_unique<TorchSdpaImpl>(config);
}

}  // namespace attn::backends::torch_sdpa
