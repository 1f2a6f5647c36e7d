// SPDX-License-Identifier: GPL-3.0-or-later
// What a request needs of a scheduler and its cache. A pure function.
#pragma once

#include <cstdint>

#include "engine/scheduler/scheduler_config.h"

namespace attn {

struct RequestSize {
  int64_t prompt_tokens = 0;
  int64_t encoder_tokens = 0;  // 0: no encoder
  bool caches_own = true;      // as in Request
  int64_t n = 1, beam_width = 1;
};

struct RequestNeeds {
  int64_t model_len = 0;       // tokens of the longest sequence
  int64_t batched_tokens = 0;  // max_num_batched_tokens: tokens of one step
  int64_t sequences = 0;       // at the same time
  int64_t blocks = 0;          // without a watermark
  int64_t copies = 1;          // `blocks` holds the tokens so many times
};

// What a request needs to generate new_tokens tokens. The last new token needs no place in the
// cache.
RequestNeeds needs_of(const RequestSize& size, int64_t new_tokens, SchedulingPolicy policy,
                      int64_t block_size);

}  // namespace attn
