// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that share, copy, swap or recompute blocks, or cut prompts into chunks, give the same
// tokens, and their counters say what happened. Also samples, beams, arrivals and priorities.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/core/error.h"
#include "engine/model/load_model.h"
#include "tests/engine/model/dense_attention.h"
#include "tests/engine/model/families/family_case.h"
#include "tests/engine/session/session_support.h"

namespace attn {
namespace {

using test::model_scenario;

const std::vector<std::string> kStory = {
    "Once upon a time there was a little girl named Lily. She loved to play in the park with her ",
    "dog Max. One day they found a big red ball under the old tree. "};

std::vector<std::string> prompts_of_one_story() {
  const std::string begin = kStory[0] + kStory[1];
  return {begin + "Lily said", begin + "Max ran", begin + "The ball", begin + "A boy came",
          "Tom had a toy car."};
}

Scenario plain(int64_t max_tokens = 28) {
  Scenario scenario = model_scenario(prompts_of_one_story(), max_tokens);
  scenario.engine.num_blocks = 256;
  scenario.engine.clock = ClockKind::kVirtual;
  return scenario;
}

struct Outcome {
  EngineSnapshot shot;
  std::vector<TraceEvent> events;
  std::map<EventKind, int64_t> kinds;
  std::vector<std::string> messages;

  explicit Outcome(const Scenario& scenario) {
    Recorder recorder(num_workers(scenario));
    EngineOptions options;
    options.recorder = &recorder;
    Engine engine(scenario, options);
    engine.run_to_end();
    engine.scheduler().check_invariants();
    shot = engine.snapshot(EnginePhase::kFinished);
    recorder.drain();
    recorder.read(0, events, SIZE_MAX);
    messages = recorder.messages();
    for (const TraceEvent& event : events) ++kinds[event.kind];
  }
  int64_t sum(int64_t StepRecord::*field) const {
    int64_t total = 0;
    for (const StepRecord& step : *shot.steps) total += step.*field;
    return total;
  }
  std::vector<int32_t> output(size_t request) const {
    const RequestView& view = shot.requests[request];
    std::vector<int32_t> ids;
    for (size_t i = static_cast<size_t>(view.prompt_len); i < view.tokens->size(); ++i)
      ids.push_back((*view.tokens)[i].id);
    return ids;
  }
  void expect_all_given_back() const {
    const StepRecord& last = shot.steps->back();
    EXPECT_EQ(last.used_blocks, 0);
    EXPECT_EQ(last.swap_blocks_used, 0);
    for (const BlockView& block : shot.blocks) EXPECT_EQ(block.ref_count, 0);
    for (const BlockView& block : shot.swap_blocks) EXPECT_EQ(block, BlockView{});
  }
  // The weights of the computed rows of head 0 must add up to 1.
  void expect_weights_add_up() const {
    for (const RequestView& request : shot.requests) {
      const AttentionRecord& record = *request.attention;
      const int64_t rows = record.num_rows();
      std::vector<float> row(static_cast<size_t>(rows));
      for (int64_t layer = 0; layer < record.shape().num_layers; ++layer)
        for (int64_t q = request.num_cached; q < request.num_computed; ++q) {
          ASSERT_TRUE(record.row_done(layer, 0, q)) << request.name << " row " << q;
          record.weights(layer, 0, q, 1, 0, rows, row.data());
          double total = 0;
          for (const float weight : row) total += weight;
          ASSERT_NEAR(total, 1, 1e-5) << request.name << " layer " << layer << " row " << q;
        }
    }
  }
};

void expect_same_tokens(const Outcome& run, const Outcome& expected) {
  for (size_t i = 0; i < expected.shot.requests.size(); ++i) {
    EXPECT_EQ(run.output(i), expected.output(i)) << expected.shot.requests[i].name;
    EXPECT_EQ(run.shot.requests[i].state, expected.shot.requests[i].state);
  }
  run.expect_all_given_back();
  run.expect_weights_add_up();
}

const Outcome& expected_run() {
  static const Outcome run(plain());
  return run;
}

Scenario crowded(PreemptionMode how) {
  Scenario scenario = plain();
  scenario.engine.block_size = 8;
  scenario.engine.num_blocks = 24;
  scenario.engine.preemption = how;
  if (how == PreemptionMode::kSwap) scenario.engine.num_swap_blocks = 40;
  return scenario;
}

TEST(CachePolicies, RecomputationWritesTheSame) {
  const Outcome run(crowded(PreemptionMode::kRecompute));
  EXPECT_GT(run.sum(&StepRecord::preemptions), 0);
  EXPECT_EQ(run.sum(&StepRecord::swapped_out_blocks), 0);
  expect_same_tokens(run, expected_run());
}

class CachePoliciesOf : public testing::TestWithParam<const char*> {};

TEST_P(CachePoliciesOf, SwappingWritesTheSame) {
  Scenario scenario = crowded(PreemptionMode::kSwap);
  scenario.engine.backend = GetParam();
  const Outcome run(scenario);
  EXPECT_GT(run.sum(&StepRecord::swapped_out_blocks), 0);
  EXPECT_EQ(run.sum(&StepRecord::swapped_out_blocks), run.sum(&StepRecord::swapped_in_blocks));
  EXPECT_EQ(run.kinds.at(EventKind::kBlockSwappedOut), run.sum(&StepRecord::swapped_out_blocks));
  EXPECT_GT(run.kinds.at(EventKind::kRequestResumed), 0);
  expect_same_tokens(run, expected_run());
}

TEST(CachePolicies, ABackendThatCannotSwapComputesAgain) {
  Scenario scenario = crowded(PreemptionMode::kSwap);
  scenario.engine.backend = "pallas";
  scenario.engine.pad_head_size = true;
  const Outcome run(scenario);
  EXPECT_GT(run.sum(&StepRecord::preemptions), 0);
  EXPECT_EQ(run.sum(&StepRecord::swapped_out_blocks), 0);
  EXPECT_EQ(std::ranges::count_if(run.messages,
                                  [](const std::string& message) {
                                    return message.find("cannot swap blocks") != std::string::npos;
                                  }),
            1);
  expect_same_tokens(run, expected_run());
}

TEST_P(CachePoliciesOf, CachedPrefixesWriteTheSame) {
  for (const int64_t block_size : {1, 5, 16}) {
    Scenario scenario = plain();
    scenario.engine.backend = GetParam();
    scenario.engine.enable_prefix_caching = true;
    scenario.engine.extended = true;
    scenario.engine.block_size = block_size;
    scenario.engine.num_blocks = 4096 / block_size;
    scenario.engine.max_num_seqs = 2;
    const Outcome run(scenario);
    EXPECT_GE(run.sum(&StepRecord::hit_tokens), 3 * 16) << block_size;
    EXPECT_GT(run.kinds.at(EventKind::kPrefixHit), 0);
    EXPECT_GT(run.sum(&StepRecord::queried_tokens), run.sum(&StepRecord::hit_tokens));
    expect_same_tokens(run, expected_run());
  }
}

TEST(CachePolicies, EvictedPrefixesWriteTheSame) {
  Scenario scenario = plain();
  scenario.engine.enable_prefix_caching = true;
  scenario.engine.extended = true;
  scenario.engine.block_size = 8;
  scenario.engine.num_blocks = 24;
  const Outcome run(scenario);
  EXPECT_GT(run.sum(&StepRecord::evicted_blocks), 0);
  EXPECT_EQ(run.kinds.at(EventKind::kBlockEvicted), run.sum(&StepRecord::evicted_blocks));
  expect_same_tokens(run, expected_run());
}

TEST_P(CachePoliciesOf, ChunksWriteTheSame) {
  Scenario scenario = plain();
  scenario.engine.backend = GetParam();
  scenario.engine.policy = SchedulingPolicy::kChunkedPrefill;
  scenario.engine.extended = true;
  scenario.engine.max_num_seqs = 5;
  scenario.engine.block_size = 4;
  for (const auto& [budget, caching] : {std::pair{6, false}, {8, true}, {256, true}}) {
    scenario.engine.max_num_batched_tokens = budget;
    scenario.engine.enable_prefix_caching = caching;
    const Outcome run(scenario);
    for (const StepRecord& step : *run.shot.steps)
      ASSERT_LE(step.prefill_tokens + step.decode_tokens, budget);
    expect_same_tokens(run, expected_run());
  }
}

TEST(CachePolicies, ABackendWithoutMixedBatchesSaysSo) {
  Scenario scenario = plain();
  scenario.engine.backend = "pallas";
  scenario.engine.pad_head_size = true;
  scenario.engine.policy = SchedulingPolicy::kChunkedPrefill;
  scenario.engine.max_num_batched_tokens = 20;
  try {
    const Outcome refused(scenario);
    FAIL() << "a batch of prefills and decodes ran";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kNotSupported);
    EXPECT_NE(std::string(error.what()).find("PALLAS"), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, CachePoliciesOf,
                         testing::Values("torch_sdpa", "xformers", "unified", "reference"),
                         [](const auto& test) { return std::string(test.param); });

TEST(CachePolicies, SamplesAreWhatTheirSeedsWriteAlone) {
  Scenario together = model_scenario({kStory[0] + "dog."}, 24);
  together.engine.block_size = 8;
  together.requests[0].n = 4;
  together.requests[0].sampling = {.temperature = 0.9, .top_k = 0, .top_p = 0.95, .seed = 11};
  const Outcome run(together);
  ASSERT_EQ(run.shot.requests.size(), 4u);
  EXPECT_EQ(run.kinds.at(EventKind::kRequestForked), 3);
  ASSERT_NE(run.shot.requests[0].prompt_len % 8, 0);
  EXPECT_EQ(run.sum(&StepRecord::copied_blocks), 3);
  EXPECT_EQ(run.kinds.at(EventKind::kBlockCopied), 3);
  EXPECT_GT(run.kinds.at(EventKind::kBlockShared), 0);
  for (uint64_t i = 0; i < 4; ++i) {
    Scenario alone = together;
    alone.requests[0].n = 1;
    alone.requests[0].sampling.seed = 11 + i;
    const Outcome one(alone);
    EXPECT_EQ(run.output(i), one.output(0)) << "sample " << i;
    EXPECT_EQ(run.shot.requests[i].sample_index, static_cast<int64_t>(i));
    EXPECT_EQ(run.shot.requests[i].parent.has_value(), i > 0);
    const AttentionRecord &forked = *run.shot.requests[i].attention,
                          &single = *one.shot.requests[0].attention;
    const int64_t rows = single.num_rows();
    ASSERT_EQ(forked.num_rows(), rows);
    std::vector<float> a(static_cast<size_t>(rows * rows)), b(a.size());
    forked.weights(1, 2, 0, rows, 0, rows, a.data());
    single.weights(1, 2, 0, rows, 0, rows, b.data());
    EXPECT_EQ(a, b) << "sample " << i;
  }
  run.expect_all_given_back();
}

struct Hypothesis {
  std::vector<int32_t> tokens;
  double logprob = 0;
};

// Beam search by its definition. No hypothesis ends before `steps`.
std::vector<Hypothesis> beams_of(Model& model, const std::vector<int32_t>& prompt, size_t width,
                                 int steps) {
  std::vector<Hypothesis> beams{{prompt, 0}};
  for (int step = 0; step < steps; ++step) {
    std::vector<Hypothesis> next;
    for (const Hypothesis& beam : beams) {
      DenseAttention run(model, 1);
      const std::vector<float> logits = run.step(beam.tokens);
      double sum = 0;
      for (const float logit : logits) sum += std::exp(double{logit});
      for (size_t token = 0; token < logits.size(); ++token) {
        next.push_back(beam);
        next.back().tokens.push_back(static_cast<int32_t>(token));
        next.back().logprob += logits[token] - std::log(sum);
      }
    }
    std::ranges::stable_sort(next, std::greater<>{}, &Hypothesis::logprob);
    next.resize(width);
    beams = std::move(next);
  }
  return beams;
}

TEST(CachePolicies, BeamsAreThoseOfTheDefinition) {
  const auto model = load_model(std::string(ATTN_SOURCE_DIR) + "/assets/models/tinystories-gqa");
  const std::string prompt = "Tom had a toy car. He";
  for (const int64_t width : {2, 4}) {
    Scenario scenario = model_scenario({prompt}, 12);
    scenario.engine.block_size = 4;
    scenario.requests[0].beam_width = width;
    const Outcome run(scenario);
    const std::vector<int32_t> ids = model->encode(prompt);
    const std::vector<Hypothesis> expected = beams_of(*model, ids, static_cast<size_t>(width), 12);
    size_t found = 0;
    for (size_t i = 0; i < run.shot.requests.size(); ++i) {
      const RequestView& beam = run.shot.requests[i];
      if (!beam.beam_rank) continue;
      ++found;
      const Hypothesis& same = expected[static_cast<size_t>(*beam.beam_rank)];
      EXPECT_EQ(run.output(i),
                std::vector<int32_t>(same.tokens.begin() + static_cast<int64_t>(ids.size()),
                                     same.tokens.end()))
          << "rank " << *beam.beam_rank;
      EXPECT_NEAR(beam.cumulative_logprob, same.logprob, 1e-3);
    }
    EXPECT_EQ(found, static_cast<size_t>(width));
    EXPECT_GT(run.kinds.at(EventKind::kRequestForked), 0);
    // Tokens that a beam took over from another one do not count again.
    const std::vector<StepRecord>& steps = *run.shot.steps;
    ASSERT_LE(steps.size(), 32u);
    const double seconds = 1e-9 * static_cast<double>(steps.back().end_ns - steps.front().begin_ns);
    EXPECT_NEAR(recent_tokens_per_s(steps, run.shot.requests) * seconds,
                static_cast<double>(run.shot.generated_tokens), 0.01);
    run.expect_all_given_back();
    run.expect_weights_add_up();
  }
}

TEST(CachePolicies, TheRateLeavesIdleTimeOut) {
  std::vector<StepRecord> steps(3);
  RequestView request;
  for (size_t i = 0; i < steps.size(); ++i) {
    steps[i].begin_ns = 1'000'000'000 * i;
    steps[i].end_ns = steps[i].begin_ns + 100'000'000;
    steps[i].running = 1;
    request.times.token_ns.push_back(steps[i].end_ns);
  }
  EXPECT_NEAR(recent_tokens_per_s(steps, {request}), 3 / 2.1, 1e-9);
  steps[0].running = 0;
  EXPECT_EQ(idle_ns(steps), 900'000'000u);
  EXPECT_NEAR(recent_tokens_per_s(steps, {request}), 3 / 1.2, 1e-9);
}

// --- models of other families ---

class CachePoliciesOfFamily : public testing::TestWithParam<const char*> {
 protected:
  CachePoliciesOfFamily() : family_(GetParam()), folder_(family_.write()) {}

  // Five requests, four of which begin alike.
  Scenario scenario(int64_t max_tokens = 14) const {
    const std::string begin = "abbabaababbaabbbababaaabbabaabba";
    Scenario scenario = model_scenario(
        {begin + "bba", begin + "aab", begin + "b", begin + "abbb", "bbabbaab"}, max_tokens);
    scenario.source.model = folder_.string();
    scenario.engine.backend = "unified";
    scenario.engine.block_size = 4;
    scenario.engine.num_blocks = 256;
    scenario.engine.clock = ClockKind::kVirtual;
    return scenario;
  }

 private:
  FamilyCase family_;

 protected:
  std::filesystem::path folder_;
};

TEST_P(CachePoliciesOfFamily, EveryPolicyWritesTheSame) {
  const Outcome expected(scenario());
  for (size_t i = 0; i < 5; ++i) ASSERT_EQ(expected.output(i).size(), 14u);
  const auto same = [&](const char* what, const Scenario& changed,
                        int64_t StepRecord::*counts = nullptr) {
    SCOPED_TRACE(what);
    const Outcome run(changed);
    if (counts) {
      EXPECT_GT(run.sum(counts), 0);
    }
    expect_same_tokens(run, expected);
  };
  Scenario changed = scenario();
  changed.engine.num_blocks = 36;
  changed.engine.preemption = PreemptionMode::kRecompute;
  same("computed again", changed, &StepRecord::preemptions);
  changed.engine.preemption = PreemptionMode::kSwap;
  changed.engine.num_swap_blocks = 64;
  same("swapped", changed, &StepRecord::swapped_in_blocks);
  changed = scenario();
  changed.engine.enable_prefix_caching = true;
  changed.engine.max_num_seqs = 2;
  same("cached prefixes", changed, &StepRecord::hit_tokens);
  changed.engine.num_blocks = 20;
  same("evicted prefixes", changed, &StepRecord::evicted_blocks);
  changed = scenario();
  changed.engine.policy = SchedulingPolicy::kChunkedPrefill;
  changed.engine.max_num_seqs = 5;
  changed.engine.max_num_batched_tokens = 6;
  same("chunks", changed);
  changed.engine.enable_prefix_caching = true;
  changed.engine.max_num_batched_tokens = 16;
  same("chunks and prefixes", changed);
  changed = scenario();
  changed.engine.backend = "reference";
  same("reference", changed);
}

TEST_P(CachePoliciesOfFamily, SamplesAndBeamsAreTheSame) {
  Scenario together = scenario(12);
  together.requests.resize(1);
  together.requests[0].n = 3;
  together.requests[0].sampling = {.temperature = 0.9, .top_k = 0, .top_p = 0.95, .seed = 5};
  const Outcome run(together);
  EXPECT_EQ(run.kinds.at(EventKind::kRequestForked), 2);
  for (uint64_t i = 0; i < 3; ++i) {
    Scenario alone = together;
    alone.requests[0].n = 1;
    alone.requests[0].sampling.seed = 5 + i;
    EXPECT_EQ(run.output(i), Outcome(alone).output(0)) << "sample " << i;
  }

  const auto model = load_model(folder_);
  Scenario searched = scenario(8);
  searched.requests.resize(1);
  searched.requests[0].beam_width = 3;
  const Outcome beams(searched);
  const std::vector<int32_t> ids = model->encode(searched.requests[0].prompt);
  const std::vector<Hypothesis> expected = beams_of(*model, ids, 3, 8);
  for (size_t i = 0; i < beams.shot.requests.size(); ++i)
    if (const RequestView& beam = beams.shot.requests[i]; beam.beam_rank) {
      const std::vector<int32_t>& tokens = expected[static_cast<size_t>(*beam.beam_rank)].tokens;
      EXPECT_EQ(
          beams.output(i),
          std::vector<int32_t>(tokens.begin() + static_cast<int64_t>(ids.size()), tokens.end()))
          << "rank " << *beam.beam_rank;
    }
}

INSTANTIATE_TEST_SUITE_P(Models, CachePoliciesOfFamily,
                         testing::Values("gemma2_1", "gpt_neo_1", "gpt2_1"),
                         [](const auto& test) { return std::string(test.param); });

TEST(CachePolicies, BlocksLeaveTheWindow) {
  Scenario scenario = test::synthetic_scenario({50, 30}, 60);
  scenario.engine.block_size = 8;
  scenario.engine.num_blocks = 40;
  scenario.attention.sliding_window = 20;
  const Outcome run(scenario);
  EXPECT_GT(run.kinds.at(EventKind::kBlockLeftWindow), 2 * 5);
  // Each of the two sequences holds ceil(20 / 8) blocks or one more.
  EXPECT_LE(run.shot.steps->at(run.shot.steps->size() / 2).used_blocks, 2 * 4);
  EXPECT_TRUE(run.shot.has_null_block);
  run.expect_all_given_back();
  run.expect_weights_add_up();
}

void expect_queued_at_arrival(const Outcome& run) {
  size_t queued = 0;
  for (const TraceEvent& event : run.events) {
    if (event.kind != EventKind::kRequestQueued) continue;
    EXPECT_EQ(event.begin_ns, run.shot.requests[event.a].times.queued_ns);
    ++queued;
  }
  EXPECT_EQ(queued, run.shot.requests.size());
}

TEST(CachePolicies, RequestsComeWhenTheirTimeHasCome) {
  Scenario scenario = plain(4);
  scenario.arrivals.kind = ArrivalKind::kListed;
  scenario.requests[1].arrival_s = 0.5;
  scenario.requests[2].arrival_s = 2;
  scenario.requests[3].arrival_s = 2;
  scenario.requests[4].arrival_s = 0.25;
  const Outcome run(scenario);
  for (size_t i = 0; i < 5; ++i) {
    const RequestTimes& times = run.shot.requests[i].times;
    EXPECT_EQ(times.queued_ns, static_cast<uint64_t>(1e9 * scenario.requests[i].arrival_s));
    EXPECT_GE(*times.scheduled_ns, times.queued_ns);
    EXPECT_LT(*times.scheduled_ns - times.queued_ns, 100'000'000u);
  }
  EXPECT_LT(*run.shot.requests[4].times.scheduled_ns, *run.shot.requests[1].times.scheduled_ns);
  expect_same_tokens(run, Outcome(plain(4)));

  scenario = plain(4);
  scenario.arrivals = {ArrivalKind::kPoisson, 10};
  const Outcome poisson(scenario);
  uint64_t before = 0;
  for (const RequestView& request : poisson.shot.requests) {
    EXPECT_GT(request.times.queued_ns, before);
    before = request.times.queued_ns;
  }
}

TEST(CachePolicies, ARequestThatComesWithinAStepIsQueuedFromItsArrivalOn) {
  Scenario scenario = plain(4);
  scenario.arrivals.kind = ArrivalKind::kListed;
  scenario.requests[1].arrival_s = 1;
  const StepRecord first = Outcome(scenario).shot.steps->front();
  const uint64_t within = first.begin_ns + (first.end_ns - first.begin_ns) / 2;
  scenario.requests[1].arrival_s = 1e-9 * static_cast<double>(within);
  const Outcome run(scenario);
  EXPECT_EQ(run.shot.requests[1].times.queued_ns, within);
  EXPECT_GT(*run.shot.requests[1].times.scheduled_ns, within);
  expect_queued_at_arrival(run);
}

TEST(CachePolicies, TheRealClockWaitsForArrivals) {
  Scenario scenario = plain(2);
  scenario.engine.clock = ClockKind::kReal;
  scenario.arrivals.kind = ArrivalKind::kListed;
  scenario.requests[4].arrival_s = 0.2;
  const Outcome run(scenario);
  EXPECT_GE(*run.shot.requests[4].times.scheduled_ns, 200'000'000u);
  EXPECT_EQ(run.output(4).size(), 2u);
  expect_queued_at_arrival(run);
}

TEST(CachePolicies, PriorityGoesFirst) {
  Scenario scenario = plain(6);
  scenario.engine.max_num_seqs = 1;
  scenario.requests[3].priority = -1;
  scenario.requests[0].priority = 5;
  const Outcome run(scenario);
  const auto begun = [&](size_t i) { return *run.shot.requests[i].times.scheduled_ns; };
  EXPECT_LT(begun(3), begun(1));
  EXPECT_LT(begun(1), begun(2));
  EXPECT_LT(begun(4), begun(0));
}

}  // namespace
}  // namespace attn
