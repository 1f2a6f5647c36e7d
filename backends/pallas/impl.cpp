// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/pallas/backend.h"
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

// Counts the rows of a kernel, and those that it computes only because lengths are padded to a
// multiple of 16.
struct PaddingCount {
  int64_t rows = 0, padding = 0, sequences = 0;
  void add(int64_t query_len) {
    rows += query_len;
    padding += padded_prefill_length(query_len) - query_len;
    ++sequences;
  }
  void emit(const Execution& execution, KernelId kernel) const {
    if (padding > 0)
      emit_instant(execution, EventKind::kPadding, static_cast<uint32_t>(kernel),
                   static_cast<uint32_t>(rows), static_cast<uint32_t>(padding),
                   static_cast<uint32_t>(sequences));
  }
};

class PallasImpl final : public AttentionImpl {
 public:
  explicit PallasImpl(const AttentionConfig& config)
      : config_(config), version_(tpu_version(config)) {}

  bool forward(const AttentionInputs& inputs, const AttentionMetadata& metadata,
               const AttentionOutputs& outputs, const Execution& execution) override {
    auto reasons = call_not_supported_reasons(inputs.scales, metadata);
    if (!reasons.empty()) throw Error::not_supported(std::move(reasons));
    Workspace& workspace = inputs.state ? inputs.state->shared<Workspace>() : workspace_;
    float* lse = outputs.lse ? outputs.lse->data<float>() : own_lse(metadata);
    if (!inputs.kv_cache.empty() &&
        !index_copy(*inputs.key, *inputs.value, flat_rows(metadata.slot_mapping, inputs.kv_cache),
                    inputs.kv_cache, execution))
      return false;
    const Call call{inputs, outputs, lse, workspace, execution};
    if (const AttentionMetadata* part = metadata.prefill_metadata())
      if (!prefill_without_context(call, *part) || !prefill_with_context(call, *part)) return false;
    if (const AttentionMetadata* part = metadata.decode_metadata())
      return decode(call, *part, metadata.num_prefill_tokens);
    return true;
  }

 private:
  struct Call {
    const AttentionInputs& inputs;
    const AttentionOutputs& outputs;
    float* lse;
    Workspace& workspace;
    const Execution& execution;
  };

  // The flash kernel takes one prompt per call.
  bool prefill_without_context(const Call& call, const AttentionMetadata& part) {
    std::vector<int64_t> prompts;
    PaddingCount padding;
    for (int64_t s = 0; s < part.num_seqs(); ++s) {
      if (part.context_lens[static_cast<size_t>(s)] > 0 || part.query_len(s) == 0) continue;
      prompts.push_back(s);
      padding.add(part.query_len(s));
    }
    padding.emit(call.execution, KernelId::kPallasFlash);
    for (size_t i = 0; i < prompts.size(); ++i) {
      const int64_t s = prompts[i];
      emit_split(call.execution, KernelId::kPallasFlash, i, prompts.size(), 1);
      FlashArgs args;
      set_operands(config_, call.inputs, call.outputs, call.lse, args);
      args.request = part.request(s);
      args.row_begin = part.query_start_loc[static_cast<size_t>(s)];
      args.query_len = part.query_len(s);
      args.keys = input_rows(config_, *call.inputs.key, args.row_begin);
      args.values = input_rows(config_, *call.inputs.value, args.row_begin);
      if (!flash(args, call.workspace, call.execution)) return false;
    }
    return true;
  }

  bool prefill_with_context(const Call& call, const AttentionMetadata& part) {
    sequences_.clear();
    PaddingCount padding;
    for (int64_t s = 0; s < part.num_seqs(); ++s) {
      if (part.context_lens[static_cast<size_t>(s)] == 0 || part.query_len(s) == 0) continue;
      add_sequence(call, part, s, 0);
      padding.add(part.query_len(s));
    }
    if (sequences_.empty()) return true;
    padding.emit(call.execution, KernelId::kPallasMultiQuery);
    return multi_query_paged(paged_args(call), call.workspace, call.execution);
  }

  bool decode(const Call& call, const AttentionMetadata& part, int64_t first_row) {
    sequences_.clear();
    for (int64_t s = 0; s < part.num_seqs(); ++s) add_sequence(call, part, s, first_row);
    const PagedArgs args = paged_args(call);
    const auto calls = split_calls(part.num_seqs(), part.max_blocks_per_seq);
    for (size_t i = 0; i < calls.size(); ++i) {
      emit_split(call.execution, KernelId::kPallasPagedDecode, i, calls.size(), calls[i].count);
      const Megacore mode = megacore_mode(version_, config_.num_kv_heads, calls[i].count);
      if (!paged_decode(args, calls[i], mode, call.workspace, call.execution)) return false;
    }
    return true;
  }

  void add_sequence(const Call& call, const AttentionMetadata& part, int64_t s, int64_t first_row) {
    const CacheLayout cache = cache_layout(call.inputs.kv_cache);
    PagedSequence sequence;
    sequence.request = part.request(s);
    sequence.row_begin = first_row + part.query_start_loc[static_cast<size_t>(s)];
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

  float* own_lse(const AttentionMetadata& metadata) {
    lse_.resize(static_cast<size_t>(metadata.num_tokens() * config_.num_heads));
    return lse_.data();
  }

  AttentionConfig config_;
  TpuVersion version_;
  Workspace workspace_;
  std::vector<PagedSequence> sequences_;
  std::vector<float> lse_;
};

}  // namespace

std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig& config) {
  return std::make_unique<PallasImpl>(config);
}

}  // namespace attn::backends::pallas
