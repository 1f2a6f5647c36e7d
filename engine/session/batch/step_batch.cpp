// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/batch/step_batch.h"

#include <algorithm>

#include "engine/session/history/step_history.h"
#include "engine/session/run/snapshot.h"

namespace attn {
namespace {

// The batch of a step that is under way, whose tables the snapshot has.
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
      // Snapshots have -1 where the engine's own tables have the null block, which is block 0.
      std::ranges::replace(table, -1, 0);
    }
  }
  return batch;
}

}  // namespace

bool uses_captured_plans(const Scenario& scenario, const AttentionBackend& backend) {
  return scenario.engine.use_captured_plan && backend.capabilities().captured_plans &&
         scenario.attention.type != AttentionType::kEncoderOnly;
}

void make_metadata(const AttentionBackend& backend, std::span<const SequenceSlice> slices,
                   int64_t block_size, bool captured, AttentionMetadata& metadata) {
  backend.build_metadata(slices, block_size, metadata);
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

std::shared_ptr<const AttentionMetadata> metadata_of(const StepBatch& batch,
                                                     const EngineSnapshot& snapshot) {
  const Scenario& scenario = *snapshot.scenario;
  std::vector<SequenceSlice> slices;
  fill_slices(
      batch.sequences, scenario.attention.type == AttentionType::kEncoderDecoder,
      [&batch](size_t i, TableKind kind) -> std::span<const int32_t> {
        return batch.tables[i][static_cast<size_t>(kind)];
      },
      slices);
  const AttentionBackend& backend = backend_named(scenario.engine.backend);
  std::shared_ptr<AttentionMetadata> metadata = backend.make_metadata();
  make_metadata(backend, slices, snapshot.block_size, uses_captured_plans(scenario, backend),
                *metadata);
  return metadata;
}

}  // namespace attn
