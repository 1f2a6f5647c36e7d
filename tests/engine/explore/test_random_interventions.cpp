// SPDX-License-Identifier: GPL-3.0-or-later
// Random interventions in random scenarios, on each backend in turn. A request without
// interventions has the bits that it has in a run without any interventions. Each request has the
// same bits in a small cache as in a large one. ATTN_INTERVENTIONS: the least number of
// interventions that are tried.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <set>

#include "engine/session/intervene/same_target.h"
#include "tests/engine/explore/toy_model.h"

namespace attn {
namespace {

using namespace test;

struct Prompt {
  std::vector<int32_t> ids;
  ScenarioRequest request;
};

// What a request with its samples or beams computed. logits: for each list of tokens, the logits of
// the token after it.
struct Outcome {
  std::map<std::vector<int32_t>, std::vector<float>> logits;
  std::vector<std::vector<int32_t>> texts;
  std::vector<float> stream;
};

std::shared_ptr<Model> toy() {
  static const std::shared_ptr<Model> model = random_toy(5);
  return model;
}

Intervention random_intervention(Rng& rng, int64_t tokens, int64_t other, bool sinks) {
  Intervention what;
  what.layer = static_cast<int64_t>(rng.below(3));
  what.head = static_cast<int64_t>(rng.below(4));
  const auto position = [&] {
    return static_cast<int64_t>(rng.below(static_cast<uint64_t>(tokens)));
  };
  switch (rng.below(sinks ? 7 : 6)) {
    case 0:
      what.with = Replacement::kMean;
      break;
    case 1:
      what.with = Replacement::kRequest;
      what.request = other;
      break;
    case 2:
      what.kind = InterventionKind::kEdge;
      what.query = position();
      what.key = static_cast<int64_t>(rng.below(static_cast<uint64_t>(what.query) + 1));
      break;
    case 3:
      what.kind = InterventionKind::kEdge;
      what.key = position();
      break;
    case 4:
      what = stream_of(other, rng.below(2) ? ResidualSite::kMid : ResidualSite::kPost, what.layer,
                       rng.below(3) ? position() : -1);
      if (what.layer % 2 == 0) what.from_layer = (what.layer + 1) % 3;
      if (what.position >= 0 && what.position % 2 == 0) what.from_position = what.position / 2;
      break;
    case 5:
      if (rng.below(2)) what.position = position();
      break;
    default:
      what.kind = InterventionKind::kSink;
  }
  return what;
}

std::vector<Prompt> random_prompts(Rng& rng, bool samples, bool sinks) {
  const std::vector<int32_t> shared = random_ids(rng, 24, 24);
  std::vector<Prompt> prompts(2 + rng.below(4));
  for (Prompt& prompt : prompts) {
    const auto kept = static_cast<int64_t>(rng.below(20));
    prompt.ids.assign(shared.begin(), shared.begin() + kept);
    for (const int32_t id : random_ids(rng, 1 + static_cast<int64_t>(rng.below(10)), 24))
      prompt.ids.push_back(id);
    ScenarioRequest& request = prompt.request;
    request.prompt = "a";
    request.max_tokens = 1 + static_cast<int64_t>(rng.below(10));
    request.sampling.seed = rng.next();
    request.sampling.temperature = rng.below(2) ? 1.0 : 0.0;
    if (samples && rng.below(3) == 0) {
      if (rng.below(2))
        request.n = 2;
      else
        request.beam_width = 2, request.sampling.temperature = 0;
    }
    if (rng.below(2)) request.residual = {static_cast<int64_t>(rng.below(4)), 100};
  }
  for (size_t i = 0; i < prompts.size(); ++i)
    for (uint64_t n = rng.below(4); n > 0; --n) {
      const size_t other = (i + 1 + rng.below(prompts.size() - 1)) % prompts.size();
      const Intervention what = random_intervention(
          rng, static_cast<int64_t>(prompts[i].ids.size()), static_cast<int64_t>(other), sinks);
      std::vector<Intervention>& list = prompts[i].request.interventions;
      if (std::ranges::none_of(list,
                               [&](const Intervention& one) { return same_target(one, what); }))
        list.push_back(what);
    }
  return prompts;
}

Scenario random_rules(Rng& rng, std::string_view backend) {
  Scenario scenario = toy_scenario(0);
  scenario.engine.backend = backend;
  scenario.engine.extended = backend == "torch_sdpa";  // allows chunks and prefix hits
  const bool window = rng.below(3) == 0, sinks = rng.below(3) == 0;
  if (backend == "unified" || backend == "reference") {
    if (window) scenario.attention.sliding_window = 4 + static_cast<int64_t>(rng.below(12));
    if (sinks) scenario.attention.sinks = {0.5, -1, 1, 2};
    const char* const caches[] = {"auto", "bf16", "fp8"};
    scenario.engine.kv_cache_dtype = caches[rng.below(3)];
  }
  return scenario;
}

// Draws policies. Gives the cache few blocks, and steps of chunked prefill few tokens.
void make_narrow(Rng& rng, ScenarioEngine& engine, int64_t sequences) {
  engine.block_size = 1 + static_cast<int64_t>(rng.below(5));
  engine.num_blocks =
      sequences * ((34 + 10) / engine.block_size + 2) + static_cast<int64_t>(rng.below(4));
  const bool chunks = rng.below(2) != 0, swap = rng.below(2) != 0,
             pallas = engine.backend == "pallas";
  engine.policy =
      chunks && !pallas ? SchedulingPolicy::kChunkedPrefill : SchedulingPolicy::kPrefillFirst;
  engine.max_num_batched_tokens = engine.policy == SchedulingPolicy::kChunkedPrefill
                                      ? 4 + static_cast<int64_t>(rng.below(20))
                                      : 64;
  engine.enable_prefix_caching = rng.below(2) != 0;
  if (swap && !pallas) {
    engine.preemption = PreemptionMode::kSwap;
    engine.num_swap_blocks = 200;
  }
}

std::vector<Outcome> outcomes(const Scenario& scenario,
                              std::vector<EngineOptions::GivenPrompt> prompts, int* preemptions) {
  std::vector<Outcome> result(prompts.size());
  EngineOptions options;
  options.prompts = std::move(prompts);
  Engine* running = nullptr;
  const auto root = [&](const Request& request) { return request.parent.value_or(request.id); };
  options.on_logits = [&](const Tensor& logits, const std::vector<uint32_t>& requests) {
    for (size_t i = 0; i < requests.size(); ++i) {
      const Request& request = *running->scheduler().find(requests[i]);
      const float* row = logits.data<float>() + static_cast<int64_t>(i) * logits.dim(1);
      result[root(request)].logits[request.token_ids()].assign(row, row + logits.dim(1));
    }
  };
  Engine engine(scenario, toy(), options);
  running = &engine;
  engine.run_to_end();
  for (const auto& request : engine.scheduler().requests()) {
    EXPECT_NE(request->state, RequestState::kFinishedIgnored) << request->ignored_reason;
    Outcome& of = result[root(*request)];
    of.texts.push_back(request->output_ids);
    if (preemptions) *preemptions += static_cast<int>(request->num_preemptions);
    if (const auto record = engine.residual(request->id); record && request->n == 1) {
      of.stream.resize(static_cast<size_t>(record->num_rows() * record->shape().width));
      record->read(ResidualSite::kPost, 2, record->shape().first, record->num_rows(),
                   of.stream.data());
    }
  }
  for (Outcome& of : result) std::ranges::sort(of.texts);
  return result;
}

void expect_same(const Outcome& a, const Outcome& b, const std::string& where) {
  EXPECT_EQ(a.texts, b.texts) << where;
  ASSERT_EQ(a.logits.size(), b.logits.size()) << where;
  for (const auto& [tokens, row] : a.logits) {
    const auto other = b.logits.find(tokens);
    ASSERT_NE(other, b.logits.end()) << where;
    ASSERT_TRUE(same_bits(row, other->second)) << where << ", after " << tokens.size() << " tokens";
  }
}

TEST(RandomInterventions, OthersKeepTheirBitsAndAnyBatchGivesTheSame) {
  const char* const wanted = std::getenv("ATTN_INTERVENTIONS");
  const int least = wanted ? std::atoi(wanted) : 40;
  register_all_backends();
  const std::vector<const AttentionBackend*> backends = registered_backends();
  std::set<InterventionKind> kinds;
  int tried = 0, scenarios = 0, preemptions = 0, changed = 0;
  for (uint64_t seed = 1; tried < least; ++seed, ++scenarios) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const Scenario rules = random_rules(rng, backends[seed % backends.size()]->name());
    const std::vector<Prompt> prompts =
        random_prompts(rng, rng.below(2) != 0, !rules.attention.sinks.empty());
    Scenario wide = rules;
    std::vector<EngineOptions::GivenPrompt> given;
    for (const Prompt& prompt : prompts) {
      wide.requests.push_back(prompt.request);
      given.push_back({prompt.ids, {}});
      tried += static_cast<int>(prompt.request.interventions.size());
      for (const Intervention& what : prompt.request.interventions) kinds.insert(what.kind);
    }
    // The narrow cache holds the longest request, or two such if there are samples or beams.
    const bool has_two = std::ranges::any_of(prompts, [](const Prompt& prompt) {
      return prompt.request.n > 1 || prompt.request.beam_width > 1;
    });
    Scenario narrow = wide;
    make_narrow(rng, narrow.engine, has_two ? 2 : 1);
    const std::vector<Outcome> together = outcomes(narrow, given, &preemptions);

    wide.engine.num_blocks = 400;
    const std::vector<Outcome> calm = outcomes(wide, given, nullptr);
    Scenario plain = wide;
    for (ScenarioRequest& request : plain.requests) request.interventions.clear();
    const std::vector<Outcome> untouched = outcomes(plain, given, nullptr);
    for (size_t i = 0; i < prompts.size(); ++i) {
      expect_same(together[i], calm[i], fmt::format("request {}", i));
      if (prompts[i].request.interventions.empty())
        expect_same(together[i], untouched[i], fmt::format("request {} without interventions", i));
      else
        changed += !same_bits(calm[i].logits.begin()->second, untouched[i].logits.begin()->second);
      if (!narrow.engine.enable_prefix_caching && prompts[i].request.n == 1 &&
          prompts[i].request.beam_width == 1) {
        EXPECT_TRUE(same_bits(together[i].stream, calm[i].stream)) << i;
      }
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(preemptions, 0);
  EXPECT_GT(changed, 0);
  EXPECT_EQ(kinds.size(), 4U);
  EXPECT_GE(scenarios, static_cast<int>(backends.size()));
  if (wanted)
    std::cout << fmt::format("{} interventions in {} scenarios, {} preemptions\n", tried, scenarios,
                             preemptions);
}

}  // namespace
}  // namespace attn
