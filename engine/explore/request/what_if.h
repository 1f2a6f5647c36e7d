// SPDX-License-Identifier: GPL-3.0-or-later
// What if a head were not there: a request as it was, and with interventions. Two questions are
// answered. On the same tokens: how the distribution after each of them changes. And from the
// prompt on: which answer the model gives now. Engine thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/explore/request/explored_request.h"

namespace attn {

struct WhatIfRow {
  // The token after which the distributions stand; for an encoder, the token in whose place.
  int64_t position = 0;
  // The token that followed without the change; at the last row and for an encoder, the likeliest.
  int32_t next = 0;
  double before = 0, after = 0;  // probability of `next`, by softmax
  double divergence = 0;         // sum of p log(p / q), p before and q after, nats
  int32_t best_before = 0, best_after = 0;
};

struct WhatIf {
  std::vector<WhatIfRow> rows;  // of the tokens that both runs have, from position 0
  // New tokens. Those of a beam search are not searched for again: answer_after is then empty. For
  // an encoder both are empty.
  std::vector<int32_t> answer_before, answer_after;
  // How many tokens of both answers are equal before the first that differs.
  int64_t equal = 0;
  std::vector<int64_t> changed_numbers;  // how many numbers each of the list changed
  // The identity of a cut edge: the other weights of its row are multiplied by 1 / (1 - weight).
  // It is checked in the rows in which nothing else was changed and the weight was not 0 or nearly
  // 1. cut_rows: how many rows were checked; cut_residue: the largest difference of a weight.
  int64_t cut_rows = 0;
  double cut_residue = 0;
  ExploredRun after;  // the run with the list, on the tokens of `rows`
};

// before: explore_request() of the same request. list: what is changed besides the interventions
// that the request has. nullopt: cancelled. Throws as explore(): Error(kFailed) where one of the
// list changes no bit; and Error(kNotSupported) for a mean in a beam search. A mean is taken over
// the prompt, so with one the rows end where the answers part.
std::optional<WhatIf> what_if(const EngineSnapshot& run, const RequestView& request,
                              const ExploredRun& before, const std::vector<Intervention>& list,
                              const Execution& execution);

}  // namespace attn
