// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scheduler/beam_search.h"

#include <algorithm>
#include <tuple>

#include "engine/scheduler/fault.h"
#include "engine/scheduler/request.h"

namespace attn {

BeamChoice choose_beams(std::vector<BeamCandidate> candidates, int64_t beam_width,
                        std::span<const int32_t> stop_tokens) {
  const auto rank = [](const BeamCandidate& c) {
    const int32_t token = ATTN_SCHEDULER_FAULT(kBeamTiesHighToken) ? -c.token : c.token;
    return std::tuple(-c.cumulative_logprob, token, c.beam);
  };
  std::sort(candidates.begin(), candidates.end(),
            [&](const BeamCandidate& a, const BeamCandidate& b) { return rank(a) < rank(b); });
  const auto width = static_cast<size_t>(beam_width);
  BeamChoice choice;
  for (size_t i = 0; i < candidates.size() && choice.next.size() < width; ++i) {
    if (std::ranges::find(stop_tokens, candidates[i].token) == stop_tokens.end()) {
      choice.next.push_back(candidates[i]);
    } else if (i < width || ATTN_SCHEDULER_FAULT(kBeamTakesAnyStop)) {
      choice.finished.push_back(candidates[i]);
    }
  }
  return choice;
}

double best_attainable_score(double cumulative_logprob, int64_t output_tokens, int64_t max_tokens,
                             double length_penalty) {
  return beam_score(cumulative_logprob, length_penalty > 0 ? max_tokens : output_tokens,
                    length_penalty);
}

}  // namespace attn
