// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/batch/step_batch.h"

#include <algorithm>

#include "engine/session/history/step_history.h"
#include "engine/session/run/snapshot.h"

namespace attn {
namespace {

// The batch of the step that is being computed, with the block tables of the snapshot. nullopt: a
// request is missing.
std::optional<StepBatch> batch_under_way(const EngineSnapshot& snapshot) {
  StepBatch batch;
  batch.step = snapshot.step;
  batch.sequences = snapshot.plan.sequences;
  for (const PlannedSequence& planned : batch.sequences) {
    const RequestView* request = request_by_id(snapshot, planned.request);
    if (!request) return std::nullopt;
    StepBatch::Tables& tables = batch.tables.emplace_back();
    for (const TableKind kind : kTableKinds) {
      std::vector<int32_t>& table = tables[static_cast<size_t>(kind)];
      table = request->table(kind).blocks;
      // A snapshot has -1 where the engine's table has the null block, which is block 0.
      std::ranges::replace(table, -1, 0);
    }
  }
  return batch;
}

std::vector<SequenceSlice> slices_of(const StepBatch& batch, const EngineSnapshot& snapshot) {
  std::vector<SequenceSlice> slices;
  fill_slices(
      batch.sequences, snapshot.scenario->attention.type == AttentionType::kEncoderDecoder,
      [&batch](size_t i, TableKind kind) -> std::span<const int32_t> {
        return batch.tables[i][static_cast<size_t>(kind)];
      },
      slices);
  return slices;
}

std::shared_ptr<const AttentionMetadata> metadata_from(std::span<const SequenceSlice> slices,
                                                       const EngineSnapshot& snapshot) {
  const AttentionBackend& backend = backend_named(snapshot.scenario->engine.backend);
  std::shared_ptr<AttentionMetadata> metadata = backend.make_metadata();
  make_metadata(slices, snapshot.block_size, uses_captured_plans(*snapshot.scenario, backend),
                *metadata);
  return metadata;
}

}  // namespace

bool uses_captured_plans(const Scenario& scenario, const AttentionBackend& backend) {
  return scenario.engine.use_captured_plan && backend.capabilities().captured_plans &&
         scenario.attention.type != AttentionType::kEncoderOnly;
}

void make_metadata(std::span<const SequenceSlice> slices, int64_t block_size, bool captured,
                   AttentionMetadata& metadata) {
  build_metadata(slices, block_size, metadata);
  metadata.use_captured_plan = captured && metadata.num_prefills == 0;
}

std::optional<StepBatch> batch_of(const EngineSnapshot& snapshot) {
  if (snapshot.history && snapshot.history->range().contains(snapshot.step))
    return snapshot.history->batch(snapshot.step);
  const bool has_ended =
      snapshot.steps && !snapshot.steps->empty() && snapshot.steps->back().step >= snapshot.step;
  if (has_ended || snapshot.plan.empty() || snapshot.plan.step != snapshot.step)
    return std::nullopt;
  return batch_under_way(snapshot);
}

void fill_encoder_slices(std::span<const SequenceSlice> slices,
                         std::vector<SequenceSlice>& encoder_slices) {
  encoder_slices.clear();
  for (const SequenceSlice& slice : slices) {
    if (!slice.is_prefill) continue;
    SequenceSlice& encoder = encoder_slices.emplace_back(slice);
    encoder.context_len = 0;
    encoder.query_len = slice.encoder_len;
    encoder.block_table = {};
  }
}

std::shared_ptr<const AttentionMetadata> metadata_of(const StepBatch& batch,
                                                     const EngineSnapshot& snapshot) {
  return metadata_from(slices_of(batch, snapshot), snapshot);
}

std::shared_ptr<const AttentionMetadata> encoder_metadata_of(const StepBatch& batch,
                                                             const EngineSnapshot& snapshot) {
  if (snapshot.source.num_encoder_layers() == 0) return nullptr;
  std::vector<SequenceSlice> slices;
  fill_encoder_slices(slices_of(batch, snapshot), slices);
  return slices.empty() ? nullptr : metadata_from(slices, snapshot);
}

}  // namespace attn
