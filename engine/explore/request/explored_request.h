// SPDX-License-Identifier: GPL-3.0-or-later
// What the model computes inside for a request of a run. Where the run keeps the residual stream of
// the request from its first token on, that is what is shown. Otherwise the tokens that the request
// has are computed once more, by themselves and with its interventions, and everything is kept.
// Each row depends on its own sequence only, so this gives the numbers of the run (up to the last
// digits, with backends that compute a chunk or a decode in another way than a prompt). Engine
// thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "engine/explore/explored_run.h"
#include "engine/session/run/snapshot.h"

namespace attn {

// How many tokens of a request can be explored: all but the newest, which no step of the run has
// read yet; all tokens of a prompt without an answer.
int64_t rows_inside(const RequestView& request);
// Bytes of a residual record of `rows` rows. 0: nothing is known of the source, or it has no
// residual stream.
double inside_bytes(const EngineSnapshot& run, int64_t rows);

// run: the snapshot that is shown; request: as the newest snapshot has it, but with the tokens of
// `run`. The result has rows_inside() tokens, and one row of logits, of the last. nullopt:
// cancelled. Throws as explore(), Error(kNotSupported) where the tokens cannot be computed again (a
// mean over the prompt in a beam search), and Error(kFailed) where other tokens come out.
std::optional<ExploredRun> explore_request(const EngineSnapshot& run, const RequestView& request,
                                           std::shared_ptr<Source> source,
                                           const Execution& execution);

// Computes the first `tokens` tokens of a request by themselves, with its interventions, and goes
// on from there as the request does: max_tokens new tokens. Returns and throws as explore().
std::optional<ExploredRun> explore_tokens(const EngineSnapshot& run, const RequestView& request,
                                          int64_t tokens, int64_t max_tokens,
                                          std::shared_ptr<Source> source,
                                          const Execution& execution);
// Whether a head of the request is replaced by its mean over the prompt. If so, its numbers depend
// on which of its tokens are the prompt.
bool has_mean(const RequestView& request);

}  // namespace attn
