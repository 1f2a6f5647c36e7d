// SPDX-License-Identifier: GPL-3.0-or-later
// What a run's attention layers do to their scores: from the scenario's words to the configuration
// of a backend, to the rule by which views compute weights again, and to sentences. Any thread.
#pragma once

#include <string>
#include <vector>

#include "engine/attention/backend.h"
#include "engine/kernels/weight_recompute.h"
#include "engine/model/source.h"
#include "engine/session/scenario.h"

namespace attn {

// Fills in the type, window, soft cap, ALiBi slopes and sinks. Throws Error(kBadInput) when the
// sinks are not as many as the query heads.
void set_attention(const ScenarioAttention& attention, const SourceShape& shape,
                   AttentionConfig& config);

// The rule that `backend` computes by: without the soft cap where it ignores that.
WeightRule layer_rule(const AttentionBackend& backend, const AttentionConfig& config);

// "decoder, sliding window 8 tokens, soft cap 30, ALiBi, sinks": one line for reports.
std::string attention_text(const ScenarioAttention& attention);

// What a person must know who runs it: a sentence each.
std::vector<std::string> attention_warnings(const Scenario& scenario);

}  // namespace attn
