// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "backends/torch_sdpa/backend.h"
#include "engine/kernels/flash_prefill.h"
#include "engine/kernels/math_prefill.h"
#include "engine/kernels/paged_decode.h"

namespace attn::backends::torch_sdpa {
namespace {

// The kernels' scratch memory is shared by all layers; a captured size makes it as large as its
// longest replay needs it.
class TorchSdpaState final : public AttentionState {
 protected:
  void on_capture(const CapturedPlan& plan, const Execution& /*execution*/) override {
    const CaptureSpec& spec = capture_spec();
    const int64_t longest =
        std::max(spec.max_blocks_per_seq, spec.max_cross_blocks) * spec.block_size;
    const int64_t tiles = (longest + kKvTile - 1) / kKvTile;
    // A partial result: max and sum on a line of their own, then the padded output row.
    const int64_t partial = 16 + (spec.config.head_size + 15) / 16 * 16;
    shared<Workspace>().shared(
        static_cast<size_t>(plan.batch * spec.config.num_heads * tiles * partial));
  }
};

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
    metadata.require_fields(config_.attn_type);
    CacheLayout cache;
    if (uses_cache() && !inputs.kv_cache.empty()) {
      cache = cache_layout(inputs.kv_cache);
      apply_scales(cache, inputs.scales);
      if (inputs.key && !write_cache(inputs, metadata, cache, execution)) return false;
    }
    float* lse = outputs.lse ? outputs.lse->data<float>() : own_lse(*inputs.query);
    if (config_.attn_type == AttentionType::kEncoder)  // the batch is the encoder's, all of it
      return prefill(inputs, metadata, cache, outputs, lse, execution);
    if (const AttentionMetadata* part = metadata.prefill_metadata())
      if (!prefill(inputs, *part, cache, outputs, lse, execution)) return false;
    if (const AttentionMetadata* part = metadata.decode_metadata())
      if (!decode(inputs, *part, cache, metadata.num_prefill_tokens, outputs, lse, execution))
        return false;
    return true;
  }

 private:
  bool uses_cache() const {
    return config_.attn_type == AttentionType::kDecoder ||
           config_.attn_type == AttentionType::kEncoderDecoder;
  }
  bool is_cross() const { return config_.attn_type == AttentionType::kEncoderDecoder; }
  Workspace& workspace(const AttentionInputs& inputs) {
    return inputs.state ? inputs.state->shared<Workspace>() : workspace_;
  }

  bool write_cache(const AttentionInputs& inputs, const AttentionMetadata& metadata,
                   const CacheLayout& cache, const Execution& execution) const {
    return cache_write(*inputs.key, *inputs.value,
                       is_cross() ? *metadata.cross_slot_mapping : metadata.slot_mapping, cache,
                       execution, inputs.state ? &inputs.state->saturated_values() : nullptr);
  }

  // Keys and values as they came, from row `row` on.
  void read_input(const AttentionInputs& inputs, int64_t row, PrefillSequence& sequence) const {
    const int64_t offset = row * config_.num_kv_heads * config_.head_size;
    const auto bytes = static_cast<size_t>(offset) * size_of(inputs.key->dtype());
    sequence.keys = dense_rows(static_cast<const std::byte*>(inputs.key->raw()) + bytes,
                               inputs.key->dtype(), config_.num_kv_heads, config_.head_size);
    sequence.values = dense_rows(static_cast<const std::byte*>(inputs.value->raw()) + bytes,
                                 inputs.value->dtype(), config_.num_kv_heads, config_.head_size);
  }

  // All of the sequence's keys and values through its table.
  template <class Sequence>
  void read_cache(const CacheLayout& cache, const int32_t* block_table, Sequence& sequence) const {
    sequence.keys = cache.keys;
    sequence.values = cache.values;
    sequence.keys.block_table = sequence.values.block_table = block_table;
  }

  // Without cached tokens the new keys and values are read as they came; with them, all are read
  // through the table.
  void plan_prefill(const AttentionInputs& inputs, const AttentionMetadata& part,
                    const CacheLayout& cache) {
    sequences_.clear();
    int64_t encoder_row = 0;
    const BlockTableArgs args = part.block_table_args_for(config_.attn_type, true);
    for (int64_t s = 0; s < part.num_seqs(); ++s) {
      const auto i = static_cast<size_t>(s);
      PrefillSequence sequence;
      sequence.request = part.request(s);
      sequence.row_begin = part.query_start_loc[i];
      sequence.query_len = part.query_len(s);
      sequence.context_len = part.context_lens[i];
      sequence.kv_len = args.seq_lens[i];
      int64_t kv_row = sequence.row_begin;
      bool cached = sequence.context_len > 0;
      if (!uses_cache()) {
        if (config_.attn_type == AttentionType::kEncoder) {
          sequence.row_begin = kv_row = encoder_row;
          sequence.query_len = sequence.kv_len;
        }
        sequence.context_len = 0;
        cached = false;
      } else if (is_cross()) {
        kv_row = encoder_row;
        cached = inputs.key == nullptr;
      }
      encoder_row += sequence.kv_len;
      if (cached)
        read_cache(cache, args.block_tables.data() + s * args.max_blocks_per_seq, sequence);
      else
        read_input(inputs, kv_row, sequence);
      sequence.bias = part.dense_bias_at(sequence.row_begin);
      sequence.bias_head_stride = part.dense_bias_head_stride();
      sequence.bias_row_stride = part.dense_bias ? part.dense_bias->dim(2) : 0;
      sequences_.push_back(sequence);
    }
  }

  bool prefill(const AttentionInputs& inputs, const AttentionMetadata& part,
               const CacheLayout& cache, const AttentionOutputs& outputs, float* lse,
               const Execution& execution) {
    plan_prefill(inputs, part, cache);
    // A built mask is what the op gets for ALiBi and windows; else it is told is_causal.
    if (config_.alibi_slopes || config_.sliding_window) step_biases(config_, part, execution);
    PrefillArgs args;
    args.query = inputs.query;
    args.out = outputs.out;
    args.lse = lse;
    args.num_heads = config_.num_heads;
    args.num_kv_heads = config_.num_kv_heads;
    args.head_size = config_.head_size;
    args.scale = config_.scale;
    args.causal = config_.attn_type == AttentionType::kDecoder;
    args.sliding_window = config_.sliding_window.value_or(0);
    args.alibi_slopes = config_.alibi_slopes ? config_.alibi_slopes->data() : nullptr;
    args.sequences = sequences_;
    const bool math = config_.sdpa_kernel == SdpaKernel::kMath;
    if (math) args.weights = outputs.weights;
    return math ? math_prefill(args, workspace(inputs), execution)
                : flash_prefill(args, workspace(inputs), execution);
  }

  bool decode(const AttentionInputs& inputs, const AttentionMetadata& part,
              const CacheLayout& cache, int64_t first_row, const AttentionOutputs& outputs,
              float* lse, const Execution& execution) {
    CapturedPlan* plan = captured_plan(inputs, part, execution);
    if (!plan)
      return run_decode(inputs, part, cache, *inputs.query, *outputs.out, lse, first_row,
                        execution);
    plan->take_query(*inputs.query, first_row);
    if (!run_decode(inputs, plan->metadata, cache, plan->query, plan->out, plan->lse.data<float>(),
                    0, execution))
      return false;
    plan->give_output(*outputs.out, lse, first_row);
    return true;
  }

  CapturedPlan* captured_plan(const AttentionInputs& inputs, const AttentionMetadata& part,
                              const Execution& execution) const {
    if (!part.use_captured_plan || !inputs.state || !inputs.state->is_captured()) return nullptr;
    CapturedPlan* plan = inputs.state->replay(part, execution);
    return plan && plan->query.dtype() == inputs.query->dtype() ? plan : nullptr;
  }

  bool run_decode(const AttentionInputs& inputs, const AttentionMetadata& part,
                  const CacheLayout& cache, const Tensor& query, Tensor& out, float* lse,
                  int64_t first_row, const Execution& execution) {
    decodes_.clear();
    const BlockTableArgs table = part.block_table_args_for(config_.attn_type, false);
    for (int64_t s = 0; s < part.num_seqs(); ++s) {
      DecodeSequence sequence;
      sequence.request = part.request(s);
      sequence.row = first_row + s;
      sequence.seq_len = table.seq_lens[static_cast<size_t>(s)];
      read_cache(cache, table.block_tables.data() + s * table.max_blocks_per_seq, sequence);
      decodes_.push_back(sequence);
    }
    DecodeArgs args;
    args.query = &query;
    args.out = &out;
    args.lse = lse;
    args.num_heads = config_.num_heads;
    args.num_kv_heads = config_.num_kv_heads;
    args.head_size = config_.head_size;
    args.scale = config_.scale;
    args.sliding_window = config_.sliding_window.value_or(0);
    args.alibi_slopes = config_.alibi_slopes ? config_.alibi_slopes->data() : nullptr;
    args.sequences = decodes_;
    Workspace& scratch = workspace(inputs);
    return use_paged_decode_v1(table.max_seq_len, part.num_seqs(), config_.num_heads)
               ? paged_decode_v1(args, scratch, execution)
               : paged_decode_v2(args, scratch, execution);
  }

  float* own_lse(const Tensor& query) {
    lse_.resize(static_cast<size_t>(query.dim(0) * config_.num_heads));
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

std::unique_ptr<AttentionState> make_state() {
  return std::make_unique<TorchSdpaState>();
}

}  // namespace attn::backends::torch_sdpa
