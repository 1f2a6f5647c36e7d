// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/paged_impl.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/kernels/decode/decode_plan.h"
#include "engine/kernels/fault.h"
#include "engine/kernels/tiles/bf16_unit.h"

namespace attn {
namespace {

// The captured plan to replay; null: the decodes run on the call's own operands.
CapturedPlan* captured_plan(const AttentionInputs& inputs, const AttentionMetadata& part,
                            const Execution& execution) {
  if (!part.use_captured_plan || !inputs.state || !inputs.state->is_captured()) return nullptr;
  CapturedPlan* plan = inputs.state->replay(part, execution);
  return plan && plan->query.dtype() == inputs.query->dtype() ? plan : nullptr;
}

// Makes `to` read its keys and values from the cache, through row `sequence` of the block table.
template <class Sequence>
void read_cache(const CacheLayout& cache, const BlockTableArgs& table, int64_t sequence,
                Sequence& to) {
  to.keys = cache.keys;
  to.values = cache.values;
  to.keys.block_table = to.values.block_table =
      table.block_tables.data() + sequence * table.max_blocks_per_seq;
}

}  // namespace

bool ignores_window(const AttentionConfig& config) {
  return config.alibi_slopes && config.sliding_window;
}

bool has_cached_prompt(const AttentionMetadata& metadata) {
  const auto end = metadata.context_lens.begin() + metadata.num_prefills;
  return std::any_of(metadata.context_lens.begin(), end, [](int32_t len) { return len > 0; });
}

int64_t uncached_rows(const AttentionMetadata& metadata, int64_t sequence) {
  const bool is_prompt = sequence < metadata.num_prefills;
  return is_prompt && metadata.context_lens[static_cast<size_t>(sequence)] == 0
             ? metadata.query_len(sequence)
             : 0;
}

void add_mask_warnings(const AttentionConfig& config, std::string_view display_name,
                       std::vector<std::string>& sentences) {
  if (!config.alibi_slopes) return;
  if (ignores_window(config))
    sentences.push_back(fmt::format(
        "With ALiBi, {} ignores the sliding window in batches of prompts without cached tokens, as "
        "the original does{}.",
        display_name,
        config.attn_type == AttentionType::kDecoder
            ? "; prompts with cached tokens and decodes keep to it"
            : ""));
  if (config.dtype && *config.dtype != DType::kF32)
    sentences.push_back(fmt::format(
        "In batches of prompts without cached tokens, {} adds ALiBi as a tensor of {}, as the "
        "original does. "
        "The numbers of the tensor are rounded, and beyond position 256 (bf16) or 2048 (f16) the "
        "distances are rounded, too. Weights that views recompute take ALiBi without this "
        "rounding.",
        display_name, name_of(*config.dtype)));
}

void PagedState::on_capture(const CapturedPlan& plan, const Execution& /*execution*/) {
  const CaptureSpec& spec = capture_spec();
  const int64_t longest =
      std::max(spec.max_blocks_per_seq, spec.max_cross_blocks) * spec.block_size;
  const int64_t tiles = (longest + kKvTile - 1) / kKvTile;
  // Upper bound: one partial result per row, head and tile. Each has a header and a padded output
  // row.
  const int64_t partial = DecodePlan::kPartialHeader + (spec.config.head_size + 15) / 16 * 16;
  shared<Workspace>().shared(
      static_cast<size_t>(plan.batch * spec.config.num_heads * tiles * partial));
}

bool PagedImpl::forward(const AttentionInputs& inputs, const AttentionMetadata& metadata,
                        const AttentionOutputs& outputs, const Execution& execution) {
  metadata.require_fields(config_.attn_type);
  check(inputs);
  if (outputs.weights) outputs.weights->clear();
  PagedCall call{inputs,
                 outputs,
                 execution,
                 outputs.lse ? outputs.lse->data<float>() : own_lse(*inputs.query),
                 inputs.state ? inputs.state->shared<Workspace>() : workspace_,
                 {},
                 uses_cache() && !inputs.kv_cache.empty()};
  if (call.has_cache) {
    call.cache = layout_of(inputs.kv_cache);
    apply_scales(call.cache, inputs.scales);
    if (inputs.key && !write_cache(call, metadata)) return false;
  }
  if (config_.attn_type == AttentionType::kEncoder)  // all rows are encoder tokens
    return prefill(call, metadata);
  if (const AttentionMetadata* part = metadata.prefill_metadata())
    if (!prefill(call, *part)) return false;
  const AttentionMetadata* part = metadata.decode_metadata();
  return !part || decode_part(call, *part, metadata.num_prefill_tokens);
}

bool PagedImpl::write_cache(const PagedCall& call, const AttentionMetadata& metadata) const {
  return cache_write(*call.inputs.key, *call.inputs.value,
                     is_cross() ? *metadata.cross_slot_mapping : metadata.slot_mapping, call.cache,
                     call.execution,
                     call.inputs.state ? &call.inputs.state->cache_rounding() : nullptr);
}

Bf16Unit PagedImpl::unit_of(const PagedCall& call) const {
  if (!uses_bf16_unit() || call.inputs.query->dtype() != DType::kBF16 ||
      (call.inputs.key && call.inputs.key->dtype() != DType::kBF16))
    return Bf16Unit::kNone;
  const Bf16Unit unit = bf16_unit();
  return !call.has_cache || takes_keys(unit, call.cache.keys.dtype) ? unit : Bf16Unit::kNone;
}

PrefillArgs PagedImpl::prefill_args(const PagedCall& call, const AttentionMetadata& part,
                                    bool (*reads_new_keys_from_cache)(const NewKeys&)) {
  const auto reads_cache = [&](int64_t context_len) {
    if (!call.has_cache) return false;
    const Tensor* key = call.inputs.key;
    return !key || reads_new_keys_from_cache(
                       {config_.attn_type, key->dtype(), call.cache.keys.dtype, context_len});
  };
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
      sequence.row_begin = ATTN_FAULT(kEncoderFromFirst) ? 0 : encoder_row;
      sequence.query_len = sequence.kv_len;
    }
    sequence.context_len = uses_cache() ? part.context_lens[i] : 0;
    if (reads_cache(sequence.context_len)) {
      read_cache(call.cache, table, s, sequence);
    } else {
      const int64_t row = is_cross() ? encoder_row : sequence.row_begin;
      sequence.keys = input_rows(*call.inputs.key, row);
      sequence.values = input_rows(*call.inputs.value, row);
    }
    encoder_row += sequence.kv_len;
    sequence.bias = part.dense_bias_at(sequence.row_begin);
    sequence.bias_head_stride = part.dense_bias_head_stride();
    sequence.bias_row_stride = part.dense_bias ? part.dense_bias->dim(2) : 0;
    prefills_.push_back(sequence);
  }
  PrefillArgs args;
  set_operands(call, args);
  args.bf16_unit = unit_of(call);
  args.causal = config_.attn_type == AttentionType::kDecoder ||
                (ATTN_FAULT(kEncoderCausal) && config_.attn_type == AttentionType::kEncoder);
  args.sliding_window = config_.sliding_window.value_or(0);
  args.sequences = prefills_;
  return args;
}

bool PagedImpl::decode_part(const PagedCall& call, const AttentionMetadata& part,
                            int64_t first_row) {
  const Tensor& query = *call.inputs.query;
  Tensor& out = *call.outputs.out;
  CapturedPlan* plan = captured_plan(call.inputs, part, call.execution);
  if (!plan) return decode_rows(call, part, query, out, call.lse, first_row);
  plan->take_query(query, first_row);
  if (!decode_rows(call, plan->metadata, plan->query, plan->out, plan->lse.data<float>(), 0))
    return false;
  plan->give_output(out, call.lse, first_row);
  return true;
}

bool PagedImpl::decode_rows(const PagedCall& call, const AttentionMetadata& part,
                            const Tensor& query, Tensor& out, float* lse, int64_t first_row) {
  decodes_.clear();
  const BlockTableArgs table = part.block_table_args_for(config_.attn_type, false);
  for (int64_t s = 0; s < part.num_seqs(); ++s) {
    DecodeSequence sequence;
    sequence.request = part.request(s);
    sequence.row = first_row + s;
    sequence.seq_len = table.seq_lens[static_cast<size_t>(s)];
    if (is_cross()) sequence.position = part.context_lens[static_cast<size_t>(s)];
    read_cache(call.cache, table, s, sequence);
    decodes_.push_back(sequence);
  }
  DecodeArgs args;
  set_operands(call, args);
  args.query = &query;
  args.out = &out;
  args.lse = lse;
  args.bf16_unit = unit_of(call);
  args.sliding_window = config_.sliding_window.value_or(0);
  args.sequences = decodes_;
  return decode(args, table.max_seq_len, call.workspace, call.execution);
}

bool PagedImpl::decode(DecodeArgs& args, int64_t max_seq_len, Workspace& workspace,
                       const Execution& execution) const {
  const auto num_seqs = static_cast<int64_t>(args.sequences.size());
  return use_paged_decode_v1(max_seq_len, num_seqs, args.num_heads)
             ? paged_decode_v1(args, workspace, execution)
             : paged_decode_v2(args, workspace, execution);
}

float* PagedImpl::own_lse(const Tensor& query) {
  lse_.resize(static_cast<size_t>(query.dim(0) * config_.num_heads));
  return lse_.data();
}

}  // namespace attn
