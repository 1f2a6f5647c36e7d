// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a run. Private to engine.cpp (start of a run, adding requests), engine_step.cpp (one
// step) and engine_snapshot.cpp (what is published). Engine thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/session/history/step_history.h"
#include "engine/session/run/engine.h"
#include "engine/session/run/layer_configs.h"
#include "engine/session/run/parts/layer_operands.h"
#include "engine/session/run/parts/nan_watch.h"
#include "engine/session/run/parts/run_blocks.h"
#include "engine/session/run/parts/run_extras.h"
#include "engine/session/run/parts/run_records.h"
#include "engine/session/run/parts/run_rounding.h"
#include "engine/session/run/parts/run_trace.h"

namespace attn {

// The attention layers of one configuration, which share an implementation. The metadata of a step
// keeps the biases of its layers, so every group has its own.
struct AttentionGroup {
  AttentionConfig config;
  std::unique_ptr<AttentionImpl> impl;
  std::unique_ptr<AttentionState> state;  // shared by its layers and all steps
  std::unique_ptr<DeviceModel> device;    // the device that the backend models; null: none
  // The batch of `plan`, of the backend's own type; its memory is reused from step to step.
  std::unique_ptr<AttentionMetadata> batch;
};

struct Engine::Impl {
  Impl(Scenario scenario_in, std::shared_ptr<Source> source_in, EngineOptions options_in);

  struct Labels {
    size_t tokens = 0;
    std::shared_ptr<const std::vector<TokenView>> views, encoder;
    std::shared_ptr<const std::string> prompt, output;
  };

  // --- engine.cpp ---
  KvStorageSpec checked_storage_spec() const;
  std::vector<std::string> impl_warnings() const;
  void warn_of_impls();
  void capture_plans();
  SchedulerEvents scheduler_events();
  uint32_t add(const ScenarioRequest& request, std::optional<uint64_t> arrival_ns = {},
               std::vector<int32_t> prompt = {});
  std::vector<uint64_t> arrivals() const;
  std::vector<int32_t> prompt_ids(const ScenarioRequest& request) const;
  std::vector<int32_t> known_tokens(std::vector<int32_t> ids) const;
  std::vector<int32_t> encoder_ids(const ScenarioRequest& request, const std::string& where) const;
  BlockManagerConfig manager_config() const;
  std::shared_ptr<StepHistory> make_history() const;
  void on_block_change(const BlockChange& change);
  Execution execution(uint8_t layer);
  // Whether every layer sees the whole prompt at once and keeps no cache.
  bool is_encoder() const { return scenario->attention.type == AttentionType::kEncoderOnly; }
  // Whether a layer is one of the encoder before the decoder.
  bool is_encoder_layer(int64_t of_layer) const { return of_layer < records.num_encoder_layers(); }
  // Whether requests have an encoder, whose keys cross attention reads.
  bool has_encoder() const { return scenario->attention.type == AttentionType::kEncoderDecoder; }
  // The first layer that reads the table; the number of layers if none does.
  int64_t first_layer_of(TableKind kind) const {
    int64_t first = records.num_encoder_layers();
    while (first < configs.num_layers() &&
           (configs.of(first).attn_type == AttentionType::kEncoderDecoder) !=
               (kind == TableKind::kCross))
      ++first;
    return first;
  }
  // The first position that a step computes of a planned sequence.
  int64_t first_row(const PlannedSequence& planned) const {
    return options.recompute ? 0 : planned.context_len;
  }
  AttentionGroup& group_of(int64_t of_layer) {
    return groups[configs.index[static_cast<size_t>(of_layer)]];
  }
  // The batch of the requests' own tokens; that of an encoder's layers is another one.
  const AttentionMetadata& own_batch() { return *group_of(configs.num_layers() - 1).batch; }
  int64_t query_tile_rows() const;
  std::span<const int32_t> table_of(uint32_t request, TableKind kind) const {
    return manager.blocks(table_id(request, kind));
  }

  // --- engine_step.cpp ---
  bool run_step();
  void announce();
  bool checkpoint(Granularity unit);
  void enter(StepProgress::Stage stage) const;
  void make_plan(StepRecord& record);
  void prepare_record(const PlannedSequence& planned);
  void note_rows_without_window();
  StepTokens step_tokens() const;
  void plan_slices();
  std::span<const SequenceSlice> slices_of(const AttentionGroup& group) const;
  void make_metadata(StepRecord& record);
  void model_device(StepRecord& record) const;
  bool compute(StepRecord& record);
  bool compute_layer(int64_t layer, StepRecord& record);
  bool wait_for_arrival();
  std::vector<SampledToken> sample();
  void sample_sequence(const PlannedSequence& planned, std::span<const float> row,
                       std::vector<SampledToken>& sampled);
  void undo_step();
  void finish_step(StepRecord& record, std::span<const SampledToken> sampled);

  // --- engine_snapshot.cpp ---
  EngineSnapshot snapshot(EnginePhase phase);
  RequestView view_of(const Request& request);
  void update_texts(const Request& request, Labels& labels) const;
  TokenView token_view(int32_t token);
  void update_prefixes();
  void publish(EnginePhase phase, bool always);

  std::shared_ptr<const Scenario> scenario;
  EngineOptions options;
  std::shared_ptr<Source> source;
  const AttentionBackend& backend;
  LayerConfigs configs;
  std::shared_ptr<const LayerRules> rules;
  std::vector<AttentionGroup> groups;  // [configs.distinct]
  ThreadPool pool;
  uint32_t step = 0;
  RunClock clock;
  RunTrace trace;
  std::shared_ptr<KvStorage> cache;
  std::shared_ptr<KvStorage> swap_cache;  // null: no swap pool
  BlockManager manager;
  std::shared_ptr<StepHistory> history;  // null: not kept
  RunBlocks blocks;
  std::unique_ptr<Scheduler> scheduler;
  RunRecords records;
  RunExtras extras;

  int layer = -1;
  BatchPlan plan;
  std::vector<SequenceSlice> slices;          // one for each sequence of `plan`
  std::vector<SequenceSlice> encoder_slices;  // for each of its prefills: the encoder's tokens
  std::vector<uint32_t> logit_requests;  // ids of the requests of `plan` that have a row of logits,
                                         // in order of the rows
  std::vector<StepRecord> steps;
  bool has_waited = false;   // true once the run has been slowed or paused by the gate
  bool passed_gate = false;  // true if the step that waits for an arrival has passed the gate

  LayerOperands operands;
  Tensor logits;
  RunRounding rounding;
  NanWatch nan_watch;

  // Parts of the last snapshots, reused where nothing has changed.
  std::unordered_map<uint32_t, Labels> labels;
  std::unordered_map<int32_t, SharedText> token_texts;  // of the tokens that were shown so far
  std::shared_ptr<const std::vector<StepRecord>> published_steps;
  struct PrefixTokens {
    uint64_t serial = 0;
    std::shared_ptr<const std::vector<TokenView>> views;
  };
  std::vector<PrefixTokens> prefix_tokens;  // index: node of the prefix index
  std::shared_ptr<const std::vector<PrefixView>> prefixes;
  uint64_t prefixes_version = 0;
  std::chrono::steady_clock::time_point last_publish{};
  std::chrono::steady_clock::duration publish_cost{};
};

}  // namespace attn
