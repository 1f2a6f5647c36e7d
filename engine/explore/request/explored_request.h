// SPDX-License-Identifier: GPL-3.0-or-later
// What the model computes inside for a request of a run. It is read from the run's records if they
// have all rows. Otherwise the request's tokens are computed again, with its interventions.
// explore_request() and explore_tokens(): engine thread; the other functions: any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "engine/explore/explored_run.h"
#include "engine/session/run/snapshot.h"

namespace attn {

// How many tokens of a request can be explored. The newest token of an answer is left out, because
// no step has computed it.
int64_t rows_inside(const RequestView& request);
// Bytes of a residual record of `rows` rows. 0: the source is not known, or it has no residual
// stream.
double inside_bytes(const EngineSnapshot& run, int64_t rows);

// run: the snapshot that is shown. request: the request of the newest snapshot, with the tokens
// that it has in `run`. The result has rows_inside() tokens and one row of logits, of the last
// token. nullopt: cancelled. Throws as explore() and own_logits() do. If it computes again: also
// Error(kNotSupported) for a mean over the prompt in a beam search, Error(kFailed) if the tokens
// become others.
std::optional<ExploredRun> explore_request(const EngineSnapshot& run, const RequestView& request,
                                           std::shared_ptr<Source> source,
                                           const Execution& execution);

// Computes the first `tokens` tokens of a request with its interventions, in a run of its own, then
// at most max_tokens new tokens. Returns and throws as explore() does.
std::optional<ExploredRun> explore_tokens(const EngineSnapshot& run, const RequestView& request,
                                          int64_t tokens, int64_t max_tokens,
                                          std::shared_ptr<Source> source,
                                          const Execution& execution);
// Whether a head of the request is replaced by its mean over the prompt.
bool has_mean(const RequestView& request);

}  // namespace attn
