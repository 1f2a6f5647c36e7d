// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <numeric>

#include "backends/xformers/backend.h"
#include "backends/xformers/biases.h"
#include "backends/xformers/memory_efficient_prefill.h"
#include "backends/xformers/metadata.h"
#include "backends/xformers/prefix_prefill.h"
#include "engine/kernels/cache/gather_rows.h"
#include "engine/kernels/cache/paged_layout.h"
#include "engine/kernels/fault.h"
#include "engine/kernels/paged_impl.h"

namespace attn::backends::xformers {
namespace {

class XformersImpl final : public PagedImpl {
 public:
  explicit XformersImpl(const AttentionConfig& config) : PagedImpl(config) {}

  std::vector<std::string> warnings() const override {
    std::vector<std::string> sentences;
    if (config().logits_soft_cap)
      sentences.emplace_back(
          "XFORMERS ignores the logits soft cap, as releases of the original after 0.6.4 do: "
          "results can differ from those of a backend that has the cap.");
    add_mask_warnings(config(), "XFORMERS", sentences);
    return sentences;
  }

 private:
  CacheLayout layout_of(const KvCacheView& cache) const override {
    return paged_cache_layout(cache);
  }

  bool prefill(const PagedCall& call, const AttentionMetadata& part) override {
    return has_prefix(call, part) ? prefix_prefill(call, part) : packed_prefill(call, part);
  }

  // If one sequence has a prefix, the whole batch goes through context attention, as in vLLM.
  bool has_prefix(const PagedCall& call, const AttentionMetadata& part) const {
    if (const auto* own = dynamic_cast<const XformersMetadata*>(&part))
      return own->has_prefix && call.has_cache && config().attn_type == AttentionType::kDecoder;
    return config().attn_type == AttentionType::kDecoder && call.has_cache &&
           std::ranges::any_of(part.context_lens, [](int32_t context) { return context > 0; });
  }

  // One call over the packed batch; with ALiBi one call per sequence.
  bool packed_prefill(const PagedCall& call, const AttentionMetadata& part) {
    const BiasList& biases =
        packed_biases(config(), part, call.inputs.query->dtype(), call.execution);
    std::vector<uint32_t> requests;
    for (int64_t s = 0; s < part.num_seqs(); ++s) requests.push_back(part.request(s));
    MemoryEfficientArgs args;
    set_operands(call, args);
    if (call.inputs.key) {
      args.keys = input_rows(*call.inputs.key, 0);
      args.values = input_rows(*call.inputs.value, 0);
    } else {
      gather_cross(call, part, args);
    }
    bool done = true;
    int64_t row = 0;
    for (size_t i = 0; done && i < biases.size(); ++i) {
      const auto* alibi = dynamic_cast<const LowerTriangularMaskWithTensorBias*>(biases[i].get());
      const AttentionBias& mask = alibi ? alibi->mask() : *biases[i];
      args.tensor_bias = alibi ? &alibi->tensor() : nullptr;
      args.mask = static_cast<const BlockDiagonalRule*>(&mask);
      args.requests = requests;
      args.positions = part.context_lens;
      if (alibi) {
        args.row_begin = ATTN_FAULT(kAlibiFromFirstRow) ? 0 : row;
        args.keys = input_rows(*call.inputs.key, row);
        args.values = input_rows(*call.inputs.value, row);
        args.requests = args.requests.subspan(i, 1);
        args.positions = args.positions.subspan(i, 1);
        emit_split(call, i, biases.size());
      }
      row += mask.num_queries();
      if (mask.num_queries() == 0) continue;
      done = memory_efficient_prefill(args, call.workspace, call.execution);
    }
    return done;
  }

  static void emit_split(const PagedCall& call, size_t index, size_t calls) {
    if (calls > 1)
      emit_instant(call.execution, EventKind::kCallSplit,
                   static_cast<uint32_t>(KernelId::kMemoryEfficientPrefill),
                   static_cast<uint32_t>(index), static_cast<uint32_t>(calls), 1);
  }

  // For cross attention of a prefill without new encoder tokens: gathers the cached ones into
  // packed rows.
  void gather_cross(const PagedCall& call, const AttentionMetadata& part,
                    MemoryEfficientArgs& args) {
    const BlockTableArgs table = part.block_table_args_for(config().attn_type, true);
    const int64_t tokens =
        std::accumulate(table.seq_lens.begin(), table.seq_lens.end(), int64_t{0});
    for (const bool is_key : {true, false}) {
      Tensor& rows = is_key ? cross_keys_ : cross_values_;
      rows = Tensor(DType::kF32, {config().num_kv_heads, tokens, config().head_size});
      KvSource source = is_key ? call.cache.keys : call.cache.values;
      int64_t first = 0;
      for (int64_t s = 0; s < part.num_seqs(); ++s) {
        source.block_table = table.block_tables.data() + s * table.max_blocks_per_seq;
        const int64_t count = table.seq_lens[static_cast<size_t>(s)];
        for (int64_t head = 0; head < config().num_kv_heads; ++head)
          gather_rows(source, head, 0, count, config().head_size,
                      rows.data<float>() + (head * tokens + first) * config().head_size);
        first += count;
      }
      KvSource& packed = is_key ? args.keys : args.values;
      packed = dense_rows(rows.raw(), DType::kF32, 1, config().head_size);
      packed.head_stride = tokens * config().head_size;
    }
  }

  bool prefix_prefill(const PagedCall& call, const AttentionMetadata& part) {
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
    set_operands(call, args);
    args.sliding_window = config().sliding_window.value_or(0);
    args.sequences = prefixes_;
    return xformers::prefix_prefill(args, call.workspace, call.execution);
  }

  Tensor cross_keys_, cross_values_;  // [Hkv, encoder tokens, D]
  std::vector<PrefixSequence> prefixes_;
};

}  // namespace

std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig& config) {
  return std::make_unique<XformersImpl>(config);
}

}  // namespace attn::backends::xformers
