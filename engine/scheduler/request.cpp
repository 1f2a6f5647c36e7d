// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scheduler/request.h"

#include <cmath>

namespace attn {

std::string_view name_of(RequestState state) {
  switch (state) {
    case RequestState::kWaiting:
      return "WAITING";
    case RequestState::kRunning:
      return "RUNNING";
    case RequestState::kSwapped:
      return "SWAPPED";
    case RequestState::kFinishedStopped:
      return "FINISHED_STOPPED";
    case RequestState::kFinishedLengthCapped:
      return "FINISHED_LENGTH_CAPPED";
    case RequestState::kFinishedAborted:
      return "FINISHED_ABORTED";
    case RequestState::kFinishedIgnored:
      return "FINISHED_IGNORED";
  }
  return "UNKNOWN";
}

void Request::add_output(int32_t token, uint64_t now_ns) {
  output_ids.push_back(token);
  times.token_ns.push_back(now_ns);
  if (!times.first_token_ns) times.first_token_ns = now_ns;
}

std::vector<int32_t> Request::token_ids() const {
  std::vector<int32_t> ids;
  ids.reserve(static_cast<size_t>(num_tokens()));
  ids.insert(ids.end(), prompt_ids.begin(), prompt_ids.end());
  ids.insert(ids.end(), output_ids.begin(), output_ids.end());
  return ids;
}

SamplingParams sampling_of(const Request& request, int64_t sample_index) {
  SamplingParams params = request.sampling;
  params.seed += static_cast<uint64_t>(sample_index);
  return params;
}

double beam_score(double cumulative_logprob, int64_t output_tokens, double length_penalty) {
  return cumulative_logprob / std::pow(static_cast<double>(output_tokens), length_penalty);
}

RequestMetrics metrics_of(const RequestTimes& times, RequestState state) {
  RequestMetrics metrics;
  // Times of a session file may be in any order. A duration that would be negative is left out or
  // 0.
  const auto since = [](uint64_t begin, uint64_t end) { return end < begin ? 0 : end - begin; };
  const auto since_arrival = [&](const std::optional<uint64_t>& time) {
    return time && *time >= times.queued_ns ? std::optional(*time - times.queued_ns) : std::nullopt;
  };
  metrics.queue_ns = since_arrival(times.scheduled_ns);
  metrics.ttft_ns = since_arrival(times.first_token_ns);
  if (state != RequestState::kFinishedIgnored) metrics.e2e_ns = since_arrival(times.finished_ns);
  for (size_t i = 1; i < times.token_ns.size(); ++i)
    metrics.itl_ns.push_back(since(times.token_ns[i - 1], times.token_ns[i]));
  if (!metrics.itl_ns.empty())
    metrics.tpot_ns = static_cast<double>(since(times.token_ns.front(), times.token_ns.back())) /
                      static_cast<double>(metrics.itl_ns.size());
  for (const Pause& pause : times.pauses)
    if (pause.end_ns) metrics.paused_ns += since(pause.begin_ns, *pause.end_ns);
  return metrics;
}

}  // namespace attn
