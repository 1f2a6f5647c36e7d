// SPDX-License-Identifier: GPL-3.0-or-later
// Engine: the loop. scenario -> requests -> scheduler -> block tables -> for each layer: source,
// backend -> sampler -> scheduler. Owns all mutable state of a run. Every method on one thread (the
// engine thread) unless said otherwise.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/attention/backend.h"
#include "engine/cache/block_manager.h"
#include "engine/cache/kv_storage.h"
#include "engine/core/thread_pool.h"
#include "engine/model/source.h"
#include "engine/scheduler/scheduler.h"
#include "engine/session/scenario.h"
#include "engine/session/snapshot.h"
#include "engine/trace/clock.h"
#include "engine/trace/mailbox.h"
#include "engine/trace/recorder.h"
#include "engine/trace/run_gate.h"

namespace attn {

// Of past steps, where a window or a saved session is to show them.
inline constexpr size_t kHistoryBytes = size_t{192} << 20;

struct EngineOptions {
  RunGate* gate = nullptr;       // null: never waits
  Recorder* recorder = nullptr;  // null: no trace. Must have lanes for the threads used
  Mailbox<EngineSnapshot>* snapshots = nullptr;  // null: none published
  RowStateSink* row_states = nullptr;            // null: nobody looks at running maxima and sums
  bool keep_attention = true;                    // AttentionRecords for views and exports
  size_t history_bytes = 0;  // of past steps kept for views (StepHistory); 0: none
  uint64_t run = 1;
  // Called after the logits of a step: rows [n, vocab] f32 and the requests they belong to. For
  // dumps.
  std::function<void(const Tensor& logits, const std::vector<uint32_t>& requests)> on_logits;
  // In place of the backend's own forward, with the operands it would get; inputs.kv_cache is the
  // engine's cache. For comparisons. False: cancelled.
  std::function<bool(const AttentionInputs&, const AttentionMetadata&, const AttentionOutputs&,
                     const Execution&)>
      forward;
};

class Engine {
 public:
  // Loads the source, allocates the cache, queues the requests. Throws Error.
  Engine(Scenario scenario, EngineOptions options);
  // With a source that is already loaded (models are loaded once and shared between runs).
  Engine(Scenario scenario, std::shared_ptr<Source> source, EngineOptions options);
  ~Engine();

  bool has_work() const;
  // One engine step: plan, compute, sample. False when the gate cancelled it; the step is then
  // undone. True without a step when the gate was interrupted before it (RunGate::interrupt).
  bool step();
  // step() until there is no work or the gate cancels.
  void run_to_end();

  // Adds a request to the running batch ("type a sentence while it runs"). Throws Error(kBadInput).
  uint32_t add_request(const ScenarioRequest& request);
  void abort(uint32_t request);
  void publish_snapshot(EnginePhase phase);
  // A sentence for the user: kept by the recorder, with a kWarning event.
  void warn(const std::string& text);

  const Scenario& scenario() const;
  const Source& source() const;
  const Scheduler& scheduler() const;
  const KvStorage& cache() const;
  const std::vector<StepRecord>& steps() const;
  std::shared_ptr<const AttentionRecord> attention(uint32_t request) const;
  EngineSnapshot snapshot(EnginePhase phase) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Workers a run of this scenario uses: what a Recorder for it needs. Where the scenario does not
// say: all cores, on the virtual clock 2. At most kMostWorkers.
int num_workers(const Scenario& scenario);

// One attention layer of the run, as the backend is asked for it.
AttentionConfig attention_config(const Scenario& scenario, const SourceShape& shape);
// What the codes of a quantised cache mean. Throws Error(kBadInput) when the scales of an int8
// cache are not as many as the KV heads.
LayerScales layer_scales(const Scenario& scenario, const SourceShape& shape);
// The cache that a backend keeps for it: with padding its heads are larger than the source's.
KvStorageSpec storage_spec(const Scenario& scenario, const SourceShape& shape,
                           const AttentionBackend& backend);

// Makes the source a scenario asks for. progress: fraction in [0, 1] and what is being done; return
// false to cancel (throws Error(kCancelled)).
using LoadProgress = std::function<bool(double fraction, const std::string& what)>;
std::shared_ptr<Source> load_source(const Scenario& scenario, const LoadProgress& progress = {});

}  // namespace attn
