// SPDX-License-Identifier: GPL-3.0-or-later
// ExploredRun: one prompt that was run, with its residual stream and attention recorded. explore():
// engine thread; require_sum(): any thread.
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
  std::vector<int32_t> generated;                    // [N]
  Tensor logits;                                     // [R, V] f32, of the last R positions
  std::shared_ptr<const ResidualRecord> residual;    // has all T tokens, perhaps later ones too
  std::shared_ptr<const AttentionRecord> attention;  // has all T tokens, perhaps later ones too
  // How many numbers each intervention changed; empty: not counted.
  std::vector<int64_t> changed_numbers;

  int64_t num_tokens() const { return static_cast<int64_t>(tokens.size()); }
  Model& model() const { return dynamic_cast<Model&>(*source); }
};

// Runs a scenario and returns its first request, whose interventions may take values from the
// others. The others get at most one new token each. prompts: token ids in place of texts, see
// EngineOptions. nullopt: cancelled by the gate. Throws Error, for example kBadInput for a prompt
// that cannot run or a source that is not a model.
std::optional<ExploredRun> explore(Scenario scenario, std::shared_ptr<Source> source,
                                   std::vector<EngineOptions::GivenPrompt> prompts = {},
                                   RunGate* gate = nullptr);

// Throws Error(kNotSupported) if the residual stream of the model is not a sum that ends in its
// logits. what: "The logit lens".
void require_sum(const Model& model, const char* what);

}  // namespace attn
