// SPDX-License-Identifier: GPL-3.0-or-later
// THE CONTRACT, part 2: what one forward call of a batch looks like. The batch is flat: num_tokens
// rows, the tokens of prefill sequences first, then one token per decoding sequence.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/attention/attention_bias.h"
#include "engine/attention/types.h"

namespace attn {

// Lengths [S] of the sequences. query: tokens of the query side, cached ones included. kv: tokens
// of the key side.
struct SeqLens {
  std::span<const int32_t> query, kv;
};

// The keys that an attention type reads (block_table_args_for()): lengths, longest, block tables.
struct BlockTableArgs {
  std::span<const int32_t> seq_lens;  // [S]
  int64_t max_seq_len = 0;
  std::span<const int32_t> block_tables;  // [S, max_blocks_per_seq]; empty for ENCODER
  int64_t max_blocks_per_seq = 0;
};

struct AttentionMetadata {
  AttentionMetadata() = default;
  AttentionMetadata(const AttentionMetadata&) = default;
  AttentionMetadata& operator=(const AttentionMetadata&) = default;
  AttentionMetadata(AttentionMetadata&&) = default;
  AttentionMetadata& operator=(AttentionMetadata&&) = default;
  virtual ~AttentionMetadata() = default;
  // A backend may have a type of its own (AttentionBackend::make_metadata). The name is the
  // original's: "TorchSDPAMetadata".
  virtual std::string_view type_name() const { return "AttentionMetadata"; }
  // An empty object of the same type; the parts of a batch are made with it.
  virtual std::unique_ptr<AttentionMetadata> make_empty() const {
    return std::make_unique<AttentionMetadata>();
  }
  // Sets the fields that a derived type adds, from the common ones. Called when those are set, for
  // a batch and for its parts.
  virtual void on_built() {}

  // Sequences in prefill. They have the entries 0 .. num_prefills - 1 of the arrays [S].
  int64_t num_prefills = 0;
  int64_t num_prefill_tokens = 0;  // rows of the flat batch that belong to prefills
  int64_t num_decode_tokens = 0;   // decoding sequences, one token each
  // [T] slot = block * block_size + offset; kPaddingSlot: write nothing.
  std::vector<int64_t> slot_mapping;
  std::vector<int32_t> seq_lens;         // [S] context_len + query_len
  std::vector<int32_t> context_lens;     // [S] tokens already in the cache
  std::vector<int32_t> query_start_loc;  // [S + 1] first row of each sequence, then the row count
  // [S, max_blocks_per_seq] physical block of logical block j; unused = -1.
  std::vector<int32_t> block_tables;
  int64_t max_blocks_per_seq = 0;
  int64_t max_query_len = 0;
  int64_t max_prefill_seq_len = 0;
  int64_t max_decode_seq_len = 0;
  // Whether decodes replay a captured plan that fits. False in the prefill part of a batch.
  bool use_captured_plan = false;
  // [S] request id per sequence, for trace and records; empty: sequence index.
  std::vector<uint32_t> requests;

  // Fields of encoder and cross attention; unset for decoder-only models. In ENCODER attention the
  // flat batch consists of encoder tokens: encoder_seq_lens[s] rows per sequence, one sequence
  // after the other. In cross attention key and value are those of the encoder tokens of the
  // prefill sequences, in the same order.
  std::optional<std::vector<int32_t>> encoder_seq_lens;  // [S], decoding sequences too
  std::optional<int64_t> num_encoder_tokens;  // ENCODER: rows of the batch; cross: of key, if any
  std::optional<int64_t> max_encoder_seq_len;
  // [num_encoder_tokens] slot for the K and V of an encoder token; kPaddingSlot: not written.
  std::optional<std::vector<int64_t>> cross_slot_mapping;
  std::optional<std::vector<int32_t>> cross_block_tables;  // [S, max_cross_blocks]

  // A tensor added to the scaled and capped scores, f32 [H or 1, rows, columns]; -inf masks. Its
  // row is the row of the flat batch (+ dense_bias_row, if this is a part of a batch), its column
  // the key position in the sequence.
  std::shared_ptr<const Tensor> dense_bias;  // null: none
  int64_t dense_bias_row = 0;

  int64_t num_seqs() const { return static_cast<int64_t>(seq_lens.size()); }
  int64_t num_tokens() const { return num_prefill_tokens + num_decode_tokens; }
  int64_t query_len(int64_t seq) const {
    return query_start_loc[static_cast<size_t>(seq) + 1] -
           query_start_loc[static_cast<size_t>(seq)];
  }
  std::span<const int32_t> block_table(int64_t seq) const {
    return {block_tables.data() + seq * max_blocks_per_seq,
            static_cast<size_t>(max_blocks_per_seq)};
  }
  uint32_t request(int64_t seq) const {
    return requests.empty() ? static_cast<uint32_t>(seq) : requests[static_cast<size_t>(seq)];
  }

  int64_t max_cross_blocks() const {
    return cross_block_tables && num_seqs() > 0
               ? static_cast<int64_t>(cross_block_tables->size()) / num_seqs()
               : 0;
  }
  std::span<const int32_t> cross_block_table(int64_t seq) const {
    return {cross_block_tables->data() + seq * max_cross_blocks(),
            static_cast<size_t>(max_cross_blocks())};
  }
  // The bias of head 0 for row `first_row` of this flat batch; null: no dense bias. Rows are
  // dense_bias->dim(2) floats apart, heads dense_bias_head_stride().
  const float* dense_bias_at(int64_t first_row) const {
    return dense_bias
               ? dense_bias->data<float>() + (dense_bias_row + first_row) * dense_bias->dim(2)
               : nullptr;
  }
  int64_t dense_bias_head_stride() const {  // 0: one bias for all heads, or no bias
    return dense_bias && dense_bias->dim(0) > 1 ? dense_bias->dim(1) * dense_bias->dim(2) : 0;
  }

  // The prefills of the batch, or its decodes, as a batch of their own; null when there are none.
  // This object itself if it has nothing else (for the prefills: and use_captured_plan is false).
  // The result lives as long as this object, or until clear(). One thread at a time.
  const AttentionMetadata* prefill_metadata() const;
  const AttentionMetadata* decode_metadata() const;

  // Throws Error(kBadInput) naming the fields that `type` needs and that are not set
  // (encoder_seq_lens, num_encoder_tokens, max_encoder_seq_len; for cross attention also
  // cross_slot_mapping, cross_block_tables), or when ENCODER_ONLY has decode rows or
  // cached tokens.
  void require_fields(AttentionType type) const;
  // Sequence lengths on the query side and on the key side. DECODER, ENCODER_ONLY: seq_lens
  // (context + new tokens) for both. ENCODER: encoder_seq_lens for both. ENCODER_DECODER: seq_lens
  // and encoder_seq_lens. Throws as require_fields().
  SeqLens seq_lens_for(AttentionType type) const;
  // DECODER, ENCODER_ONLY: seq_lens, the longest of the prefills or of the decodes, block_tables.
  // ENCODER_DECODER: encoder_seq_lens and cross_block_tables. ENCODER: encoder_seq_lens and no
  // table. Throws as require_fields().
  BlockTableArgs block_table_args_for(AttentionType type, bool is_prefill) const;
  // The biases of this step for an attention type; null before they are set. One thread at a time.
  const BiasList* attn_bias_for(AttentionType type) const;
  void set_attn_bias(AttentionType type,
                     BiasList biases) const;  // const, as it only fills a cache
  void forget_attn_biases() const;
  // Empties the fields of this struct. The vectors that every batch fills keep their memory.
  void clear();

 private:
  mutable std::shared_ptr<const AttentionMetadata> prefill_, decode_;
  mutable bool split_ = false;
  mutable std::optional<BiasList> decoder_bias_, encoder_bias_, encoder_only_bias_, cross_bias_;
  std::optional<BiasList>& bias_slot(AttentionType type) const;
  void split() const;
};

// One sequence's share of a step.
struct SequenceSlice {
  uint32_t request = 0;
  int64_t context_len = 0;  // tokens already in the cache
  int64_t query_len = 0;    // new tokens of this step
  bool is_prefill = false;
  // Physical block of logical block j; covers context_len + query_len tokens. May be empty if
  // encoder_len > 0: then none of the sequence's own tokens are cached, and its rows have padding
  // slots.
  std::span<const int32_t> block_table;
  int64_t encoder_len = 0;                          // encoder tokens of the sequence; 0: no encoder
  std::span<const int32_t> cross_block_table = {};  // covers encoder_len tokens
};

// Builds the metadata of a batch from its slices, which must be in order: prefills, then decodes.
// Throws Error(kBadInput) for a prefill after a decode, a decode with query_len != 1 or a table
// that does not cover its tokens. If any slice has encoder tokens, the encoder fields are set, too;
// num_encoder_tokens counts those of the prefills.
AttentionMetadata build_metadata(std::span<const SequenceSlice> slices, int64_t block_size);
// As build_metadata() above, but fills `metadata`, which may hold another batch.
void build_metadata(std::span<const SequenceSlice> slices, int64_t block_size,
                    AttentionMetadata& metadata);

// Checks the lengths of arrays and sequences, that slots and block tables stay inside the cache,
// and that no slot is written twice. Throws Error(kBadInput).
void validate(const AttentionMetadata& metadata, int64_t num_blocks, int64_t block_size);
// Checks require_fields() and the encoder fields of an attention type, for a cache of num_blocks
// (0: a call without cache). Throws Error(kBadInput).
void validate_for(AttentionType type, const AttentionMetadata& metadata, int64_t num_blocks,
                  int64_t block_size);

}  // namespace attn
