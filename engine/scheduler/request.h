// SPDX-License-Identifier: GPL-3.0-or-later
// A request: a prompt on its way to its tokens. One request is one sequence of the cache; parallel
// samples and beams are requests of their own, forked from the one that was added. Owned by the
// scheduler; engine thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Life: WAITING -> RUNNING -> one of FINISHED_*. A preempted one goes back to WAITING (it will be
// computed again) or to SWAPPED (its blocks are in the swap pool). A request whose arrival time has
// not come yet is WAITING too, but not in the queue.
enum class RequestState {
  kWaiting,
  kRunning,
  kSwapped,
  kFinishedStopped,       // sampled a stop token; also a dropped beam, see ignored_reason
  kFinishedLengthCapped,  // max_tokens, max_model_len or the whole cache is full
  kFinishedAborted,       // by abort()
  kFinishedIgnored,       // can never run, see ignored_reason
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

// From a preemption until the sequence runs again.
struct Pause {
  uint64_t begin_ns = 0;
  std::optional<uint64_t> end_ns;  // absent: still out, or ended meanwhile
  bool swapped = false;            // by swap; otherwise by recomputation
  bool operator==(const Pause&) const = default;
};

// When things happened, ns on the run's clock. Absent: not yet. A forked request has the times of
// its parent up to the fork.
struct RequestTimes {
  uint64_t queued_ns = 0;                // its arrival, set by Scheduler::add()
  std::optional<uint64_t> scheduled_ns;  // first admission
  std::optional<uint64_t> first_token_ns, finished_ns;
  std::vector<uint64_t> token_ns;  // [generated]
  std::vector<Pause> pauses;       // one per preemption, in order
};

struct Request {
  // --- what is asked for; not changed after Scheduler::add() ---
  uint32_t id = 0;
  std::string name;    // "Lily"; for people
  std::string prompt;  // text as typed; empty for synthetic sources
  std::vector<int32_t> prompt_ids;
  // Cross attention: the encoder's tokens. Their keys are what the sequence's blocks hold, all of
  // them from its first step on, so its table does not grow. Empty: they hold the keys of its own
  // tokens.
  std::vector<int32_t> encoder_ids;
  int64_t max_tokens = 16;
  std::vector<int32_t> stop_tokens;  // each ends the output; all different
  SamplingParams sampling;
  uint64_t arrival_ns = 0;      // on the clock that schedule() is given
  int64_t priority = 0;         // smaller goes first
  uint64_t cache_key = 0;       // prefixes with different keys are never shared
  int64_t n = 1;                // sequences sampled from the prompt, at least 1
  int64_t beam_width = 1;       // above 1: beam search with so many beams; n must be 1 then
  double length_penalty = 1;    // beam search: see beam_score()
  bool early_stopping = false;  // beam search: see Scheduler

  // --- set by the scheduler ---
  std::vector<int32_t> output_ids;
  RequestState state = RequestState::kWaiting;
  // The sentences behind FINISHED_IGNORED, behind an end before max_tokens, or "Dropped: ..." of a
  // beam that went no further or lost at the end.
  std::string ignored_reason;
  std::optional<uint32_t> parent;  // of a forked one: the request that was added
  int64_t sample_index = 0;        // 0: the request that was added; forks count from 1
  // Tokens whose K and V are in the cache; of a finished request: were, at its end. In cross
  // attention: tokens that have read the encoder's.
  int64_t num_computed = 0;
  int64_t num_cached = 0;   // of those: found by their prefix at the last admission
  int64_t prefill_end = 0;  // tokens the prefill of the last admission ends at; 0: not admitted
  int64_t num_preemptions = 0;
  double cumulative_logprob = 0;     // of the output of a beam; others stay at 0
  std::optional<int64_t> beam_rank;  // of a finished search: 0 is the best of beam_width
  uint64_t order = 0;  // place in line: by arrival, then by add(); a fork has its parent's
  RequestTimes times;

  int64_t num_tokens() const { return static_cast<int64_t>(prompt_ids.size() + output_ids.size()); }
  int32_t token(int64_t position) const {
    const auto prompt_len = static_cast<int64_t>(prompt_ids.size());
    return position < prompt_len ? prompt_ids[static_cast<size_t>(position)]
                                 : output_ids[static_cast<size_t>(position - prompt_len)];
  }
  std::vector<int32_t> token_ids() const;  // prompt and output
  bool is_cross() const { return !encoder_ids.empty(); }
  // The tokens whose K and V lie in its blocks once all are computed.
  std::vector<int32_t> cached_ids() const { return is_cross() ? encoder_ids : token_ids(); }
  int64_t num_cached_ids() const {
    return is_cross() ? static_cast<int64_t>(encoder_ids.size()) : num_tokens();
  }
  bool is_beam() const { return beam_width > 1; }
  bool stops_at(int32_t token) const {
    return std::ranges::find(stop_tokens, token) != stop_tokens.end();
  }
  // Beam search: how many of a beam's best tokens are looked at. All its stop tokens may be among
  // them, and beam_width others are wanted.
  int64_t beam_candidates() const {
    return std::max<int64_t>(2, 1 + static_cast<int64_t>(stop_tokens.size())) * beam_width;
  }
  bool in_prefill() const { return num_computed < prefill_end; }
};

// How the i-th of n sequences draws: as the request says, with the seed `seed + sample_index`. So
// sample 0 writes what the request alone would write, and no two samples share their random
// numbers. The engine draws the first tokens of all n from one row of logits with these; the forks
// carry them as their own from then on.
SamplingParams sampling_of(const Request& request, int64_t sample_index);

// cumulative log-probability / (output tokens, the stop token among them) ^ length_penalty. Y. Wu
// et al., "Google's Neural Machine Translation System", 2016, eq. 14, with the simpler penalty that
// Hugging Face transformers and vLLM use. output_tokens at least 1.
double beam_score(double cumulative_logprob, int64_t output_tokens, double length_penalty);

// What a user waits for, ns on the run's clock; absent where it is not defined (yet).
struct RequestMetrics {
  std::optional<uint64_t> queue_ns;  // first admission - arrival
  std::optional<uint64_t> ttft_ns;   // time to first token: first token - arrival
  // Time per output token after the first: (last token - first token) / (tokens - 1); two tokens or
  // more.
  std::optional<double> tpot_ns;
  std::vector<uint64_t> itl_ns;    // inter-token latencies: token i + 1 - token i; [tokens - 1]
  std::optional<uint64_t> e2e_ns;  // end - arrival; not of an ignored request
  uint64_t paused_ns = 0;          // sum of its pauses that are over
};
RequestMetrics metrics_of(const RequestTimes& times, RequestState state);

}  // namespace attn
