// SPDX-License-Identifier: GPL-3.0-or-later
// Turns the `attention` of a scenario into a backend's configuration, into the rule by which views
// recompute weights, and into sentences. Any thread.
#pragma once

#include <string>
#include <vector>

#include "engine/attention/backend.h"
#include "engine/kernels/weight_recompute.h"
#include "engine/model/source.h"
#include "engine/session/scenario/scenario.h"

namespace attn {

// Sets type, window, soft cap, ALiBi slopes, block-sparse pattern and sinks of `config`. One sink
// counts for all query heads. Throws Error(kBadInput) if there are several sinks and not one per
// query head.
void set_attention(const ScenarioAttention& attention, const SourceShape& shape,
                   AttentionConfig& config);

// Sets what the source says of one layer. Call it after the other set_attention().
void set_attention(const AttentionCall& call, AttentionConfig& config);

// The rule by which `backend` computes. It does not set rows_without_window, which depends on the
// batch (AttentionBackend::rows_without_window).
WeightRule layer_rule(const AttentionBackend& backend, const AttentionConfig& config);

// One line for reports, for example "decoder, sliding window 8 tokens, soft cap 30, ALiBi, sinks
// 0.5". If layers differ: "L0, L2: decoder, sliding window 8 tokens; L1, L3: decoder".
std::string attention_text(const ScenarioAttention& attention, const SourceShape& shape);

// Sentences for the user on what the scenario's attention means for the run. caches_own:
// LayerConfigs::cache_own().
std::vector<std::string> attention_warnings(const Scenario& scenario, bool caches_own);

}  // namespace attn
