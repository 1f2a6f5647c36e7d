// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scheduler/sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/rng.h"

namespace attn {
namespace {

constexpr float kLowest = -std::numeric_limits<float>::infinity();

struct Candidate {
  float logit;
  int32_t token;
  double weight;  // not normalised
};

// Heap order: the largest logit is on top, the lowest id among equals.
bool is_worse(const Candidate& a, const Candidate& b) {
  return a.logit != b.logit ? a.logit < b.logit : a.token > b.token;
}

// Calls each(i) for the tokens that are not suppressed and have a logit above -inf.
template <class Each>
void for_each_allowed(std::span<const float> logits, std::span<const int32_t> suppressed,
                      const Each& each) {
  auto next = suppressed.begin();
  for (size_t i = 0; i < logits.size(); ++i) {
    if (next != suppressed.end() && static_cast<size_t>(*next) == i)
      ++next;
    else if (logits[i] > kLowest)  // false for NaN
      each(i);
  }
}

// The token of the largest logit; -1: no allowed logit is above -inf.
int32_t largest(std::span<const float> logits, std::span<const int32_t> suppressed) {
  int32_t best = -1;
  float best_logit = kLowest;
  for_each_allowed(logits, suppressed, [&](size_t i) {
    if (!(logits[i] > best_logit)) return;
    best = static_cast<int32_t>(i);
    best_logit = logits[i];
  });
  return best;
}

void check(std::span<const float> logits, const SamplingParams& sampling) {
  const auto refuse = [](const char* where, std::string found, const char* allowed) {
    throw_bad_input({"sampling parameter is out of range", where, std::move(found), allowed, ""});
  };
  if (logits.empty()) throw_bad_input({"no logits to draw from", "sampler", "0", "at least 1", ""});
  if (!(sampling.temperature >= 0 && sampling.temperature <= 100))
    refuse("temperature", fmt::format("{}", sampling.temperature), "0 to 100");
  if (sampling.top_k < 0) refuse("top_k", fmt::format("{}", sampling.top_k), "0 (all) or more");
  if (!(sampling.top_p > 0 && sampling.top_p <= 1))
    refuse("top_p", fmt::format("{}", sampling.top_p), "above 0, to 1");
}

// One random number in [0, 1) for this seed and position. Both are hashed, because many pairs have
// the same seed ^ position.
double random_number(uint64_t seed, int64_t position) {
  const uint64_t from_seed = Rng(seed).next();
  return Rng(from_seed ^ Rng(~static_cast<uint64_t>(position)).next()).uniform();
}

double total_weight(std::span<const Candidate> candidates) {
  double total = 0;
  for (const Candidate& candidate : candidates) total += candidate.weight;
  return total;
}

// Keeps the top_k largest, and of those the fewest that reach the share top_p, largest first.
void keep_top(std::vector<Candidate>& candidates, const SamplingParams& sampling) {
  std::make_heap(candidates.begin(), candidates.end(), is_worse);
  const size_t most = sampling.top_k == 0
                          ? candidates.size()
                          : std::min(candidates.size(), static_cast<size_t>(sampling.top_k));
  std::vector<Candidate> kept;
  double wanted = sampling.top_k == 0 ? sampling.top_p * total_weight(candidates)
                                      : std::numeric_limits<double>::infinity();
  double reached = 0;
  for (auto end = candidates.end(); kept.size() < most && reached < wanted; --end) {
    std::pop_heap(candidates.begin(), end, is_worse);
    kept.push_back(*(end - 1));
    reached += kept.back().weight;
  }
  if (sampling.top_k != 0 && sampling.top_p < 1) {
    wanted = sampling.top_p * reached;
    reached = 0;
    size_t count = 0;
    while (count < kept.size() && reached < wanted) reached += kept[count++].weight;
    kept.resize(count);
  }
  candidates = std::move(kept);
}

}  // namespace

Draw draw_token(std::span<const float> logits, const SamplingParams& sampling, int64_t position,
                std::span<const int32_t> suppressed) {
  check(logits, sampling);
  const int32_t found = largest(logits, suppressed), best = std::max(0, found);
  if (sampling.temperature == 0 || found < 0)
    return {.candidates = {{best, 1.0}}, .total = 1, .random = 0, .token = best};

  const double top = logits[static_cast<size_t>(best)];
  std::vector<Candidate> candidates;
  for_each_allowed(logits, suppressed, [&](size_t i) {
    // The largest logit has weight 1, even if it is +inf.
    const double weight =
        logits[i] == top ? 1.0 : std::exp((logits[i] - top) / sampling.temperature);
    candidates.push_back({logits[i], static_cast<int32_t>(i), weight});
  });
  if (sampling.top_k != 0 || sampling.top_p < 1) keep_top(candidates, sampling);

  Draw draw;
  draw.random = random_number(sampling.seed, position);
  draw.total = total_weight(candidates);
  // Taken if the loop below finds no token because of rounding.
  draw.token = best;
  double left = draw.random * draw.total;
  bool is_found = false;
  draw.candidates.reserve(candidates.size());
  for (const Candidate& candidate : candidates) {
    draw.candidates.push_back({candidate.token, candidate.weight});
    left -= candidate.weight;
    if (is_found || left >= 0) continue;
    is_found = true;
    draw.token = candidate.token;
  }
  return draw;
}

int32_t sample_token(std::span<const float> logits, const SamplingParams& sampling,
                     int64_t position, std::span<const int32_t> suppressed) {
  return draw_token(logits, sampling, position, suppressed).token;
}

int64_t first_bad_logit(std::span<const float> logits) {
  for (size_t i = 0; i < logits.size(); ++i)
    if (!(logits[i] < std::numeric_limits<float>::infinity())) return static_cast<int64_t>(i);
  return -1;
}

std::vector<SampledToken> best_tokens(std::span<const float> logits, int64_t count,
                                      std::span<const int32_t> suppressed) {
  double largest_logit = -std::numeric_limits<double>::infinity(), sum = 0;
  for (const float logit : logits)
    if (logit > largest_logit) largest_logit = logit;  // false for NaN
  for (const float logit : logits)
    if (logit > kLowest) sum += std::exp(double{logit} - largest_logit);
  std::vector<int32_t> order;
  for_each_allowed(logits, suppressed, [&](size_t i) { order.push_back(static_cast<int32_t>(i)); });
  const auto most = std::min(order.size(), static_cast<size_t>(count));
  const auto logit_of = [&](int32_t token) { return logits[static_cast<size_t>(token)]; };
  std::partial_sort(order.begin(), order.begin() + static_cast<int64_t>(most), order.end(),
                    [&](int32_t a, int32_t b) {
                      return logit_of(a) != logit_of(b) ? logit_of(a) > logit_of(b) : a < b;
                    });
  std::vector<SampledToken> best;
  for (size_t i = 0; i < most; ++i)
    best.push_back({order[i], logit_of(order[i]) - largest_logit - std::log(sum)});
  best.resize(static_cast<size_t>(count), {kNoToken, -std::numeric_limits<double>::infinity()});
  return best;
}

}  // namespace attn
