// SPDX-License-Identifier: GPL-3.0-or-later
// THE CONTRACT, part 2: what one forward call of a batch looks like. The batch is flat: num_tokens
// rows, the tokens of prefill sequences first, then one token per decoding sequence. Built once per
// step, shared by all layers, plain data.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/attention/types.h"

namespace attn {

struct AttentionMetadata {
  int64_t num_prefills =
      0;  // sequences in prefill: rows 0 .. num_prefills-1 of the per-sequence arrays
  int64_t num_prefill_tokens = 0;  // rows of the flat batch that belong to them
  int64_t num_decode_tokens = 0;   // decoding sequences, one token each
  std::vector<int64_t>
      slot_mapping;  // [T] slot = block * block_size + offset; kPaddingSlot: write nothing
  std::vector<int32_t> seq_lens;         // [S] context_len + query_len
  std::vector<int32_t> context_lens;     // [S] tokens already in the cache
  std::vector<int32_t> query_start_loc;  // [S + 1] first row of each sequence in the flat batch
  std::vector<int32_t>
      block_tables;  // [S, max_blocks_per_seq] physical block of logical block j; unused = -1
  int64_t max_blocks_per_seq = 0;
  int64_t max_query_len = 0;
  int64_t max_prefill_seq_len = 0;
  int64_t max_decode_seq_len = 0;
  bool use_captured_plan = false;
  std::vector<uint32_t>
      requests;  // [S] request id per sequence, for the trace; empty: sequence index

  // Encoder and cross attention; empty for decoder-only models.
  std::optional<std::vector<int32_t>> encoder_seq_lens;  // [S]
  std::optional<int64_t> num_encoder_tokens;
  std::optional<int64_t> max_encoder_seq_len;
  std::optional<std::vector<int64_t>> cross_slot_mapping;  // [encoder tokens]
  std::optional<std::vector<int32_t>> cross_block_tables;  // [S, max_cross_blocks]

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

  // The part of the batch in that phase, or null when there is none. Computed at the first call and
  // kept; the result lives as long as this object. Engine thread.
  const AttentionMetadata* prefill_metadata() const;
  const AttentionMetadata* decode_metadata() const;

 private:
  mutable std::shared_ptr<const AttentionMetadata> prefill_, decode_;
  mutable bool split_ = false;
  void split() const;
};

// One sequence's share of a step, as the scheduler plans it.
struct SequenceSlice {
  uint32_t request = 0;
  int64_t context_len = 0;  // tokens already in the cache
  int64_t query_len = 0;    // new tokens of this step
  bool is_prefill = false;
  std::span<const int32_t>
      block_table;  // physical block of logical block j, covers context_len + query_len tokens
};

// Builds the metadata of a batch: prefill slices first (order kept), then decodes. Throws
// Error(kBadInput) when a table does not cover its tokens or a decode has query_len != 1.
AttentionMetadata build_metadata(std::span<const SequenceSlice> slices, int64_t block_size);

// Checks the array lengths, ranges, that slots and tables stay inside the cache and that no slot is
// written twice. Throws Error(kBadInput).
void validate(const AttentionMetadata& metadata, int64_t num_blocks, int64_t block_size);

}  // namespace attn
