// SPDX-License-Identifier: GPL-3.0-or-later
// Parallel samples and beam search in the scheduler: forks, places, preemption, aborts and ends.
// Also the choice of beams.
#include <numeric>

#include "engine/scheduler/beam_search.h"
#include "tests/engine/scheduler/scheduler_bench.h"

namespace attn::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Request samples_of(uint32_t id, int64_t prompt_len, int64_t max_tokens, int64_t n) {
  Request request = make_request(id, prompt_len, max_tokens);
  request.name = "Lily";
  request.n = n;
  request.sampling.seed = 70;
  return request;
}
Request beams_of(uint32_t id, int64_t prompt_len, int64_t max_tokens, int64_t width) {
  Request request = make_request(id, prompt_len, max_tokens);
  request.beam_width = width;
  request.stop_tokens = {0};
  return request;
}

TEST(Samples, AreForkedAtTheFirstToken) {
  std::vector<std::pair<uint32_t, uint32_t>> told;
  SchedulerEvents events;
  events.forked = [&](const Request& parent, const Request& child) {
    told.emplace_back(parent.id, child.id);
    EXPECT_THAT(child.output_ids, IsEmpty());
  };
  Bench bench({.first_fork_id = 8}, 16, 4, std::move(events));
  bench.scheduler.add(samples_of(1, 5, 3, 3));
  BatchPlan plan = bench.run_step();
  EXPECT_THAT(plan.sequences, ElementsAre(chunk(1, 0, 5, 3)));
  EXPECT_THAT(told, ElementsAre(std::pair{1u, 8u}, std::pair{1u, 9u}));
  EXPECT_EQ(bench.num_used(), 2);  // a fork takes no block
  ASSERT_THAT(bench.scheduler.requests(), SizeIs(3));
  const Request& child = bench.request(9);
  EXPECT_EQ(child.parent, 1u);
  EXPECT_EQ(child.sample_index, 2);
  EXPECT_EQ(child.sampling.seed, 72u);
  EXPECT_EQ(child.name, "Lily (3)");
  EXPECT_EQ(child.state, RequestState::kRunning);
  EXPECT_EQ(child.times.scheduled_ns, bench.request(1).times.scheduled_ns);
  EXPECT_EQ(child.times.first_token_ns, bench.request(1).times.first_token_ns);
  EXPECT_THAT(bench.request(1).output_ids, ElementsAre(105));
  EXPECT_THAT(bench.request(8).output_ids, ElementsAre(1105));
  EXPECT_THAT(bench.request(9).output_ids, ElementsAre(2105));

  plan = bench.run_step();
  EXPECT_THAT(plan.forked, ElementsAre(Fork{1, 8}, Fork{1, 9}));
  EXPECT_THAT(plan.sequences, ElementsAre(decode(1, 5), decode(8, 5), decode(9, 5)));
  EXPECT_THAT(plan.copies, SizeIs(2));
  EXPECT_EQ(bench.num_used(), 4);
  bench.run_to_end();
  EXPECT_EQ(bench.num_used(), 0);
  EXPECT_THAT(bench.request(9).output_ids, SizeIs(3));
}

TEST(Samples, IdsGoOnFromTheLargestKnown) {
  Bench bench({}, 16, 4);
  bench.scheduler.add(samples_of(41, 5, 3, 2));
  bench.run_step();
  EXPECT_NE(bench.scheduler.find(42), nullptr);
}

TEST(Samples, TakeTheirPlacesAtAdmission) {
  Bench bench({.max_num_seqs = 3}, 32, 4);
  bench.scheduler.add(samples_of(1, 5, 2, 3));
  bench.scheduler.add(make_request(2, 2, 2));
  bench.scheduler.add(samples_of(3, 5, 2, 4));
  const BatchPlan plan = bench.run_step();
  EXPECT_THAT(plan.admitted, ElementsAre(1));
  EXPECT_THAT(plan.ignored, ElementsAre(3));
  EXPECT_EQ(bench.request(3).ignored_reason,
            "4 sequences run at the same time. This needs a max_num_seqs of at least 4; it is 3.");
  EXPECT_THAT(bench.run_step().admitted, IsEmpty());
  EXPECT_THAT(bench.run_step().admitted, ElementsAre(2));
}

TEST(Samples, EndEachForItself) {
  Bench bench({.first_fork_id = 8}, 16, 4);
  Request request = samples_of(1, 5, 3, 2);
  request.stop_tokens = {1105};
  bench.scheduler.add(std::move(request));
  bench.run_step();
  EXPECT_EQ(bench.request(8).state, RequestState::kFinishedStopped);
  EXPECT_EQ(bench.request(1).state, RequestState::kRunning);
  const BatchPlan plan = bench.run_step();
  EXPECT_THAT(plan.finished, ElementsAre(8));
  EXPECT_THAT(plan.copies, IsEmpty());
}

TEST(Samples, ArePreemptedOneByOne) {
  Bench bench({.first_fork_id = 8}, 4, 2);
  bench.scheduler.add(samples_of(1, 3, 4, 2));
  bench.run_step();
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(decode(1, 3), decode(8, 3)));
  const BatchPlan plan = bench.run_step();
  EXPECT_THAT(plan.preempted, ElementsAre(recomputed(8)));
  EXPECT_THAT(plan.sequences, ElementsAre(decode(1, 4)));
  bench.run_to_end();
  EXPECT_THAT(bench.request(8).output_ids, ElementsAre(1103, 104, 105, 106));
}

TEST(Samples, EndWithTheirParent) {
  Bench bench({.first_fork_id = 8}, 16, 4);
  bench.scheduler.add(samples_of(1, 5, 9, 4));
  bench.run_step();
  bench.scheduler.abort(9, 0);  // ends this fork alone
  EXPECT_EQ(bench.request(9).state, RequestState::kFinishedAborted);
  EXPECT_EQ(bench.request(1).state, RequestState::kRunning);
  const BatchPlan plan = bench.schedule();
  bench.scheduler.abort(1, 0);  // while the step runs
  bench.update(plan);
  for (const uint32_t id : {1u, 8u, 10u})
    EXPECT_EQ(bench.request(id).state, RequestState::kFinishedAborted);
  EXPECT_EQ(bench.num_used(), 0);
  EXPECT_FALSE(bench.scheduler.has_work());
}

TEST(Samples, EndWithAParentThatHasEnded) {
  Bench bench({.first_fork_id = 8}, 16, 4);
  Request request = samples_of(1, 5, 9, 2);
  request.stop_tokens = {105};
  bench.scheduler.add(std::move(request));
  bench.run_step();
  ASSERT_EQ(bench.request(1).state, RequestState::kFinishedStopped);
  bench.scheduler.abort(1, 0);
  EXPECT_EQ(bench.request(1).state, RequestState::kFinishedStopped);
  EXPECT_EQ(bench.request(8).state, RequestState::kFinishedAborted);
}

TEST(Samples, AndBeamsExcludeEachOther) {
  Bench bench({}, 16, 4);
  Request request = samples_of(1, 5, 9, 2);
  request.beam_width = 3;
  bench.scheduler.add(std::move(request));
  EXPECT_THAT(bench.run_step().ignored, ElementsAre(1));
  EXPECT_EQ(bench.request(1).ignored_reason, "n is 2 and beam_width is 3: one of them must be 1.");
}

TEST(ChooseBeams, TakesTheLowerTokenThenTheEarlierBeamAmongEquals) {
  const BeamChoice choice =
      choose_beams({{1, 4, -1.0}, {0, 9, -1.0}, {0, 4, -1.0}, {1, 2, -1.5}, {0, 3, -1.5}}, 4, {});
  EXPECT_THAT(choice.next, ElementsAre(BeamCandidate{0, 4, -1.0}, BeamCandidate{1, 4, -1.0},
                                       BeamCandidate{0, 9, -1.0}, BeamCandidate{1, 2, -1.5}));
  EXPECT_THAT(choice.finished, IsEmpty());
}

TEST(ChooseBeams, EndsOnlyStopTokensAmongTheBest) {
  const std::vector<BeamCandidate> candidates = {
      {0, 7, -1.0}, {0, 0, -2.0}, {1, 0, -3.0}, {1, 5, -4.0}, {1, 6, -5.0}};
  const std::vector<int32_t> one = {0}, two = {5, 7};
  BeamChoice choice = choose_beams(candidates, 2, one);
  EXPECT_THAT(choice.finished, ElementsAre(BeamCandidate{0, 0, -2.0}));
  EXPECT_THAT(choice.next, ElementsAre(BeamCandidate{0, 7, -1.0}, BeamCandidate{1, 5, -4.0}));
  choice = choose_beams(candidates, 3, two);
  EXPECT_THAT(choice.finished, ElementsAre(BeamCandidate{0, 7, -1.0}));
  EXPECT_THAT(choice.next, ElementsAre(BeamCandidate{0, 0, -2.0}, BeamCandidate{1, 0, -3.0},
                                       BeamCandidate{1, 6, -5.0}));
}

TEST(BeamSearch, LooksAtSoManyTokensThatStopTokensLeaveEnough) {
  for (const auto& [stops, samples] : {std::pair<size_t, int64_t>{0, 4}, {1, 4}, {2, 6}, {4, 10}}) {
    Bench bench({.first_fork_id = 8}, 16, 4);
    Request request = beams_of(1, 2, 2, 2);
    request.stop_tokens.resize(stops);
    std::iota(request.stop_tokens.begin(), request.stop_tokens.end(), 0);
    bench.scheduler.add(std::move(request));
    EXPECT_THAT(bench.schedule().sequences, ElementsAre(chunk(1, 0, 2, samples)));
  }
}

TEST(BeamScore, IsTheMeanForAPenaltyOfOne) {
  EXPECT_DOUBLE_EQ(beam_score(-6, 3, 1), -2);
  EXPECT_DOUBLE_EQ(beam_score(-6, 3, 0), -6);
  // At best the log-probability stays as it is. With a penalty above 0 the full length is the best
  // length, otherwise the present one.
  EXPECT_DOUBLE_EQ(best_attainable_score(-6, 3, 12, 1), -0.5);
  EXPECT_DOUBLE_EQ(best_attainable_score(-6, 3, 12, -1), -18);
}

TEST(BeamSearch, ForksTheBeamThatGoesOnTwiceAndDropsTheOther) {
  Bench bench({.first_fork_id = 8}, 16, 4);
  bench.scheduler.add(beams_of(1, 2, 2, 2));
  BatchPlan plan = bench.schedule();
  EXPECT_THAT(plan.sequences, ElementsAre(chunk(1, 0, 2, 4)));
  bench.update(plan, {{7, -1}, {3, -1}, {5, -2}, {9, -3}});
  EXPECT_THAT(bench.request(1).output_ids, ElementsAre(3));
  EXPECT_THAT(bench.request(8).output_ids, ElementsAre(7));
  EXPECT_EQ(bench.request(8).cumulative_logprob, -1);

  plan = bench.schedule();
  ASSERT_THAT(plan.sequences, SizeIs(2));
  EXPECT_EQ(plan.sequences[1].num_samples, 4);
  bench.update(plan, {{1, -0.5},
                      {2, -5},
                      {3, -6},
                      {kNoToken, 0},  //
                      {1, -0.125},
                      {2, -0.25},
                      {3, -6},
                      {4, -7}});
  EXPECT_EQ(bench.request(1).state, RequestState::kFinishedStopped);
  EXPECT_EQ(bench.request(1).ignored_reason,
            "Dropped: 2 other beams have at least the same log-probability.");
  EXPECT_THAT(bench.request(1).output_ids, ElementsAre(3));
  EXPECT_EQ(bench.request(1).beam_rank, std::nullopt);
  EXPECT_THAT(bench.request(8).output_ids, ElementsAre(7, 1));
  EXPECT_EQ(bench.request(8).beam_rank, 0);
  EXPECT_EQ(bench.request(8).cumulative_logprob, -1.125);
  EXPECT_THAT(bench.request(9).output_ids, ElementsAre(7, 2));
  EXPECT_EQ(bench.request(9).beam_rank, 1);
  EXPECT_EQ(bench.request(9).parent, 1u);
  EXPECT_EQ(bench.request(9).state, RequestState::kFinishedLengthCapped);
  EXPECT_THAT(bench.schedule().forked, ElementsAre(Fork{8, 9}));
  EXPECT_EQ(bench.num_used(), 0);
}

TEST(BeamSearch, GoesOnWhileABetterEndIsPossible) {
  for (const bool early : {false, true}) {
    Bench bench({.first_fork_id = 8}, 16, 4);
    Request request = beams_of(1, 2, 8, 2);
    request.early_stopping = early;
    bench.scheduler.add(std::move(request));
    bench.update(bench.schedule(), {{3, -1}, {4, -1.25}, {5, -9}, {6, -9}});
    bench.update(bench.schedule(), {{0, -0.5},
                                    {3, -2},
                                    {4, -9},
                                    {5, -9},  //
                                    {0, -0.5},
                                    {3, -2},
                                    {4, -9},
                                    {5, -9}});
    EXPECT_EQ(bench.scheduler.has_work(), !early);
    if (!early) continue;
    EXPECT_THAT(bench.request(1).ignored_reason,
                "Dropped: 2 finished beams are enough (early_stopping).");
  }
}

TEST(BeamSearch, IsAbortedAsAWhole) {
  Bench bench({.first_fork_id = 8}, 16, 4);
  bench.scheduler.add(beams_of(1, 2, 8, 2));
  bench.update(bench.schedule(), {{3, -1}, {4, -1.25}, {5, -9}, {6, -9}});
  bench.scheduler.abort(8, 0);
  EXPECT_EQ(bench.request(1).state, RequestState::kFinishedAborted);
  EXPECT_EQ(bench.request(8).state, RequestState::kFinishedAborted);
  EXPECT_FALSE(bench.scheduler.has_work());
  EXPECT_EQ(bench.num_used(), 0);
}

TEST(BeamSearch, IsSwappedAsAWhole) {
  // 6 blocks of 2: a search with 2 beams and a request grow until the search is preempted.
  Bench bench({.preemption = PreemptionMode::kSwap, .first_fork_id = 8},
              BlockManagerConfig{.block_size = 2, .num_blocks = 6, .num_swap_blocks = 8});
  bench.scheduler.add(make_request(1, 5, 6));
  bench.scheduler.add(beams_of(2, 3, 3, 2));
  const std::vector<SampledToken> two = {{3, -1}, {4, -1.25}, {5, -9}, {6, -9}};
  BatchPlan plan = bench.schedule();
  ASSERT_THAT(plan.admitted, ElementsAre(1, 2));
  bench.update(plan, {{9, 0}, two[0], two[1], two[2], two[3]});
  bench.update(bench.schedule(),
               {{9, 0}, two[0], two[2], two[2], two[2], two[1], two[2], two[2], two[2]});
  plan = bench.schedule();
  EXPECT_THAT(plan.preempted, ElementsAre(swapped(8), swapped(2))) << to_string(plan);
  EXPECT_THAT(plan.sequences, ElementsAre(decode(1, 6)));
}

TEST(BeamSearch, NeedsRoomForItsBeamsSideBySide) {
  Bench bench({}, 5, 2);
  bench.scheduler.add(beams_of(1, 5, 3, 2));
  EXPECT_THAT(bench.schedule().ignored, ElementsAre(1));
  EXPECT_EQ(bench.request(1).ignored_reason,
            "The prompt has 5 tokens and needs 6 blocks of 2 tokens for 2 beams; the cache has 5.");
}

}  // namespace
}  // namespace attn::testing
