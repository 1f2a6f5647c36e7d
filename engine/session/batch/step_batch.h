// SPDX-License-Identifier: GPL-3.0-or-later
// StepBatch: what a step gave to its backend. Only its plan and the block tables with which its
// kernels ran are kept (StepHistory::batch()); the metadata is made of these again, by the function
// with which the engine made it. Any thread; plain data.
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
  using Tables = std::array<std::vector<int32_t>, 2>;  // by TableKind
  uint32_t step = 0;
  std::vector<PlannedSequence> sequences;  // in the order of the batch
  // [sequences] physical block of each logical block, with the null block where a block left the
  // window.
  std::vector<Tables> tables;
};

// Whether steps without prefills replay captured plans in a run of the scenario by this backend.
bool uses_captured_plans(const Scenario& scenario, const AttentionBackend& backend);

// Makes a slice for each planned sequence: what it brings into the batch. table_of(i, kind) is a
// table of sequence i, which must outlive the slices.
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
// The flat batch of the encoder's layers: the encoder tokens of every prefill, one sequence after
// the other, all at once and without a place in the cache. slices: those of the step.
void fill_encoder_slices(std::span<const SequenceSlice> slices,
                         std::vector<SequenceSlice>& encoder_slices);
// Makes the metadata of a batch into `metadata`, which backend.make_metadata() has made and whose
// memory is reused.
void make_metadata(const AttentionBackend& backend, std::span<const SequenceSlice> slices,
                   int64_t block_size, bool captured, AttentionMetadata& metadata);

// The batch of the step that the snapshot shows: the one that is being computed or, between steps,
// the last one. Nothing where that step computed nothing or the history no longer has it.
std::optional<StepBatch> batch_of(const EngineSnapshot& snapshot);
// The metadata that every layer of the snapshot's run got with this batch, but for the layers of an
// encoder before the decoder.
std::shared_ptr<const AttentionMetadata> metadata_of(const StepBatch& batch,
                                                     const EngineSnapshot& snapshot);
// The metadata that the layers of an encoder before the decoder got with this batch; null: the step
// has no prefills, or the run no such layers.
std::shared_ptr<const AttentionMetadata> encoder_metadata_of(const StepBatch& batch,
                                                             const EngineSnapshot& snapshot);

}  // namespace attn
