// SPDX-License-Identifier: GPL-3.0-or-later
// How a request must end, computed without block tables, queues or steps. Also the fake model of
// these tests: the content of a cache slot stands for the cache key and all tokens up to its own,
// and a sampled token depends on that content and, outside of a beam search, on the seed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/scheduler/scheduler.h"

namespace attn::testing {

// The content of a token's slot, from the content of the slot before it; before the first token it
// is first_content().
uint64_t next_content(uint64_t before, int32_t token);
uint64_t first_content(uint64_t cache_key);
uint64_t content_of(uint64_t cache_key, std::span<const int32_t> tokens);

inline constexpr int32_t kStopToken = 0, kOtherStopToken = 3;
int32_t fake_token(uint64_t seed, uint64_t content);  // in [0, 40)
// The `count` best tokens of a vocabulary of 9, best first, filled up with kNoToken.
// Log-probabilities are multiples of 1/4, to have equal ones and exact sums.
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
// The ending of the request's sample_index-th sequence. The request must not be an ignored one.
Ending expected_sample(const Request& asked, int64_t sample_index, const Limits& limits);
// The results of a beam search, best first, at most beam_width.
std::vector<Ending> expected_search(const Request& asked, const Limits& limits);

}  // namespace attn::testing
