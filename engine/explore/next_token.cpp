// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/explore/next_token.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "engine/explore/logit_lens.h"
#include "engine/scheduler/sampler.h"

namespace attn {
namespace {

constexpr int64_t kTokensAtOnce = 64;  // bounds the logits' memory

// Rates the token `ahead` places after each row, from the logits of the row.
bool how_likely(Model& model, const ResidualRecord& record, std::span<const int32_t> tokens,
                int64_t first, int64_t count, int64_t ahead, std::vector<PastToken>& past,
                const Execution& execution) {
  past.clear();
  Tensor logits;
  for (int64_t begin = 0; begin < count; begin += kTokensAtOnce) {
    const int64_t rows = std::min(kTokensAtOnce, count - begin);
    if (!own_logits(model, record, first + begin, rows, logits, execution)) return false;
    const int64_t vocab = logits.dim(1);
    for (int64_t row = 0; row < rows; ++row) {
      const int64_t position = first + begin + row + ahead;
      if (position >= static_cast<int64_t>(tokens.size())) return true;
      const std::span<const float> of(logits.data<float>() + row * vocab,
                                      static_cast<size_t>(vocab));
      const int32_t token = tokens[static_cast<size_t>(position)];
      const double largest = static_cast<double>(*std::ranges::max_element(of));
      const float own = of[static_cast<size_t>(token)];
      double sum = 0;
      int64_t rank = 0;
      for (size_t i = 0; i < of.size(); ++i) {
        sum += std::exp(static_cast<double>(of[i]) - largest);
        rank += of[i] > own || (of[i] == own && static_cast<int32_t>(i) < token);
      }
      past.push_back({position, static_cast<double>(own) - largest - std::log(sum), rank});
    }
  }
  return true;
}

}  // namespace

NextToken next_token(std::span<const float> logits, const SamplingParams& sampling,
                     int64_t position, int64_t most, std::span<const int32_t> suppressed) {
  const Draw draw = draw_token(logits, sampling, position, suppressed);
  NextToken next;
  next.vocabulary = static_cast<int64_t>(logits.size());
  next.candidates = static_cast<int64_t>(draw.candidates.size());
  next.random = draw.random;
  next.token = draw.token;
  std::vector<int32_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  const auto at = [&](int32_t token) { return logits[static_cast<size_t>(token)]; };
  std::ranges::sort(order,
                    [&](int32_t a, int32_t b) { return at(a) != at(b) ? at(a) > at(b) : a < b; });
  const double largest = static_cast<double>(at(order.front()));
  const bool greedy = sampling.temperature == 0;
  const auto tempered = [&](int32_t token) {
    if (greedy) return token == draw.token ? 1.0 : 0.0;
    return std::exp((static_cast<double>(at(token)) - largest) / sampling.temperature);
  };
  double plain_sum = 0, tempered_sum = 0;
  for (const int32_t token : order) {
    plain_sum += std::exp(static_cast<double>(at(token)) - largest);
    tempered_sum += tempered(token);
  }
  std::map<int32_t, std::pair<double, double>> strip;  // begin, end
  double begin = 0;
  for (const Draw::Candidate& candidate : draw.candidates) {
    strip[candidate.token] = {begin / draw.total, (begin + candidate.weight) / draw.total};
    begin += candidate.weight;
  }
  double sums[3] = {};
  const auto top_k = sampling.top_k == 0 ? order.size() : static_cast<size_t>(sampling.top_k);
  size_t allowed = 0;  // not suppressed ones before
  for (size_t rank = 0; rank < order.size(); ++rank) {
    const int32_t token = order[rank];
    const bool is_suppressed = std::ranges::binary_search(suppressed, token);
    TokenChoice choice{.token = token,
                       .logit = at(token),
                       .plain = std::exp(static_cast<double>(at(token)) - largest) / plain_sum,
                       .tempered = tempered(token) / tempered_sum,
                       .probability = 0,
                       .cut = CutBy::kNothing,
                       .begin = 0,
                       .end = 0};
    if (const auto found = strip.find(token); found != strip.end()) {
      std::tie(choice.begin, choice.end) = found->second;
      choice.probability = choice.end - choice.begin;
    } else {
      choice.cut = is_suppressed      ? CutBy::kSuppressed
                   : greedy           ? CutBy::kTemperature0
                   : allowed >= top_k ? CutBy::kTopK
                                      : CutBy::kTopP;
      if (choice.cut == CutBy::kSuppressed) next.suppressed += choice.tempered;
      if (choice.cut == CutBy::kTopK) next.cut_by_top_k += choice.tempered;
      if (choice.cut == CutBy::kTopP) next.cut_by_top_p += choice.tempered;
    }
    allowed += !is_suppressed;
    if (token == draw.token) next.drawn = choice;
    sums[0] += choice.plain;
    sums[1] += choice.tempered;
    sums[2] += choice.probability;
    if (static_cast<int64_t>(rank) < most) next.choices.push_back(choice);
  }
  for (const double sum : sums) next.residue = std::max(next.residue, std::abs(sum - 1));
  return next;
}

bool draw_again(Model& model, const ResidualRecord& record, std::span<const int32_t> tokens,
                int64_t prompt_len, int64_t count, const SamplingParams& sampling, int64_t& equal,
                const Execution& execution) {
  equal = 0;
  const std::vector<int32_t> suppressed = model.suppressed_tokens();
  Tensor logits;
  for (int64_t begin = 0; begin < count; begin += kTokensAtOnce) {
    const int64_t rows = std::min(kTokensAtOnce, count - begin), first = prompt_len + begin;
    if (!own_logits(model, record, first - 1, rows, logits, execution)) return false;
    const auto vocab = static_cast<size_t>(logits.dim(1));
    for (int64_t row = 0; row < rows; ++row)
      equal += sample_token(logits.span<float>().subspan(static_cast<size_t>(row) * vocab, vocab),
                            sampling, first + row,
                            suppressed) == tokens[static_cast<size_t>(first + row)];
  }
  return true;
}

bool past_tokens(Model& model, const ResidualRecord& record, std::span<const int32_t> tokens,
                 int64_t first, int64_t count, std::vector<PastToken>& past,
                 const Execution& execution) {
  return how_likely(model, record, tokens, first, count, 1, past, execution);
}

bool tokens_in_place(Model& model, const ResidualRecord& record, std::span<const int32_t> tokens,
                     int64_t first, int64_t count, std::vector<PastToken>& in_place,
                     const Execution& execution) {
  return how_likely(model, record, tokens, first, count, 0, in_place, execution);
}

}  // namespace attn
