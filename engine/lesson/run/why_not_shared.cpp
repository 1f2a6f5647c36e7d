// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lesson/run/why_not_shared.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "engine/core/counted.h"

namespace attn::lesson {
namespace {

constexpr std::array<std::string_view, 4> kOfSharing{"blocks_saved", "hits", "hits_of",
                                                     "hit_share"};

std::string tokens(int64_t count) {
  return counted(static_cast<size_t>(count), "token", "tokens");
}

int64_t common_beginning(const RequestView& a, const RequestView& b) {
  const int64_t most = std::min(a.prompt_len, b.prompt_len);
  int64_t common = 0;
  while (common < most &&
         (*a.tokens)[static_cast<size_t>(common)].id == (*b.tokens)[static_cast<size_t>(common)].id)
    ++common;
  return common;
}

// Two requests, and the number of equal tokens at the beginning of their prompts.
struct Pair {
  const RequestView *first = nullptr, *second = nullptr;
  int64_t common = -1;
};

class Reasons {
 public:
  explicit Reasons(const FrozenRun& run) : run_(run) {
    for (const TraceEvent& event : run.events())
      if (event.kind == EventKind::kRequestScheduled) begun_.try_emplace(event.a, event.b);
    for (const RequestView& request : run.end().requests)
      if (!request.parent && request.tokens) requests_.push_back(&request);
  }

  std::string text() const {
    if (requests_.size() < 2)
      return "the run has one request, and nobody to share its blocks with: add a second one with "
             "the same beginning, or let it have samples, such as \"n\": 2";
    std::string text;
    const auto add = [&](const std::string& reason) {
      text += (text.empty() ? "" : "; ") + reason;
    };
    if (!run_.scenario().engine.enable_prefix_caching)
      add("prefix caching is off: write \"enable_prefix_caching\": true into \"engine\"");
    // longest: the pair with the longest common beginning. apart: a pair that could share whole
    // blocks and began in different steps.
    Pair longest, apart;
    for (size_t a = 0; a < requests_.size(); ++a)
      for (size_t b = a + 1; b < requests_.size(); ++b) {
        const Pair pair{requests_[a], requests_[b], common_beginning(*requests_[a], *requests_[b])};
        if (pair.common > longest.common) longest = pair;
        if (pair.common >= run_.end().block_size && !begin_together(pair)) apart = pair;
      }
    if (longest.common < run_.end().block_size)
      add(fmt::format(
          "no two prompts begin with the same whole block: {} and {} have {} in common, "
          "and a block has {}",
          longest.first->name, longest.second->name, tokens(longest.common),
          run_.end().block_size));
    else if (!apart.first)
      add(fmt::format(
          "{} and {} are prefilled in the same step ({}), but a block is found only by a request "
          "that begins in a later step: make \"max_num_batched_tokens\" smaller than both prompts "
          "together ({} + {} tokens), or let one come later with \"arrivals\": {{\"kind\": "
          "\"listed\"}} and its \"arrival_s\"",
          longest.first->name, longest.second->name, begun(*longest.first),
          longest.first->prompt_len, longest.second->prompt_len));
    else if (text.empty())
      add("the blocks are shared at another step, or were taken for other tokens in between: ask "
          "with step=, or give the cache more \"num_blocks\"");
    return text;
  }

 private:
  int64_t begun(const RequestView& request) const {
    const auto at = begun_.find(request.id);
    return at == begun_.end() ? 0 : static_cast<int64_t>(at->second);
  }
  bool begin_together(const Pair& pair) const { return begun(*pair.first) == begun(*pair.second); }

  const FrozenRun& run_;
  std::map<uint32_t, uint32_t> begun_;  // request -> step
  std::vector<const RequestView*> requests_;
};

}  // namespace

std::string why_not_shared(const Expression& expression, double value, const FrozenRun& run) {
  const bool asks = std::ranges::any_of(expression.nodes, [](const Expression::Node& node) {
    return std::ranges::find(kOfSharing, node.call.name) != kOfSharing.end();
  });
  if (!asks || value != 0) return "";
  std::string text = Reasons(run).text();
  if (text.front() >= 'a' && text.front() <= 'z') text.front() += 'A' - 'a';  // begins a sentence
  return text;
}

}  // namespace attn::lesson
