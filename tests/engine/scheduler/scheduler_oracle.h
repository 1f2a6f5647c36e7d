// SPDX-License-Identifier: GPL-3.0-or-later
// What every request must end with, from the rules alone: no blocks, no queues, no steps. And the
// fake model behind it: what a slot of the cache holds stands for all tokens up to its own, and a
// sampled token depends on that and on the seed only.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/scheduler/scheduler.h"

namespace attn::testing {

// What the slot of a token holds, from what the slot before it holds. The first one follows
// first_content().
uint64_t next_content(uint64_t before, int32_t token);
uint64_t first_content(uint64_t cache_key);
uint64_t content_of(uint64_t cache_key, std::span<const int32_t> tokens);  // of the last one

inline constexpr int32_t kStopToken = 0, kOtherStopToken = 3;
int32_t fake_token(uint64_t seed, uint64_t content);  // in [0, 40)
// The `count` best tokens, best first, of a vocabulary of 9; filled up with kNoToken. Many equal
// log-probabilities, all multiples of 1/4, so that sums are exact.
std::vector<SampledToken> fake_candidates(uint64_t content, int64_t count);

struct Limits {
  SchedulerConfig config;
  int64_t block_size = 1, usable_blocks = 1;
  int64_t watermark_blocks = 0;
};

struct Ending {
  std::vector<int32_t> outputs;
  RequestState state = RequestState::kFinishedIgnored;
  double cumulative_logprob = 0;
};

bool is_ignored(const Request& asked, const Limits& limits);
// Of the sample_index-th of its n sequences. Not of an ignored request.
Ending expected_sample(const Request& asked, int64_t sample_index, const Limits& limits);
// Best first, at most beam_width.
std::vector<Ending> expected_search(const Request& asked, const Limits& limits);

}  // namespace attn::testing
