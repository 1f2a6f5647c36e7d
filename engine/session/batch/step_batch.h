// SPDX-License-Identifier: GPL-3.0-or-later
// StepBatch: the planned sequences of a step and their block tables. The metadata that the step
// gave to its backend can be made from them again. Any thread; plain data.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/attention/backend.h"
#include "engine/scheduler/batch_plan.h"
#include "engine/session/scenario/scenario.h"

namespace attn {

struct EngineSnapshot;

struct StepBatch {
  using Tables = std::array<std::vector<int32_t>, 2>;  // index: TableKind
  uint32_t step = 0;
  std::vector<PlannedSequence> sequences;  // in batch order
  // [sequences] physical block of each logical block, with the null block where a block left the
  // window.
  std::vector<Tables> tables;
};

bool uses_captured_plans(const Scenario& scenario, const AttentionBackend& backend);

// Makes a slice for each planned sequence. table_of(i, kind): a block table of sequence i, which
// must outlive the slices.
template <class TableOf>
void fill_slices(std::span<const PlannedSequence> sequences, bool has_encoder, TableOf&& table_of,
                 std::vector<SequenceSlice>& slices) {
  slices.clear();
  for (size_t i = 0; i < sequences.size(); ++i) {
    const PlannedSequence& planned = sequences[i];
    SequenceSlice& slice = slices.emplace_back();
    slice.request = planned.request;
    slice.context_len = planned.context_len;
    slice.query_len = planned.query_len;
    slice.is_prefill = planned.is_prefill;
    slice.encoder_len = planned.encoder_len;
    if (planned.caches_own) slice.block_table = table_of(i, TableKind::kOwn);
    if (has_encoder) slice.cross_block_table = table_of(i, TableKind::kCross);
  }
}
// Makes the slices of the encoder layers: the encoder tokens of each prefill. slices: those of the
// step.
void fill_encoder_slices(std::span<const SequenceSlice> slices,
                         std::vector<SequenceSlice>& encoder_slices);
// Fills `metadata`, which the backend's make_metadata() made, and reuses its memory.
void make_metadata(std::span<const SequenceSlice> slices, int64_t block_size, bool captured,
                   AttentionMetadata& metadata);

// The batch of the step that the snapshot shows: the one being computed or, between steps, the last
// one. nullopt: nothing was computed, or the batch is not known.
std::optional<StepBatch> batch_of(const EngineSnapshot& snapshot);
// The metadata that the layers got with this batch, except encoder layers before a decoder.
std::shared_ptr<const AttentionMetadata> metadata_of(const StepBatch& batch,
                                                     const EngineSnapshot& snapshot);
// The metadata of the encoder layers before a decoder. Null: no prefills, or no such layers.
std::shared_ptr<const AttentionMetadata> encoder_metadata_of(const StepBatch& batch,
                                                             const EngineSnapshot& snapshot);

}  // namespace attn
