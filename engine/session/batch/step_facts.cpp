// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/batch/step_facts.h"

#include <algorithm>

#include "engine/attention/pad_heads.h"
#include "engine/core/error.h"
#include "engine/kernels/paged_backend.h"
#include "engine/session/run/engine.h"
#include "engine/session/run/layer_configs.h"

namespace attn {
namespace {

std::string_view lens_name(std::span<const int32_t> lens, const AttentionMetadata& part) {
  return lens.data() == part.seq_lens.data() ? "seq_lens" : "encoder_seq_lens";
}

StepFacts::Picked picked_of(AttentionType type, const AttentionMetadata& part, bool is_prefill) {
  StepFacts::Picked picked;
  picked.is_prefill = is_prefill;
  picked.sequences = part.num_seqs();
  picked.rows = part.num_tokens();
  const SeqLens lens = part.seq_lens_for(type);
  picked.query_lens = lens_name(lens.query, part);
  const BlockTableArgs args = part.block_table_args_for(type, is_prefill);
  picked.key_lens = lens_name(args.seq_lens, part);
  picked.max_seq_len = args.max_seq_len;
  picked.table_blocks = args.max_blocks_per_seq;
  if (!args.block_tables.empty())
    picked.table = args.block_tables.data() == part.block_tables.data() ? "block_tables"
                                                                        : "cross_block_tables";
  return picked;
}

// Rows of the replayed captured plan: the smallest size that holds this batch's decodes; 0: none.
// Of the row count in a step's record only whether it is 0 counts: a damaged file may hold any
// number.
int64_t captured_rows_of(const EngineSnapshot& snapshot, const AttentionMetadata& metadata,
                         uint32_t step) {
  bool is_replayed = metadata.use_captured_plan;
  if (snapshot.steps) {
    const auto record = std::ranges::find(*snapshot.steps, step, &StepRecord::step);
    if (record != snapshot.steps->end()) is_replayed = record->captured_rows > 0;
  }
  return is_replayed ? AttentionState::padded_batch(metadata.num_decode_tokens) : 0;
}

std::shared_ptr<const StepFacts> facts_of(const EngineSnapshot& snapshot, StepBatch batch) {
  auto facts = std::make_shared<StepFacts>();
  facts->metadata = metadata_of(batch, snapshot);
  facts->captured_rows = captured_rows_of(snapshot, *facts->metadata, batch.step);
  facts->encoder = encoder_metadata_of(batch, snapshot);
  facts->batch = std::move(batch);
  const AttentionBackend& backend = backend_named(snapshot.scenario->engine.backend);
  const auto* paged = dynamic_cast<const PagedBackend*>(&backend);
  const LayerConfigs configs = layer_configs(*snapshot.scenario, snapshot.source);
  const PlanInputs inputs{
      snapshot.block_size, facts->captured_rows, num_workers(*snapshot.scenario),
      snapshot.scenario->engine.clock == ClockKind::kVirtual ? TaskOrder::kStatic
                                                             : TaskOrder::kDynamic};
  for (size_t i = 0; i < configs.distinct.size(); ++i) {
    StepFacts::Layers& layers = facts->layers.emplace_back();
    layers.config = configs.distinct[i];
    for (int64_t layer = 0; layer < configs.num_layers(); ++layer)
      if (configs.index[static_cast<size_t>(layer)] == i) layers.layers.push_back(layer);
    const bool is_encoder = layers.config.attn_type == AttentionType::kEncoder;
    if (is_encoder && !facts->encoder) continue;  // encoder layers run only in steps with prompts
    const AttentionMetadata& metadata = is_encoder ? *facts->encoder : *facts->metadata;
    if (const AttentionMetadata* prefills = metadata.prefill_metadata())
      layers.picked.push_back(picked_of(layers.config.attn_type, *prefills, true));
    if (const AttentionMetadata* decodes = metadata.decode_metadata()) {
      layers.picked.push_back(picked_of(layers.config.attn_type, *decodes, false));
      layers.picked.back().first_sequence = metadata.num_prefills;
    }
    if (!paged) continue;
    const AttentionConfig config = padded_config(backend, layers.config);
    layers.calls = paged->planned_calls(config, metadata, inputs);
    layers.masks = paged->planned_masks(config, metadata, inputs);
  }
  return facts;
}

}  // namespace

std::shared_ptr<const StepFacts> step_facts(const EngineSnapshot& snapshot) {
  if (!snapshot.scenario || snapshot.block_size <= 0) return nullptr;
  try {
    std::optional<StepBatch> batch = batch_of(snapshot);
    return batch ? facts_of(snapshot, *std::move(batch)) : nullptr;
  } catch (const Error&) {
    return nullptr;
  }
}

std::shared_ptr<const CacheMap> cache_map_of(const EngineSnapshot& snapshot) {
  if (!snapshot.scenario || snapshot.block_size <= 0 ||
      snapshot.scenario->attention.type == AttentionType::kEncoderOnly)
    return nullptr;
  try {
    const AttentionBackend& backend = backend_named(snapshot.scenario->engine.backend);
    const auto* paged = dynamic_cast<const PagedBackend*>(&backend);
    if (!paged) return nullptr;
    const KvStorageSpec spec = storage_spec(*snapshot.scenario, snapshot.source, backend);
    return std::make_shared<const CacheMap>(paged->cache_map(
        spec.num_blocks, spec.block_size, spec.num_kv_heads, spec.head_size, spec.dtype));
  } catch (const Error&) {
    return nullptr;
  }
}

}  // namespace attn
