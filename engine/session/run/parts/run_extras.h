// SPDX-License-Identifier: GPL-3.0-or-later
// RunExtras: what is changed inside the model for some requests, and what is kept of their residual
// stream. Engine thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/attention/metadata.h"
#include "engine/cache/block_manager.h"
#include "engine/cache/kv_storage.h"
#include "engine/model/model.h"
#include "engine/scheduler/scheduler.h"
#include "engine/session/intervene/applied.h"
#include "engine/session/run/parts/layer_operands.h"
#include "engine/session/run/parts/run_records.h"
#include "engine/session/run/parts/run_trace.h"
#include "engine/session/scenario/scenario.h"

namespace attn {

// What a request has beside its tokens. Both null: nothing.
struct RequestExtras {
  std::shared_ptr<AppliedInterventions> interventions;  // shared with its forks
  std::shared_ptr<ResidualRecord> residual;
};

class RunExtras final : private ResidualHook {
 public:
  struct Run {
    std::shared_ptr<const Scenario> scenario;
    std::shared_ptr<Source> source;
    std::shared_ptr<const LayerRules> rules;
    const AttentionBackend& backend;
    const KvStorage& cache;
    const BlockManager& manager;
    bool recompute = false;  // as in EngineOptions
  };
  explicit RunExtras(Run run);

  // --- requests: ids are 0, 1, 2, ... ---
  // What the request wants beside its tokens: interventions, and a record of its residual stream.
  // Throws Error(kBadInput) for an intervention that the run cannot have, and for a residual stream
  // of a later request that does not fit in memory.
  RequestExtras wanted_by(const ScenarioRequest& request, const Request& added) const;
  void add_request(RequestExtras wanted);
  void forked(const Request& parent, const Request& child);
  size_t num_requests() const { return extras_.size(); }
  const RequestExtras& of(uint32_t request) const { return extras_[request]; }
  // The rules of the run, with what the request's interventions change in them.
  const LayerRules& rules_of(uint32_t request) const;

  // --- a step ---
  // Gives the interventions of the step's requests the values that they put in.
  void begin_step(const BatchPlan& plan, const Scheduler& scheduler);
  // While an object of this class lives, the model gives its residual stream to RunExtras::at(), if
  // the step has requests with extras.
  class Hooked {
   public:
    explicit Hooked(RunExtras& extras);
    ~Hooked();
    Hooked(const Hooked&) = delete;
    Hooked& operator=(const Hooked&) = delete;

   private:
    Model* model_;  // null: no extras in the step, or not a model
  };
  // After the attention of a layer: changes the rows and heads of the step, and keeps the outputs
  // of the heads. batch: of the layer.
  void change_layer(int64_t layer, const AttentionMetadata& batch, LayerOperands& operands,
                    const RunRecords& records);
  void end_step();
  // Forgets what the cancelled step has kept of a sequence.
  void forget(const PlannedSequence& planned);

  // --- interventions without effect ---
  // Call it when a request has ended. Warns of its interventions that changed nothing. The
  // sequences of one prompt share their interventions, so the warning comes with the last of them,
  // unless that was aborted or ignored.
  void finished(const Request& request, const Scheduler& scheduler, const RunTrace& trace);
  // Throws Error(kFailed) when finished() has warned.
  void require_effect() const;

 private:
  void at(ResidualSite site, int64_t layer, float* x, int64_t rows, int64_t width) override;
  std::shared_ptr<const ResidualRecord> reference_of(const Request& request);
  int64_t first_row(const PlannedSequence& planned) const {
    return run_.recompute ? 0 : planned.context_len;
  }
  bool caches_nothing() const {
    return run_.scenario->attention.type == AttentionType::kEncoderOnly;
  }
  KeyRows key_rows(const AttentionMetadata& batch, int64_t sequence, int64_t layer, StepRows rows,
                   const LayerOperands& operands);

  const Run run_;
  const int64_t num_encoder_layers_;
  std::vector<RequestExtras> extras_;  // index: request id
  bool has_any_ = false;               // some request has extras
  const BatchPlan* plan_ = nullptr;    // of a step that has requests with extras; null: it has none
  // Records of prompts that were computed alone. Key: tokens of the prompt, and of the encoder.
  std::map<std::pair<std::vector<int32_t>, std::vector<int32_t>>,
           std::shared_ptr<const ResidualRecord>>
      references_;
  std::vector<float> cached_keys_, cached_values_;  // that key_rows() read from the cache last
  std::vector<std::string> without_effect_;         // interventions of finished requests
};

}  // namespace attn
