// SPDX-License-Identifier: GPL-3.0-or-later
// ExploredRun: one prompt that was run with everything kept that the other files of this folder
// ask for. They also work with the records of a live run. Engine thread.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/model/model.h"
#include "engine/session/run/engine.h"

namespace attn {

struct ExploredRun {
  std::shared_ptr<Source> source;
  // The tokens that were computed, [T]: the prompt and all new tokens but the last.
  std::vector<int32_t> tokens;
  std::vector<int32_t> generated;  // [N]
  Tensor logits;                   // [N, V] f32; row i belongs to position T - N + i
  std::shared_ptr<const ResidualRecord> residual;    // of all T tokens
  std::shared_ptr<const AttentionRecord> attention;  // of all T tokens
  std::vector<int64_t> changed_numbers;              // how many numbers each intervention changed

  int64_t num_tokens() const { return static_cast<int64_t>(tokens.size()); }
  Model& model() const { return dynamic_cast<Model&>(*source); }
};

// Runs the first request of a scenario, whose other requests only serve its interventions. prompts:
// token ids in place of texts, see EngineOptions. The engine's blocks and budget are made large
// enough. nullopt: cancelled by the gate. Throws Error: kBadInput for a prompt that cannot run and
// for a source that is not a model, kFailed where an intervention changes no bit, kNotSupported
// where the backend refuses.
std::optional<ExploredRun> explore(Scenario scenario, std::shared_ptr<Source> source,
                                   std::vector<EngineOptions::GivenPrompt> prompts = {},
                                   RunGate* gate = nullptr);

// Throws Error(kNotSupported) where the residual stream of the model is not a sum that ends in its
// logits, so that neither the lens nor attribution is defined. what: "The logit lens".
void require_sum(const Model& model, const char* what);

}  // namespace attn
