// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a run. Private to engine.cpp (start of a run, adding requests, snapshots) and
// engine_step.cpp (one step). What a run does beside planning and computing is in the objects of
// parts/. Engine thread.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/session/history/step_history.h"
#include "engine/session/run/attention_groups.h"
#include "engine/session/run/engine.h"
#include "engine/session/run/parts/layer_operands.h"
#include "engine/session/run/parts/nan_watch.h"
#include "engine/session/run/parts/run_blocks.h"
#include "engine/session/run/parts/run_extras.h"
#include "engine/session/run/parts/run_records.h"
#include "engine/session/run/parts/run_rounding.h"
#include "engine/session/run/parts/run_trace.h"
#include "engine/session/run/parts/snapshot_parts.h"

namespace attn {

struct Engine::Impl {
  Impl(Scenario scenario_in, std::shared_ptr<Source> source_in, EngineOptions options_in);

  // --- engine.cpp: start ---
  KvStorageSpec checked_storage_spec() const;
  BlockManagerConfig manager_config() const;
  std::shared_ptr<StepHistory> make_history() const;
  SchedulerEvents scheduler_events();
  void on_block_change(const BlockChange& change);
  void warn_of_impls();
  void capture_plans();
  std::vector<uint64_t> arrivals() const;

  // --- engine.cpp: requests, snapshots ---
  uint32_t add(const ScenarioRequest& request, std::optional<uint64_t> arrival_ns = {},
               std::vector<int32_t> prompt = {});
  EngineSnapshot snapshot(EnginePhase phase);
  void publish(EnginePhase phase, bool always);

  // --- engine_step.cpp ---
  bool run_step();
  void announce();
  bool checkpoint(Granularity unit);
  void enter(StepProgress::Stage stage) const;
  bool wait_for_arrival();
  void make_plan(StepRecord& record);
  void prepare_record(const PlannedSequence& planned);
  bool compute(StepRecord& record);
  void make_metadata(StepRecord& record);
  void plan_slices();
  std::span<const SequenceSlice> slices_of(const AttentionGroup& group) const;
  void note_rows_without_window();
  StepTokens step_tokens() const;
  bool compute_layer(int64_t layer, StepRecord& record);
  std::vector<SampledToken> sample();
  void sample_sequence(const PlannedSequence& planned, std::span<const float> row,
                       std::vector<SampledToken>& sampled);
  void undo_step();
  void finish_step(StepRecord& record, std::span<const SampledToken> sampled);

  // --- engine_step.cpp: kernels ---
  Execution execution(uint8_t layer);
  int64_t query_tile_rows() const;

  // Whether every layer sees the whole prompt at once and keeps no cache.
  bool is_encoder() const { return scenario->attention.type == AttentionType::kEncoderOnly; }
  // Whether requests have an encoder, whose keys cross attention reads.
  bool has_encoder() const { return scenario->attention.type == AttentionType::kEncoderDecoder; }
  bool is_encoder_layer(int64_t of_layer) const { return of_layer < records.num_encoder_layers(); }

  std::shared_ptr<const Scenario> scenario;
  EngineOptions options;
  std::shared_ptr<Source> source;
  const AttentionBackend& backend;
  AttentionGroups groups;
  std::shared_ptr<const LayerRules> rules;
  ThreadPool pool;
  RunClock clock;
  std::shared_ptr<KvStorage> cache;
  std::shared_ptr<KvStorage> swap_cache;  // null: no swap pool
  BlockManager manager;
  std::unique_ptr<Scheduler> scheduler;

  // The step that is computed, or else the last one.
  uint32_t step = 0;
  int layer = -1;  // the layer that is computed; -1: none
  BatchPlan plan;
  std::vector<SequenceSlice> slices;
  std::vector<SequenceSlice> encoder_slices;  // the encoder tokens of the prefills
  std::vector<uint32_t> logit_requests;  // ids; one for each row of logits, in order of the rows
  LayerOperands operands;
  Tensor logits;
  bool passed_gate = false;  // true if the step that waits for an arrival has passed the gate

  std::vector<StepRecord> steps;
  std::shared_ptr<StepHistory> history;  // null: not kept
  RunTrace trace;
  RunBlocks blocks;
  RunRecords records;
  RunExtras extras;
  RunRounding rounding;
  NanWatch nan_watch;

  SnapshotParts snapshot_parts;
  bool has_waited = false;  // a snapshot found that the gate has slowed or paused the run
  std::chrono::steady_clock::time_point last_publish{};
  std::chrono::steady_clock::duration publish_cost{};
};

}  // namespace attn
