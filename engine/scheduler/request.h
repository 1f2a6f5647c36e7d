// SPDX-License-Identifier: GPL-3.0-or-later
// A request: a prompt and the tokens generated for it, with its parameters, state and times.
// Further samples and beams are requests of their own. Owned by the scheduler; engine thread. Also
// the durations that follow from the times (any thread).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// WAITING -> RUNNING -> one of FINISHED_*. A preempted request goes back to WAITING (it will be
// computed again) or to SWAPPED (its blocks are in the swap pool). A request can be ended in any of
// these three states. A fork begins as RUNNING.
enum class RequestState {
  kWaiting,
  kRunning,
  kSwapped,
  kFinishedStopped,       // at a stop token; also a beam dropped while it runs
  kFinishedLengthCapped,  // at max_tokens or max_model_len, or too long for the cache
  kFinishedAborted,       // by abort()
  kFinishedIgnored,       // can never run, see ignored_reason
};
std::string_view name_of(RequestState state);  // "WAITING", ..., "FINISHED_IGNORED"
inline bool is_finished(RequestState state) {
  return state >= RequestState::kFinishedStopped;
}

enum class TableKind : uint8_t {
  kOwn,    // of the request's own tokens
  kCross,  // of the encoder's tokens
};
// The BlockManager knows a request's own table by the request's id, and the encoder's table by the
// id with kCrossTableBit.
inline constexpr uint32_t kCrossTableBit = uint32_t{1} << 31;
constexpr uint32_t table_id(uint32_t request, TableKind kind) {
  return kind == TableKind::kCross ? request | kCrossTableBit : request;
}
constexpr uint32_t request_of_table(uint32_t table) {
  return table & ~kCrossTableBit;
}
constexpr TableKind kind_of_table(uint32_t table) {
  return (table & kCrossTableBit) != 0 ? TableKind::kCross : TableKind::kOwn;
}

struct SamplingParams {
  double temperature = 0;  // [0, 100]; 0: greedy
  int64_t top_k = 0;       // 0: all tokens
  double top_p = 1;        // (0, 1]
  uint64_t seed = 0;
  bool operator==(const SamplingParams&) const = default;
};

// The time from a preemption until the sequence runs again.
struct Pause {
  uint64_t begin_ns = 0;
  std::optional<uint64_t> end_ns;  // absent: it has not run again
  bool swapped = false;            // false: preempted by recomputation
  bool operator==(const Pause&) const = default;
};

// Times of a request, ns on the run's clock. Absent: it has not happened. A fork begins with the
// times of its parent.
struct RequestTimes {
  uint64_t queued_ns = 0;                // arrival, set by Scheduler::add()
  std::optional<uint64_t> scheduled_ns;  // first admission
  std::optional<uint64_t> first_token_ns, finished_ns;
  std::vector<uint64_t> token_ns;  // [output tokens]
  std::vector<Pause> pauses;       // one per preemption, in order
};

struct Request {
  // --- what is asked for ---
  uint32_t id = 0;     // below kCrossTableBit
  std::string name;    // for display, such as "Lily"
  std::string prompt;  // may be empty
  std::vector<int32_t> prompt_ids;
  // Encoder tokens, read by cross attention. Empty: none.
  std::vector<int32_t> encoder_ids;
  // Whether the request's own tokens have places in the cache.
  bool caches_own = true;
  // With caches_own: whether the keys and values of own tokens are written to these places. With
  // AttentionType::kEncoderOnly they are not, because the step reads the keys of the call.
  bool writes_own = true;
  int64_t max_tokens = 16;
  std::vector<int32_t> stop_tokens;        // no duplicates
  std::vector<int32_t> suppressed_tokens;  // see sampler.h
  SamplingParams sampling;
  uint64_t arrival_ns = 0;      // ns, on the run's clock
  int64_t priority = 0;         // smaller goes first
  uint64_t cache_key = 0;       // below 2^63; only requests with equal keys share prefixes
  int64_t n = 1;                // samples, at least 1
  int64_t beam_width = 1;       // above 1: beam search
  double length_penalty = 1;    // beam search: see beam_score()
  bool early_stopping = false;  // beam search: see Scheduler

  // --- set by the scheduler ---
  std::vector<int32_t> output_ids;
  RequestState state = RequestState::kWaiting;
  // Says why the request was ignored or ended early, or why a beam was dropped ("Dropped: ...").
  // May be empty.
  std::string ignored_reason;
  std::optional<uint32_t> parent;  // id of the added request
  int64_t sample_index = 0;        // 0: the added request
  int64_t num_computed = 0;
  int64_t num_cached = 0;  // tokens found in the prefix cache at the admission; 0 while it waits
  // The number of tokens at which the prefill of the last admission ends; 0 while it waits.
  int64_t prefill_end = 0;
  int64_t num_preemptions = 0;
  double cumulative_logprob = 0;     // of a beam's output tokens
  std::optional<int64_t> beam_rank;  // among the best at the search's end; 0: best
  uint64_t order = 0;  // place in the order of arrival, set then; a fork has its parent's
  RequestTimes times;

  int64_t num_tokens() const { return static_cast<int64_t>(prompt_ids.size() + output_ids.size()); }
  int32_t token(int64_t position) const {
    const auto prompt_len = static_cast<int64_t>(prompt_ids.size());
    return position < prompt_len ? prompt_ids[static_cast<size_t>(position)]
                                 : output_ids[static_cast<size_t>(position - prompt_len)];
  }
  std::vector<int32_t> token_ids() const;  // prompt and output
  bool has_encoder() const { return !encoder_ids.empty(); }
  std::span<const TableKind> tables() const {
    static constexpr TableKind kBoth[] = {TableKind::kOwn, TableKind::kCross};
    return std::span(kBoth).subspan(caches_own ? 0 : 1,
                                    (caches_own ? 1u : 0u) + (has_encoder() ? 1u : 0u));
  }
  std::vector<int32_t> ids_in(TableKind kind) const {
    return kind == TableKind::kCross ? encoder_ids : token_ids();
  }
  int64_t places_in(TableKind kind) const {
    return kind == TableKind::kCross ? static_cast<int64_t>(encoder_ids.size()) : num_tokens();
  }
  // Takes a generated token.
  void add_output(int32_t token, uint64_t now_ns);
  bool is_beam() const { return beam_width > 1; }
  bool stops_at(int32_t token) const {
    return std::ranges::find(stop_tokens, token) != stop_tokens.end();
  }
  // Beam search: how many of a beam's best tokens are considered.
  int64_t beam_candidates() const {
    return std::max<int64_t>(2, 1 + static_cast<int64_t>(stop_tokens.size())) * beam_width;
  }
  bool in_prefill() const { return num_computed < prefill_end; }
};

// The sampling parameters of sample number `sample_index`: those of the request, with the seed
// `seed + sample_index`. Sample 0 draws what the request would draw with n = 1.
SamplingParams sampling_of(const Request& request, int64_t sample_index);

// cumulative log-probability / output_tokens ^ length_penalty. Y. Wu et al., "Google's Neural
// Machine Translation System", 2016, eq. 14, with a simpler penalty. output_tokens: at least 1,
// with the stop token.
double beam_score(double cumulative_logprob, int64_t output_tokens, double length_penalty);

// Durations of a request, ns on the run's clock.
struct RequestMetrics {
  std::optional<uint64_t> queue_ns;  // first admission - arrival
  std::optional<uint64_t> ttft_ns;   // first token - arrival
  // (last token - first token) / (tokens - 1); needs two tokens or more.
  std::optional<double> tpot_ns;
  std::vector<uint64_t> itl_ns;    // inter-token latencies: token i + 1 - token i; [tokens - 1]
  std::optional<uint64_t> e2e_ns;  // absent also if the request was ignored
  uint64_t paused_ns = 0;          // pauses that ended
};
RequestMetrics metrics_of(const RequestTimes& times, RequestState state);

}  // namespace attn
