// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/pallas/backend.h"
#include "backends/pallas/metadata.h"
#include "backends/pallas/padding/padded_rows.h"
#include "backends/pallas/pallas_cache.h"
#include "backends/pallas/pallas_flash.h"
#include "backends/pallas/pallas_multi_query.h"
#include "backends/pallas/pallas_paged_decode.h"
#include "engine/core/error.h"
#include "engine/kernels/call_operands.h"

namespace attn::backends::pallas {
namespace {

void emit_split(const Execution& execution, KernelId kernel, size_t call, size_t calls,
                int64_t sequences) {
  if (calls > 1)
    emit_instant(execution, EventKind::kCallSplit, static_cast<uint32_t>(kernel),
                 static_cast<uint32_t>(call), static_cast<uint32_t>(calls),
                 static_cast<uint32_t>(sequences));
}

// rows: the number of rows without padding.
void emit_padding(const Execution& execution, KernelId kernel, int64_t rows, int64_t padding,
                  int64_t sequences) {
  if (padding > 0)
    emit_instant(execution, EventKind::kPadding, static_cast<uint32_t>(kernel),
                 static_cast<uint32_t>(rows), static_cast<uint32_t>(padding),
                 static_cast<uint32_t>(sequences));
}

class PallasImpl final : public AttentionImpl {
 public:
  explicit PallasImpl(const AttentionConfig& config)
      : config_(config), version_(tpu_version(config)) {}

  bool forward(const AttentionInputs& inputs, const AttentionMetadata& metadata,
               const AttentionOutputs& outputs, const Execution& execution) override {
    auto reasons = call_not_supported_reasons(inputs.scales, metadata);
    if (!reasons.empty()) throw Error::not_supported(std::move(reasons));
    if (outputs.weights) outputs.weights->clear();
    Workspace& workspace = inputs.state ? inputs.state->shared<Workspace>() : workspace_;
    float* lse = outputs.lse ? outputs.lse->data<float>() : own_lse(metadata);
    const Call call{inputs, outputs, lse, workspace, execution};
    if (const AttentionMetadata* part = metadata.prefill_metadata())
      if (!prefill(call, *part)) return false;
    const AttentionMetadata* part = metadata.decode_metadata();
    return !part || decode(call, *part, metadata.num_prefill_tokens);
  }

 private:
  struct Call {
    const AttentionInputs& inputs;
    const AttentionOutputs& outputs;
    float* lse;
    Workspace& workspace;
    const Execution& execution;
  };

  bool prefill(const Call& call, const AttentionMetadata& part) {
    const PaddedPrefills& padded = padded_prefills(part, padded_);
    rows_.take(call.inputs, part, padded);
    if (!write(call, rows_.key(), rows_.value(), 0, padded.slot_mapping) ||
        !prefill_without_context(call, part, padded) || !prefill_with_context(call, part, padded))
      return false;
    rows_.give(part, padded, *call.outputs.out, call.lse);
    return true;
  }

  bool write(const Call& call, const Tensor& key, const Tensor& value, int64_t first_row,
             std::span<const int64_t> slot_mapping) const {
    const KvCacheView& cache = call.inputs.kv_cache;
    return cache.empty() ||
           index_copy(key, value, first_row, flat_rows(slot_mapping, cache), cache, call.execution);
  }

  bool prefill_without_context(const Call& call, const AttentionMetadata& part,
                               const PaddedPrefills& padded) {
    std::vector<int64_t> prompts;
    for (int64_t s = 0; s < part.num_seqs(); ++s)
      if (part.context_lens[static_cast<size_t>(s)] == 0 && part.query_len(s) > 0)
        prompts.push_back(s);
    for (size_t i = 0; i < prompts.size(); ++i) {
      const int64_t s = prompts[i];
      emit_split(call.execution, KernelId::kPallasFlash, i, prompts.size(), 1);
      FlashArgs args;
      set_padded_operands(call, args);
      args.request = part.request(s);
      args.row_begin = padded.start_loc[static_cast<size_t>(s)];
      args.padded_len = padded.rows_of(s);
      args.query_len = part.query_len(s);
      args.keys = input_rows(config_, rows_.key(), args.row_begin);
      args.values = input_rows(config_, rows_.value(), args.row_begin);
      emit_padding(call.execution, KernelId::kPallasFlash, args.query_len,
                   args.padded_len - args.query_len, 1);
      if (!flash(args, call.workspace, call.execution)) return false;
    }
    return true;
  }

  bool prefill_with_context(const Call& call, const AttentionMetadata& part,
                            const PaddedPrefills& padded) {
    sequences_.clear();
    int64_t rows = 0, padding = 0;
    for (int64_t s = 0; s < part.num_seqs(); ++s) {
      if (part.context_lens[static_cast<size_t>(s)] == 0 || part.query_len(s) == 0) continue;
      add_sequence(call, part, s, padded.start_loc[static_cast<size_t>(s)]);
      rows += part.query_len(s);
      padding += padded.rows_of(s) - part.query_len(s);
    }
    if (sequences_.empty()) return true;
    emit_padding(call.execution, KernelId::kPallasMultiQuery, rows, padding,
                 static_cast<int64_t>(sequences_.size()));
    PagedArgs args = paged_args(call);
    set_padded_operands(call, args);
    return multi_query_paged(args, call.workspace, call.execution);
  }

  bool decode(const Call& call, const AttentionMetadata& part, int64_t first_row) {
    if (!write(call, *call.inputs.key, *call.inputs.value, first_row, part.slot_mapping))
      return false;
    sequences_.clear();
    for (int64_t s = 0; s < part.num_seqs(); ++s) add_sequence(call, part, s, first_row + s);
    const PagedArgs args = paged_args(call);
    const auto calls = split_calls(part.num_seqs(), part.max_blocks_per_seq);
    for (size_t i = 0; i < calls.size(); ++i) {
      emit_split(call.execution, KernelId::kPallasPagedDecode, i, calls.size(), calls[i].count);
      const Megacore mode = megacore_mode(version_, config_.num_kv_heads, calls[i].count);
      if (!paged_decode(args, calls[i], mode, call.workspace, call.execution)) return false;
    }
    return true;
  }

  void add_sequence(const Call& call, const AttentionMetadata& part, int64_t s, int64_t row) {
    const CacheLayout cache = cache_layout(call.inputs.kv_cache);
    PagedSequence sequence;
    sequence.request = part.request(s);
    sequence.row_begin = row;
    sequence.query_len = part.query_len(s);
    sequence.seq_len = part.seq_lens[static_cast<size_t>(s)];
    sequence.keys = cache.keys;
    sequence.values = cache.values;
    sequence.keys.block_table = sequence.values.block_table = part.block_table(s).data();
    sequences_.push_back(sequence);
  }

  PagedArgs paged_args(const Call& call) const {
    PagedArgs args;
    set_operands(config_, call.inputs, call.outputs, call.lse, args);
    args.block_size = call.inputs.kv_cache.block_size;
    args.sequences = sequences_;
    return args;
  }

  template <class Args>
  void set_padded_operands(const Call& call, Args& args) {
    set_operands(config_, call.inputs, call.outputs, rows_.lse(), args);
    args.query = &rows_.query();
    args.out = &rows_.out();
  }

  float* own_lse(const AttentionMetadata& metadata) {
    lse_.resize(static_cast<size_t>(metadata.num_tokens() * config_.num_heads));
    return lse_.data();
  }

  AttentionConfig config_;
  TpuVersion version_;
  Workspace workspace_;
  PaddedPrefills padded_;  // for a batch of another type than PallasMetadata
  PaddedRows rows_;
  std::vector<PagedSequence> sequences_;
  std::vector<float> lse_;
};

}  // namespace

std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig& config) {
  return std::make_unique<PallasImpl>(config);
}

}  // namespace attn::backends::pallas
