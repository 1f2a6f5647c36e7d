// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/scenario/scenario_groups.h"

#include <algorithm>

#include "engine/session/scenario/scenario.h"

namespace attn {
namespace {

// All groups but "More", in an order for learners.
std::vector<ScenarioGroup> table() {
  return {
      {"First steps",
       {"first-look", "long-prompt", "repeated-words", "synthetic-induction", "synthetic-needle"}},
      {"Cache", {"shared-prompt", "samples", "block-size-1", "block-size-64", "fp8-cache"}},
      {"Scheduler",
       {"many-users", "chunked-prefill", "full-house", "full-house-swap", "beam-search",
        "captured-plans"}},
      {"Masks and biases", {"sliding-window", "alternating-layers", "alibi", "block-sparse"}},
      {"Kinds of attention",
       {"grouped-query", "encoder", "masked-word", "encoder-decoder", "encoder-layers",
        "cross-attention", "dates"}},
      {"Backend: Torch SDPA", {"torch-partitions"}},
      {"Backend: xFormers",
       {"xformers-packed", "xformers-alibi", "xformers-cached-prompt", "xformers-partitions",
        "xformers-or-torch"}},
      {"Backend: Pallas",
       {"pallas-pages", "pallas-padded", "pallas-cached-prompt", "pallas-megacore",
        "pallas-split-calls"}},
      {"Backend: unified", {"fast-or-invariant"}},
  };
}

}  // namespace

std::vector<ScenarioGroup> scenario_groups() {
  std::vector<std::string> left = shipped_scenarios();
  std::vector<ScenarioGroup> groups = table();
  for (ScenarioGroup& group : groups)
    std::erase_if(group.scenarios,
                  [&](const std::string& name) { return std::erase(left, name) == 0; });
  std::erase_if(groups, [](const ScenarioGroup& group) { return group.scenarios.empty(); });
  if (!left.empty()) groups.push_back({"More", std::move(left)});
  return groups;
}

}  // namespace attn
