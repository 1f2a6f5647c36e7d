// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <numeric>

#include "backends/xformers/backend.h"
#include "backends/xformers/biases.h"
#include "engine/kernels/gather_rows.h"
#include "engine/kernels/memory_efficient_prefill.h"
#include "engine/kernels/paged_decode.h"
#include "engine/kernels/paged_layout.h"
#include "engine/kernels/prefix_prefill.h"

namespace attn::backends::xformers {
namespace {

// The kernels' scratch memory is shared by all layers; a captured size makes it as large as its
// longest replay needs it.
class XformersState final : public AttentionState {
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

class XformersImpl final : public AttentionImpl {
 public:
  explicit XformersImpl(const AttentionConfig& config) : config_(config) {}

  bool forward(const AttentionInputs& inputs, const AttentionMetadata& metadata,
               const AttentionOutputs& outputs, const Execution& execution) override {
    metadata.require_fields(config_.attn_type);
    Call call{inputs, outputs, execution,
              {},     nullptr, inputs.state ? inputs.state->shared<Workspace>() : workspace_};
    call.lse = outputs.lse ? outputs.lse->data<float>() : own_lse(*inputs.query);
    if (uses_cache() && !inputs.kv_cache.empty()) {
      call.cache = paged_cache_layout(inputs.kv_cache);
      apply_scales(call.cache, inputs.scales);
      if (inputs.key && !write_cache(call, metadata)) return false;
    }
    if (config_.attn_type == AttentionType::kEncoder)  // the batch is the encoder's, all of it
      return packed_prefill(call, metadata);
    if (const AttentionMetadata* part = metadata.prefill_metadata())
      if (!(has_prefix(call, *part) ? prefix_prefill(call, *part) : packed_prefill(call, *part)))
        return false;
    if (const AttentionMetadata* part = metadata.decode_metadata())
      return decode(call, *part, metadata.num_prefill_tokens);
    return true;
  }

 private:
  struct Call {
    const AttentionInputs& inputs;
    const AttentionOutputs& outputs;
    const Execution& execution;
    CacheLayout cache;
    float* lse;
    Workspace& workspace;
  };

  bool is_cross() const { return config_.attn_type == AttentionType::kEncoderDecoder; }
  bool uses_cache() const { return config_.attn_type == AttentionType::kDecoder || is_cross(); }

  bool write_cache(const Call& call, const AttentionMetadata& metadata) const {
    return cache_write(*call.inputs.key, *call.inputs.value,
                       is_cross() ? *metadata.cross_slot_mapping : metadata.slot_mapping,
                       call.cache, call.execution,
                       call.inputs.state ? &call.inputs.state->saturated_values() : nullptr);
  }

  // A prefix of one sequence sends the whole batch through context attention, as in the original,
  // where the batch has block tables or has none.
  bool has_prefix(const Call& call, const AttentionMetadata& part) const {
    return config_.attn_type == AttentionType::kDecoder && !call.inputs.kv_cache.empty() &&
           std::ranges::any_of(part.context_lens, [](int32_t context) { return context > 0; });
  }

  template <class Args>
  void set_shape(const Call& call, Args& args) const {
    args.query = call.inputs.query;
    args.out = call.outputs.out;
    args.lse = call.lse;
    args.num_heads = config_.num_heads;
    args.num_kv_heads = config_.num_kv_heads;
    args.head_size = config_.head_size;
    args.scale = config_.scale;
    args.alibi_slopes = config_.alibi_slopes ? config_.alibi_slopes->data() : nullptr;
  }

  KvSource input_rows(const Tensor& rows, int64_t first) const {
    const int64_t width = config_.num_kv_heads * config_.head_size;
    return dense_rows(static_cast<const std::byte*>(rows.raw()) +
                          static_cast<size_t>(first * width) * size_of(rows.dtype()),
                      rows.dtype(), config_.num_kv_heads, config_.head_size);
  }

  // One call over the packed batch; with ALiBi one call per sequence.
  bool packed_prefill(const Call& call, const AttentionMetadata& part) {
    const BiasList& biases = packed_biases(config_, part, call.execution);
    std::vector<uint32_t> requests;
    for (int64_t s = 0; s < part.num_seqs(); ++s) requests.push_back(part.request(s));
    MemoryEfficientArgs args;
    set_shape(call, args);
    if (call.inputs.key) {
      args.keys = input_rows(*call.inputs.key, 0);
      args.values = input_rows(*call.inputs.value, 0);
    } else {
      gather_cross(call, part, args);
    }
    bool done = true;
    int64_t row = 0;
    for (size_t i = 0; done && i < biases.size(); ++i) {
      const auto* alibi = dynamic_cast<const AlibiBias*>(biases[i].get());
      const AttentionBias& mask = alibi ? alibi->mask() : *biases[i];
      args.mask = static_cast<const BlockDiagonalRule*>(&mask);
      args.requests = requests;
      if (alibi) {
        args.row_begin = row;
        args.keys = input_rows(*call.inputs.key, row);
        args.values = input_rows(*call.inputs.value, row);
        args.requests = args.requests.subspan(i, 1);
        emit_split(call, i, biases.size());
      }
      row += mask.num_queries();
      if (mask.num_queries() == 0) continue;
      done = memory_efficient_prefill(args, call.workspace, call.execution);
    }
    return done;
  }

  static void emit_split(const Call& call, size_t index, size_t calls) {
    if (calls > 1)
      emit_instant(call.execution, EventKind::kCallSplit,
                   static_cast<uint32_t>(KernelId::kMemoryEfficientPrefill),
                   static_cast<uint32_t>(index), static_cast<uint32_t>(calls), 1);
  }

  // Cross attention of a prefill that brings no encoder tokens: those in the cache, packed.
  void gather_cross(const Call& call, const AttentionMetadata& part, MemoryEfficientArgs& args) {
    const BlockTableArgs table = part.block_table_args_for(config_.attn_type, true);
    const int64_t tokens =
        std::accumulate(table.seq_lens.begin(), table.seq_lens.end(), int64_t{0});
    for (const bool is_key : {true, false}) {
      Tensor& rows = is_key ? cross_keys_ : cross_values_;
      rows = Tensor(DType::kF32, {config_.num_kv_heads, tokens, config_.head_size});
      KvSource source = is_key ? call.cache.keys : call.cache.values;
      int64_t first = 0;
      for (int64_t s = 0; s < part.num_seqs(); ++s) {
        source.block_table = table.block_tables.data() + s * table.max_blocks_per_seq;
        const int64_t count = table.seq_lens[static_cast<size_t>(s)];
        for (int64_t head = 0; head < config_.num_kv_heads; ++head)
          gather_rows(source, head, 0, count, config_.head_size,
                      rows.data<float>() + (head * tokens + first) * config_.head_size);
        first += count;
      }
      KvSource& packed = is_key ? args.keys : args.values;
      packed = dense_rows(rows.raw(), DType::kF32, 1, config_.head_size);
      packed.head_stride = tokens * config_.head_size;
    }
  }

  bool prefix_prefill(const Call& call, const AttentionMetadata& part) {
    prefixes_.clear();
    for (int64_t s = 0; s < part.num_seqs(); ++s) {
      const auto i = static_cast<size_t>(s);
      PrefixSequence sequence;
      sequence.request = part.request(s);
      sequence.row_begin = part.query_start_loc[i];
      sequence.query_len = part.query_len(s);
      sequence.context_len = part.context_lens[i];
      sequence.context_keys = call.cache.keys;
      sequence.context_values = call.cache.values;
      sequence.context_keys.block_table = sequence.context_values.block_table =
          part.block_table(s).data();
      sequence.new_keys = input_rows(*call.inputs.key, sequence.row_begin);
      sequence.new_values = input_rows(*call.inputs.value, sequence.row_begin);
      prefixes_.push_back(sequence);
    }
    PrefixArgs args;
    set_shape(call, args);
    args.sliding_window = config_.sliding_window.value_or(0);
    args.sequences = prefixes_;
    return attn::prefix_prefill(args, call.workspace, call.execution);
  }

  bool decode(const Call& call, const AttentionMetadata& part, int64_t first_row) {
    CapturedPlan* plan = captured_plan(call, part);
    if (!plan)
      return run_decode(call, part, *call.inputs.query, *call.outputs.out, call.lse, first_row);
    plan->take_query(*call.inputs.query, first_row);
    if (!run_decode(call, plan->metadata, plan->query, plan->out, plan->lse.data<float>(), 0))
      return false;
    plan->give_output(*call.outputs.out, call.lse, first_row);
    return true;
  }

  static CapturedPlan* captured_plan(const Call& call, const AttentionMetadata& part) {
    AttentionState* state = call.inputs.state;
    if (!part.use_captured_plan || !state || !state->is_captured()) return nullptr;
    CapturedPlan* plan = state->replay(part, call.execution);
    return plan && plan->query.dtype() == call.inputs.query->dtype() ? plan : nullptr;
  }

  bool run_decode(const Call& call, const AttentionMetadata& part, const Tensor& query, Tensor& out,
                  float* lse, int64_t first_row) {
    decodes_.clear();
    const BlockTableArgs table = part.block_table_args_for(config_.attn_type, false);
    for (int64_t s = 0; s < part.num_seqs(); ++s) {
      DecodeSequence sequence;
      sequence.request = part.request(s);
      sequence.row = first_row + s;
      sequence.seq_len = table.seq_lens[static_cast<size_t>(s)];
      sequence.keys = call.cache.keys;
      sequence.values = call.cache.values;
      sequence.keys.block_table = sequence.values.block_table =
          table.block_tables.data() + s * table.max_blocks_per_seq;
      decodes_.push_back(sequence);
    }
    DecodeArgs args;
    set_shape(call, args);
    args.query = &query;
    args.out = &out;
    args.lse = lse;
    args.sliding_window = config_.sliding_window.value_or(0);
    args.sequences = decodes_;
    return use_paged_decode_v1(table.max_seq_len, part.num_seqs(), config_.num_heads)
               ? paged_decode_v1(args, call.workspace, call.execution)
               : paged_decode_v2(args, call.workspace, call.execution);
  }

  float* own_lse(const Tensor& query) {
    lse_.resize(static_cast<size_t>(query.dim(0) * config_.num_heads));
    return lse_.data();
  }

  AttentionConfig config_;
  Workspace workspace_;
  Tensor cross_keys_, cross_values_;  // [Hkv, encoder tokens, D]
  std::vector<PrefixSequence> prefixes_;
  std::vector<DecodeSequence> decodes_;
  std::vector<float> lse_;
};

}  // namespace

std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig& config) {
  return std::make_unique<XformersImpl>(config);
}

std::unique_ptr<AttentionState> make_state() {
  return std::make_unique<XformersState>();
}

}  // namespace attn::backends::xformers
