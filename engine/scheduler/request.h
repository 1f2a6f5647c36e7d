// SPDX-License-Identifier: GPL-3.0-or-later
// A request: a prompt on its way to its tokens. Owned by the engine; engine thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cache/block_table.h"

namespace attn {

enum class RequestState {
  kWaiting,
  kRunning,
  kSwapped,
  kFinishedStopped,
  kFinishedLengthCapped,
  kFinishedAborted,
  kFinishedIgnored,
};
std::string_view name_of(RequestState state);  // "WAITING", ..., "FINISHED_IGNORED"
inline bool is_finished(RequestState state) {
  return state >= RequestState::kFinishedStopped;
}

struct SamplingParams {
  double temperature = 0;  // 0 = greedy; range [0, 100]
  int64_t top_k = 0;       // 0 = all; range [0, vocabulary]
  double top_p = 1;        // (0, 1]
  uint64_t seed = 0;
  bool operator==(const SamplingParams&) const = default;
};

// When things happened, ns on the run's clock. Absent: not yet.
struct RequestTimes {
  uint64_t queued_ns = 0;
  std::optional<uint64_t> scheduled_ns, first_token_ns, finished_ns;
  std::vector<uint64_t> token_ns;  // [generated]
};

struct Request {
  uint32_t id = 0;
  std::string name;    // "Lily"; for people
  std::string prompt;  // text as typed; empty for synthetic sources
  std::vector<int32_t> prompt_ids;
  std::vector<int32_t> output_ids;
  int64_t max_tokens = 16;
  std::optional<int32_t> stop_token;  // eos
  SamplingParams sampling;
  uint64_t arrival_ns = 0;

  RequestState state = RequestState::kWaiting;
  std::string
      ignored_reason;  // the sentences behind FINISHED_IGNORED, or behind an end before max_tokens
  int64_t num_computed =
      0;  // tokens whose K and V are in the cache; of a finished request: were, at its end
  int64_t num_preemptions = 0;
  BlockTable table{16};
  RequestTimes times;

  int64_t num_tokens() const { return static_cast<int64_t>(prompt_ids.size() + output_ids.size()); }
  int32_t token(int64_t position) const {
    const auto prompt_len = static_cast<int64_t>(prompt_ids.size());
    return position < prompt_len ? prompt_ids[static_cast<size_t>(position)]
                                 : output_ids[static_cast<size_t>(position - prompt_len)];
  }
};

}  // namespace attn
