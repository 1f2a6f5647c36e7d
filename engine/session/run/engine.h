// SPDX-License-Identifier: GPL-3.0-or-later
// Engine: the loop of a run. scenario -> requests -> scheduler -> block tables -> for each layer:
// source, backend -> sampler -> scheduler. All methods are called on one thread, the engine thread.
// Also, for any thread, functions that tell what a scenario asks for (workers, device, cache) or
// load its source.
#pragma once

#include <chrono>
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
#include "engine/session/run/run_memory.h"
#include "engine/session/run/snapshot.h"
#include "engine/session/run/step_progress.h"
#include "engine/session/scenario/scenario.h"
#include "engine/trace/clock.h"
#include "engine/trace/mailbox.h"
#include "engine/trace/recorder.h"
#include "engine/trace/run_gate.h"

namespace attn {

// EngineOptions::history_bytes of runs whose past steps can be shown.
inline constexpr size_t kHistoryBytes = size_t{192} << 20;

struct EngineOptions {
  RunGate* gate = nullptr;       // null: no pauses, no pace, no cancelling
  Recorder* recorder = nullptr;  // null: no trace. Must be made for num_workers() or more
  Mailbox<EngineSnapshot>* snapshots = nullptr;  // null: none published
  RowStateSink* row_states = nullptr;  // receives running maxima and sums; null: nobody does
  // Is told how far a step is; its rows are counted with keep_attention only. Null: nobody asks.
  StepProgress* progress = nullptr;
  bool keep_attention = true;  // AttentionRecords for views and exports
  bool will_report = false;    // write_report() follows; with a recorder its memory counts
  size_t history_bytes = 0;    // most bytes of past steps kept for views (StepHistory); 0: none
  // Every step computes all positions of its sequences again, as a program without a KV cache does.
  // Keys and values pass through the blocks as usual, but no step reads those of an earlier one:
  // all sequences are prefills without context. Needs keep_attention false and a scenario without
  // prefix caching, swapping, further samples and beams, cross attention and captured plans. The
  // token budget counts what the scheduler plans, one token per decode.
  bool recompute = false;
  uint64_t run = 1;
  // The tokens of the first requests, in place of those of their texts or of the source.
  // Empty: as the scenario says.
  struct GivenPrompt {
    std::vector<int32_t> ids, encoder_ids;
  };
  std::vector<GivenPrompt> prompts = {};
  // Called after the logits of a step are computed, with rows [n, vocab] f32 and the requests to
  // which they belong.
  std::function<void(const Tensor& logits, const std::vector<uint32_t>& requests)> on_logits;
  // Called in place of the backend's forward. Returns false when cancelled.
  std::function<bool(const AttentionInputs&, const AttentionMetadata&, const AttentionOutputs&,
                     const Execution&)>
      forward;
};

class Engine {
 public:
  // Loads the source, allocates the cache, queues the requests. Throws Error.
  Engine(Scenario scenario, EngineOptions options);
  // Takes a source that is already loaded.
  Engine(Scenario scenario, std::shared_ptr<Source> source, EngineOptions options);
  ~Engine();

  bool has_work() const;
  // Runs one engine step: plan, compute, sample. Returns false when the gate cancelled it; its rows
  // are computed again if the run goes on. Returns true without a step when the gate was
  // interrupted before it (RunGate::interrupt) and when it only waited a moment for the next
  // arrival.
  bool step();
  // step() until there is no work or the gate cancels.
  void run_to_end();

  // Queues one more request ("type a sentence while it runs"). prompt: its tokens;
  // empty: those of its text or of the source. A prompt that is the beginning of another
  // request's tokens and one more token continues that request in another way; with prefix caching
  // both can share the full blocks that they have in common. Throws Error(kBadInput).
  uint32_t add_request(const ScenarioRequest& request, std::vector<int32_t> prompt = {});
  void abort(uint32_t request);
  void publish_snapshot(EnginePhase phase);
  // Adds a sentence for the user, with a kWarning event, to the recorder, if there is one.
  void warn(const std::string& text);
  // The run stood still for this long, outside of its gate: its clock leaves the time out.
  void leave_out(std::chrono::nanoseconds stood);

  const Scenario& scenario() const;
  const Source& source() const;
  const Scheduler& scheduler() const;
  const KvStorage& cache() const;
  const std::vector<StepRecord>& steps() const;
  std::shared_ptr<const AttentionRecord> attention(uint32_t request) const;
  // With ALiBi and a sliding window: how many rows of a request, from the first on, ignore the
  // window (AttentionBackend::rows_without_window).
  int64_t rows_without_window(uint32_t request) const;
  // The residual stream of a request; null: none is kept.
  std::shared_ptr<const ResidualRecord> residual(uint32_t request) const;
  // Throws Error(kFailed) when an intervention of a request that has ended with all its samples or
  // beams (the last of them not by an abort, and not ignored) changed no bit in any of them.
  void require_effect() const;
  EngineSnapshot snapshot(EnginePhase phase) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Number of workers that a run of this scenario uses, for which a Recorder needs lanes. If the
// scenario does not say: all cores, on the virtual clock 2. At most kMostWorkers.
int num_workers(const Scenario& scenario);

// The device that the run's backend models ("TPU v4"); empty: none.
std::string modelled_device(const Scenario& scenario, const SourceShape& shape);
// The scales of the run's cache, which say what the codes of a quantised cache mean. Throws
// Error(kBadInput) when an int8 cache has a list of scales that is neither empty nor one per KV
// head.
LayerScales layer_scales(const Scenario& scenario, const SourceShape& shape);
// The cache that a backend needs for the run; with padding its heads can be larger than the
// source's.
KvStorageSpec storage_spec(const Scenario& scenario, const SourceShape& shape,
                           const AttentionBackend& backend);

// Makes the source that a scenario asks for. progress: gets a fraction in [0, 1] and what is being
// done; when it returns false, Error(kCancelled) is thrown. A model whose weights and run do not
// fit in memory together is refused before its weights are read. keeps: what the run will keep.
using LoadProgress = std::function<bool(double fraction, const std::string& what)>;
std::shared_ptr<Source> load_source(const Scenario& scenario, const LoadProgress& progress = {},
                                    const RunKeeps& keeps = {});
// load_source() of a model for a command line that knows nothing of it before it is read: `fit` may
// change the scenario before the memory is checked.
std::shared_ptr<Source> load_source(Scenario& scenario,
                                    const std::function<void(Scenario&, const SourceShape&)>& fit);
RunKeeps keeps_of(const EngineOptions& options);

}  // namespace attn
