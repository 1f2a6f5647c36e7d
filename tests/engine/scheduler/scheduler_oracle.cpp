// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/scheduler/scheduler_oracle.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace attn::testing {
namespace {

constexpr int32_t kVocabulary = 40, kBeamVocabulary = 9;

uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

int64_t blocks_of(int64_t tokens, const Limits& limits) {
  return (tokens + limits.block_size - 1) / limits.block_size;
}

// Whether a sequence of `tokens` tokens must end because of the engine's limits: the longest
// sequence, or the blocks for `side_by_side` sequences of that length.
bool may_not_grow(int64_t tokens, int64_t side_by_side, const Limits& limits) {
  return tokens >= limits.config.max_model_len ||
         blocks_of(tokens, limits) * side_by_side > limits.usable_blocks;
}

}  // namespace

uint64_t next_content(uint64_t before, int32_t token) {
  return mix(before * 0x9e3779b97f4a7c15 + static_cast<uint64_t>(token) + 1);
}
uint64_t first_content(uint64_t cache_key) {
  return mix(cache_key + 0x517cc1b727220a95);
}
uint64_t content_of(uint64_t cache_key, std::span<const int32_t> tokens) {
  uint64_t content = first_content(cache_key);
  for (const int32_t token : tokens) content = next_content(content, token);
  return content;
}

int32_t fake_token(uint64_t seed, uint64_t content) {
  return static_cast<int32_t>(mix(content ^ mix(seed + 1)) % kVocabulary);
}

std::vector<SampledToken> fake_candidates(uint64_t content, int64_t count) {
  std::vector<SampledToken> all;
  for (int32_t token = 0; token < kBeamVocabulary; ++token) {
    const uint64_t dice = mix(content + static_cast<uint64_t>(token) * 0x2545f4914f6cdd1d);
    all.push_back({token, -0.25 * static_cast<double>(1 + dice % 12)});
  }
  std::stable_sort(all.begin(), all.end(), [](const SampledToken& a, const SampledToken& b) {
    return a.logprob > b.logprob;
  });
  all.resize(static_cast<size_t>(count), {kNoToken, -1000});
  return all;
}

namespace {

bool stops(const Request& asked, int32_t token) {
  return std::ranges::count(asked.stop_tokens, token) > 0;
}

}  // namespace

bool is_ignored(const Request& asked, const Limits& limits) {
  const auto prompt = static_cast<int64_t>(asked.prompt_ids.size());
  const SchedulerConfig& config = limits.config;
  const int64_t most = std::min(config.max_num_seqs, config.max_num_batched_tokens);
  const int64_t blocks = blocks_of(prompt, limits);
  return prompt == 0 || asked.max_tokens < 1 || prompt >= config.max_model_len ||
         (config.policy == SchedulingPolicy::kPrefillFirst &&
          prompt > config.max_num_batched_tokens) ||
         (asked.n > 1 && asked.beam_width > 1) || asked.n > most || asked.beam_width > most ||
         blocks * asked.beam_width > limits.usable_blocks ||
         blocks + limits.watermark_blocks > limits.usable_blocks;
}

Ending expected_sample(const Request& asked, int64_t sample_index, const Limits& limits) {
  const uint64_t seed = asked.sampling.seed + static_cast<uint64_t>(sample_index);
  uint64_t content = content_of(asked.cache_key, asked.prompt_ids);
  Ending ending;
  ending.state = RequestState::kFinishedLengthCapped;
  auto tokens = static_cast<int64_t>(asked.prompt_ids.size());
  do {
    const int32_t token = fake_token(seed, content);
    ending.outputs.push_back(token);
    content = next_content(content, token);
    ++tokens;
    if (stops(asked, token)) {
      ending.state = RequestState::kFinishedStopped;
      return ending;
    }
  } while (static_cast<int64_t>(ending.outputs.size()) < asked.max_tokens &&
           !may_not_grow(tokens, 1, limits));
  return ending;
}

// A beam search that takes the best remaining candidate again and again.
std::vector<Ending> expected_search(const Request& asked, const Limits& limits) {
  struct Beam {
    std::vector<int32_t> outputs;
    uint64_t content = 0;
    double sum = 0;
    int64_t index = 0;  // order of creation
  };
  struct Candidate {
    size_t beam;
    int32_t token;
    double sum;
  };
  const auto width = static_cast<size_t>(asked.beam_width);
  const int64_t candidates = asked.beam_width * (asked.stop_tokens.size() > 1 ? 3 : 2);
  const auto score = [&](const Ending& e) {
    return e.cumulative_logprob /
           std::pow(static_cast<double>(e.outputs.size()), asked.length_penalty);
  };
  std::vector<Ending> done;
  std::vector<Beam> beams(1);
  beams[0].content = content_of(asked.cache_key, asked.prompt_ids);
  auto tokens = static_cast<int64_t>(asked.prompt_ids.size());
  int64_t forks = 0;
  while (!beams.empty()) {
    std::vector<Candidate> left;
    for (size_t i = 0; i < beams.size(); ++i)
      for (const SampledToken& s : fake_candidates(beams[i].content, candidates))
        if (s.token != kNoToken) left.push_back({i, s.token, beams[i].sum + s.logprob});
    std::vector<Candidate> go_on, stop;
    for (size_t rank = 0; !left.empty() && go_on.size() < width; ++rank) {
      size_t best = 0;
      for (size_t i = 1; i < left.size(); ++i) {
        const Candidate &a = left[i], &b = left[best];
        if (a.sum > b.sum ||
            (a.sum == b.sum && (a.token < b.token || (a.token == b.token && a.beam < b.beam))))
          best = i;
      }
      const Candidate c = left[best];
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
      if (!stops(asked, c.token)) {
        go_on.push_back(c);
      } else if (rank < width) {
        stop.push_back(c);
      }
    }
    std::vector<Beam> next;
    std::vector<bool> continued(beams.size(), false);
    const auto extend = [&](const Candidate& c) {
      Beam beam = beams[c.beam];
      if (continued[c.beam]) beam.index = ++forks;
      continued[c.beam] = true;
      beam.outputs.push_back(c.token);
      beam.content = next_content(beam.content, c.token);
      beam.sum = c.sum;
      return beam;
    };
    for (const Candidate& c : go_on) next.push_back(extend(c));
    for (const Candidate& c : stop) {
      const Beam beam = extend(c);
      done.push_back({beam.outputs, RequestState::kFinishedStopped, beam.sum});
    }
    std::sort(next.begin(), next.end(),
              [](const Beam& a, const Beam& b) { return a.index < b.index; });
    beams = std::move(next);
    ++tokens;
    if (beams.empty()) break;
    if (static_cast<int64_t>(beams[0].outputs.size()) >= asked.max_tokens ||
        may_not_grow(tokens, asked.beam_width, limits)) {
      for (const Beam& beam : beams)
        done.push_back({beam.outputs, RequestState::kFinishedLengthCapped, beam.sum});
      break;
    }
    if (done.size() < width) continue;
    std::vector<double> scores;
    for (const Ending& e : done) scores.push_back(score(e));
    std::sort(scores.rbegin(), scores.rend());
    const auto longest = static_cast<double>(asked.length_penalty > 0
                                                 ? asked.max_tokens
                                                 : static_cast<int64_t>(beams[0].outputs.size()));
    const bool hopeless = std::all_of(beams.begin(), beams.end(), [&](const Beam& beam) {
      return beam.sum / std::pow(longest, asked.length_penalty) <= scores[width - 1];
    });
    if (asked.early_stopping || hopeless) break;
  }
  std::stable_sort(done.begin(), done.end(),
                   [&](const Ending& a, const Ending& b) { return score(a) > score(b); });
  if (done.size() > width) done.resize(width);
  return done;
}

}  // namespace attn::testing
