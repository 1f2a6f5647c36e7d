// SPDX-License-Identifier: GPL-3.0-or-later
// A request as it was, and with interventions: how the distributions after its tokens change, and
// which answer the model gives now. Engine thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/explore/request/explored_request.h"

namespace attn {

struct WhatIfRow {
  // The distributions are those of the token after this position; for an encoder, of the token at
  // this position.
  int64_t position = 0;
  // The token that followed without the change. If none followed, and for an encoder: the token
  // that was likeliest then.
  int32_t next = 0;
  double before = 0, after = 0;  // probability of `next`, by softmax
  double divergence = 0;         // sum of p log(p / q), p before and q after, nats
  int32_t best_before = 0, best_after = 0;
};

struct WhatIf {
  std::vector<WhatIfRow> rows;  // from position 0
  // New tokens. After a beam search answer_after is empty; for an encoder both are empty.
  std::vector<int32_t> answer_before, answer_after;
  // How many tokens both answers have in common at the beginning.
  int64_t equal = 0;
  std::vector<int64_t> changed_numbers;  // [list]
  // A check of cut edges: if an edge of weight w is cut, the other weights of its row should be the
  // weights before the cut times 1 / (1 - w). cut_rows: rows that were checked. cut_residue: the
  // largest difference of a weight.
  int64_t cut_rows = 0;
  double cut_residue = 0;
  // A check of the first layer that the list changes: what its attention adds to the residual
  // stream should change by the sum over its heads of what they write now minus what they wrote
  // before (head_outputs()). stream_rows: rows that were compared; 0 with an intervention on the
  // stream itself, and in a layer with a norm after attention or after the sum. stream_residue: the
  // largest difference of an element; stream_largest: the largest change of one.
  int64_t stream_layer = -1, stream_rows = 0;
  double stream_residue = 0, stream_largest = 0;
  ExploredRun after;  // the run with the changes of the list
};

// before: explore_request() of the same request. list: changes besides the request's own
// interventions; Error(kBadInput) if two of all these changes have the same target. nullopt:
// cancelled. Throws as explore() and own_logits() do, and Error(kNotSupported) for a mean in a beam
// search. With a mean, the rows end where the answers begin to differ.
std::optional<WhatIf> what_if(const EngineSnapshot& run, const RequestView& request,
                              const ExploredRun& before, const std::vector<Intervention>& list,
                              const Execution& execution);

}  // namespace attn
