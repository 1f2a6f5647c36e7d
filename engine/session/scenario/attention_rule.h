// SPDX-License-Identifier: GPL-3.0-or-later
// Turns the `attention` of a scenario into the configuration of a backend, into the rule by which
// views recompute weights, and into sentences. Any thread.
#pragma once

#include <string>
#include <vector>

#include "engine/attention/backend.h"
#include "engine/kernels/weight_recompute.h"
#include "engine/model/source.h"
#include "engine/session/scenario/scenario.h"

namespace attn {

// Sets the type, window, soft cap, ALiBi slopes, block-sparse pattern and sinks of `config`. An
// empty list means no sinks, one sink counts for all query heads; any other number than that of the
// query heads throws Error(kBadInput).
void set_attention(const ScenarioAttention& attention, const SourceShape& shape,
                   AttentionConfig& config);

// Sets what the source says of one layer by itself. Call it after the other set_attention(): it
// replaces what the scenario says of all layers.
void set_attention(const AttentionCall& call, AttentionConfig& config);

// The rule that `backend` computes by: without a soft cap that it ignores, and causal where its
// masks are. The rows that ignore a window depend on the batch, too
// (AttentionBackend::rows_without_window).
WeightRule layer_rule(const AttentionBackend& backend, const AttentionConfig& config);

// "decoder, sliding window 8 tokens, soft cap 30, ALiBi, sinks 0.5": one line for reports. Where
// layers differ, "L0, L2: decoder, sliding window 8 tokens; L1, L3: decoder".
std::string attention_text(const ScenarioAttention& attention, const SourceShape& shape);

// Sentences for the user on what the scenario's attention type and settings mean for the run.
// caches_own: some layer is self attention over a cache.
std::vector<std::string> attention_warnings(const Scenario& scenario, bool caches_own);

}  // namespace attn
