// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scheduler/request_needs.h"

#include <algorithm>

namespace attn {

RequestNeeds needs_of(const RequestSize& size, int64_t new_tokens, SchedulingPolicy policy,
                      int64_t block_size) {
  RequestNeeds needs;
  needs.model_len = size.prompt_tokens + new_tokens;
  needs.sequences = std::max(size.n, size.beam_width);
  // prefill_first computes a prompt in one step.
  needs.batched_tokens =
      std::max(policy == SchedulingPolicy::kPrefillFirst ? size.prompt_tokens : 1, needs.sequences);
  // Beams that were computed again may share no blocks.
  needs.copies = size.caches_own ? std::max<int64_t>(1, size.beam_width) : 1;
  const auto blocks_for = [block_size](int64_t tokens) {
    return (tokens + block_size - 1) / block_size;
  };
  const int64_t own = size.caches_own ? blocks_for(size.prompt_tokens + new_tokens - 1) : 0;
  needs.blocks = (own + blocks_for(size.encoder_tokens)) * needs.copies;
  return needs;
}

}  // namespace attn
