// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scheduler/scheduler.h"

#include <stdexcept>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "tests/engine/scheduler/scheduler_bench.h"

namespace attn::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Scheduler, PrefillThenOneTokenAStep) {
  Bench bench({}, 16, 4);
  bench.scheduler.add(make_request(7, 5, 3));
  EXPECT_TRUE(bench.scheduler.has_work());

  BatchPlan plan = bench.run_step();
  EXPECT_THAT(plan.sequences, ElementsAre(prefill(7, 5)));
  EXPECT_THAT(plan.admitted, ElementsAre(7));
  EXPECT_EQ(plan.free_blocks_before, 16);
  EXPECT_EQ(plan.free_blocks_after, 14);
  EXPECT_EQ(bench.request(7).num_computed, 5);

  EXPECT_THAT(bench.run_step().sequences, ElementsAre(decode(7, 5)));
  plan = bench.run_step();
  EXPECT_THAT(plan.sequences, ElementsAre(decode(7, 6)));
  EXPECT_THAT(plan.admitted, IsEmpty());
  EXPECT_EQ(bench.request(7).state, RequestState::kFinishedLengthCapped);
  EXPECT_THAT(bench.request(7).output_ids, ElementsAre(105, 106, 107));
  EXPECT_EQ(bench.request(7).ignored_reason, "");
  EXPECT_EQ(bench.num_free(), 16);
  EXPECT_FALSE(bench.scheduler.has_work());
  EXPECT_TRUE(bench.schedule().empty());
}

TEST(Scheduler, PrefillGoesFirstAndBatchesAreNotMixed) {
  Bench bench({}, 16, 4);
  bench.scheduler.add(make_request(1, 3, 8));
  bench.run_step();
  bench.scheduler.add(make_request(2, 4, 8));
  bench.scheduler.add(make_request(3, 2, 8));
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(prefill(2, 4), prefill(3, 2)));
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(decode(1, 3), decode(2, 4), decode(3, 2)));
}

TEST(Scheduler, TokenBudgetMakesWavesInOrder) {
  Bench bench({.max_num_batched_tokens = 10}, 32, 4);
  for (const auto& [id, length] : {std::pair{1u, 6}, {2u, 4}, {3u, 8}, {4u, 2}}) {
    bench.scheduler.add(make_request(id, length, 4));
  }
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(prefill(1, 6), prefill(2, 4)));
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(prefill(3, 8), prefill(4, 2)));
  EXPECT_EQ(bench.run_step().num_decode_tokens(), 4);
}

TEST(Scheduler, NobodyOvertakesTheFrontOfTheQueue) {
  Bench bench({.max_num_batched_tokens = 10}, 32, 4);
  for (const auto& [id, length] : {std::pair{1u, 6}, {2u, 5}, {3u, 1}}) {
    bench.scheduler.add(make_request(id, length, 4));
  }
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(prefill(1, 6)));
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(prefill(2, 5), prefill(3, 1)));
}

TEST(Scheduler, SequenceBudgetQueuesTheRest) {
  Bench bench({.max_num_seqs = 2}, 32, 4);
  for (uint32_t id = 1; id <= 3; ++id) bench.scheduler.add(make_request(id, 2, 2));
  EXPECT_THAT(bench.run_step().admitted, ElementsAre(1, 2));
  EXPECT_EQ(bench.scheduler.num_waiting(), 1);
  EXPECT_EQ(bench.scheduler.num_running(), 2);
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(decode(1, 2), decode(2, 2)));
  EXPECT_THAT(bench.run_step().admitted, ElementsAre(3));
}

TEST(Scheduler, DecodesRespectATokenBudgetBelowTheSequenceBudget) {
  Bench bench({.max_num_batched_tokens = 2, .max_num_seqs = 8}, 32, 4);
  for (uint32_t id = 1; id <= 4; ++id) bench.scheduler.add(make_request(id, 1, 3));
  while (bench.scheduler.has_work()) {
    const BatchPlan plan = bench.run_step();
    EXPECT_LE(plan.num_prefill_tokens() + plan.num_decode_tokens(), 2);
  }
  EXPECT_EQ(bench.request(4).output_ids.size(), 3u);
}

TEST(Scheduler, WaitsForBlocks) {
  Bench bench({}, 4, 4);
  bench.scheduler.add(make_request(1, 9, 4));
  bench.scheduler.add(make_request(2, 5, 2));  // needs 2 blocks
  EXPECT_THAT(bench.run_step().admitted, ElementsAre(1));
  for (int i = 0; i < 3; ++i) EXPECT_THAT(bench.run_step().admitted, IsEmpty());
  EXPECT_THAT(bench.run_step().admitted, ElementsAre(2));
}

TEST(Scheduler, PreemptsTheNewestAndComputesItAgain) {
  // 4 blocks of 2: two prompts of 3 take 2 blocks each, and both will need a third.
  Bench bench({}, 4, 2);
  bench.scheduler.add(make_request(1, 3, 4));
  bench.scheduler.add(make_request(2, 3, 4));
  EXPECT_THAT(bench.run_step().admitted, ElementsAre(1, 2));
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(decode(1, 3), decode(2, 3)));

  BatchPlan plan = bench.run_step();
  EXPECT_THAT(plan.preempted, ElementsAre(recomputed(2)));
  EXPECT_THAT(plan.sequences, ElementsAre(decode(1, 4)));
  EXPECT_EQ(bench.request(2).state, RequestState::kWaiting);
  EXPECT_EQ(bench.request(2).num_computed, 0);
  EXPECT_EQ(bench.request(2).num_preemptions, 1);
  EXPECT_THAT(bench.request(2).output_ids, ElementsAre(103, 104));

  bench.run_step();
  plan = bench.run_step();
  EXPECT_THAT(plan.sequences, ElementsAre(prefill(2, 5)));  // computes prompt and outputs
  EXPECT_THAT(plan.admitted, ElementsAre(2));
  bench.run_to_end();
  EXPECT_THAT(bench.request(1).output_ids, ElementsAre(103, 104, 105, 106));
  EXPECT_THAT(bench.request(2).output_ids, ElementsAre(103, 104, 105, 106));
}

TEST(Scheduler, TheNewestCanPreemptOnlyItself) {
  // 3 blocks of 2: the older request has room in its block, the newer one needs a block.
  Bench bench({}, 3, 2);
  bench.scheduler.add(make_request(1, 3, 2));
  bench.scheduler.add(make_request(2, 2, 3));
  bench.run_step();
  const BatchPlan plan = bench.run_step();
  EXPECT_THAT(plan.preempted, ElementsAre(recomputed(2)));
  EXPECT_THAT(plan.sequences, ElementsAre(decode(1, 3)));
  bench.run_to_end();
  EXPECT_THAT(bench.request(2).output_ids, ElementsAre(102, 103, 104));
}

TEST(Scheduler, PreemptedGoesBeforeThoseWhoNeverRan) {
  Bench bench({}, 4, 2);
  bench.scheduler.add(make_request(1, 3, 4));
  bench.scheduler.add(make_request(2, 3, 4));
  bench.scheduler.add(make_request(3, 1, 1));
  bench.run_step();
  while (bench.request(2).num_preemptions == 0) bench.run_step();
  std::vector<uint32_t> admitted;
  while (bench.scheduler.has_work()) {
    for (const uint32_t id : bench.run_step().admitted) admitted.push_back(id);
  }
  EXPECT_THAT(admitted, ElementsAre(2, 3));
}

TEST(Scheduler, RecomputationLongerThanAStepGoesOnAsDecodesThatSampleNothing) {
  Bench bench({.max_num_batched_tokens = 4}, 6, 2);
  bench.scheduler.add(make_request(1, 2, 9));
  bench.scheduler.add(make_request(2, 2, 6));
  while (bench.request(2).num_preemptions == 0) bench.run_step();
  const int64_t known = bench.request(2).num_tokens();
  ASSERT_EQ(known, 7);
  BatchPlan plan;
  do {
    plan = bench.run_step();
  } while (plan.admitted.empty());
  EXPECT_THAT(plan.sequences, ElementsAre(prefill(2, 4, false)));
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(decode(2, 4, false)));
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(decode(2, 5, false)));
  EXPECT_EQ(bench.request(2).num_tokens(), known);
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(decode(2, 6, true)));
  EXPECT_THAT(bench.request(2).output_ids, ElementsAre(102, 103, 104, 105, 106, 107));
}

TEST(Scheduler, IgnoresWhatCanNeverRunAndSaysWhatWouldBeNeeded) {
  Bench bench({.max_num_batched_tokens = 20, .max_model_len = 100}, 6, 4);
  bench.scheduler.add(make_request(1, 21, 4));
  bench.scheduler.add(make_request(2, 100, 4));
  bench.scheduler.add(make_request(3, 0, 4));
  bench.scheduler.add(make_request(4, 3, 0));
  bench.scheduler.add(make_request(5, 20, 1));
  const BatchPlan plan = bench.run_step();
  EXPECT_THAT(plan.ignored, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(plan.sequences, ElementsAre(prefill(5, 20)));
  EXPECT_EQ(bench.request(1).state, RequestState::kFinishedIgnored);
  EXPECT_EQ(bench.request(1).ignored_reason,
            "The prompt has 21 tokens, and prefill_first computes it in one step. This needs a "
            "max_num_batched_tokens of at least 21; it is 20.");
  EXPECT_THAT(bench.request(2).ignored_reason,
              HasSubstr("needs a max_model_len of at least 101; it is 100."));
  EXPECT_THAT(
      bench.request(2).ignored_reason,
      HasSubstr("The prompt has 100 tokens and needs 25 blocks of 4 tokens; the cache has 6."));
  EXPECT_THAT(bench.request(3).ignored_reason, HasSubstr("empty"));
  EXPECT_THAT(bench.request(4).ignored_reason, HasSubstr("max_tokens is 0"));
  EXPECT_EQ(bench.num_free(), 6);
}

TEST(Scheduler, RefusesAtOnceEvenBehindAQueue) {
  Bench bench({.max_num_seqs = 1, .max_model_len = 16}, 8, 4);
  bench.scheduler.add(make_request(1, 4, 8));
  bench.scheduler.add(make_request(2, 4, 8));
  bench.scheduler.add(make_request(3, 16, 8));
  EXPECT_THAT(bench.run_step().ignored, ElementsAre(3));
}

TEST(Scheduler, StopTokenEndsAndIsKept) {
  Bench bench({}, 8, 4);
  Request request = make_request(1, 4, 8);
  request.stop_tokens = {105};
  bench.scheduler.add(std::move(request));
  bench.run_to_end();
  EXPECT_EQ(bench.request(1).state, RequestState::kFinishedStopped);
  EXPECT_THAT(bench.request(1).output_ids, ElementsAre(104, 105));
}

TEST(Scheduler, EachOfSeveralStopTokensEnds) {
  Bench bench({}, 8, 4);
  Request request = make_request(1, 4, 8);
  request.stop_tokens = {900, 106, 105};
  bench.scheduler.add(std::move(request));
  bench.run_to_end();
  EXPECT_EQ(bench.request(1).state, RequestState::kFinishedStopped);
  EXPECT_THAT(bench.request(1).output_ids, ElementsAre(104, 105));
}

TEST(Scheduler, LongestSequenceEndsTheRequestAndSaysSo) {
  Bench bench({.max_model_len = 7}, 8, 4);
  bench.scheduler.add(make_request(1, 4, 8));
  bench.run_to_end();
  EXPECT_EQ(bench.request(1).state, RequestState::kFinishedLengthCapped);
  EXPECT_EQ(bench.request(1).num_tokens(), 7);
  EXPECT_EQ(bench.request(1).ignored_reason,
            "Stopped after 3 of 8 tokens: the sequence reached max_model_len 7.");
}

TEST(Scheduler, FullCacheEndsALoneRequestAndSaysSo) {
  Bench bench({}, 2, 3);
  bench.scheduler.add(make_request(1, 4, 8));
  bench.run_to_end();
  EXPECT_EQ(bench.request(1).state, RequestState::kFinishedLengthCapped);
  EXPECT_THAT(bench.request(1).output_ids, ElementsAre(104, 105, 106));
  EXPECT_EQ(bench.request(1).ignored_reason,
            "Stopped after 3 of 8 tokens: the sequence needs more than all 2 blocks of 3 tokens.");
  EXPECT_EQ(bench.request(1).num_preemptions, 0);
}

TEST(Scheduler, DiscardedPrefillIsPlannedAgainWithTheSameBlocks) {
  Bench bench({}, 8, 4);
  bench.scheduler.add(make_request(1, 5, 3));
  const BatchPlan cancelled = bench.schedule();
  bench.scheduler.discard(cancelled);
  bench.scheduler.check_invariants();
  EXPECT_EQ(bench.request(1).num_computed, 0);
  EXPECT_EQ(bench.num_used(), 2);

  bench.scheduler.add(make_request(2, 3, 3));
  const BatchPlan plan = bench.run_step();
  EXPECT_THAT(plan.sequences, ElementsAre(prefill(1, 5), prefill(2, 3)));
  EXPECT_THAT(plan.admitted, ElementsAre(2));
  EXPECT_EQ(bench.num_used(), 3);
  bench.run_to_end();
  EXPECT_THAT(bench.request(1).output_ids, ElementsAre(105, 106, 107));
}

TEST(Scheduler, DiscardedDecodeIsPlannedAgainWithTheSameBlocks) {
  Bench bench({}, 8, 4);
  bench.scheduler.add(make_request(1, 4, 3));
  bench.run_step();
  BatchPlan plan = bench.schedule();
  EXPECT_EQ(plan.free_blocks_after, 6);
  bench.scheduler.discard(plan);
  plan = bench.run_step();
  EXPECT_THAT(plan.sequences, ElementsAre(decode(1, 4)));
  EXPECT_EQ(plan.free_blocks_before, 6);
  EXPECT_EQ(plan.free_blocks_after, 6);
  EXPECT_THAT(bench.request(1).output_ids, ElementsAre(104, 105));
}

TEST(Scheduler, AbortFreesAtAnyMoment) {
  Bench bench({.max_num_seqs = 2}, 8, 4);
  for (uint32_t id = 1; id <= 3; ++id) bench.scheduler.add(make_request(id, 4, 5));
  bench.run_step();
  bench.scheduler.abort(3, bench.clock);  // request 3 is waiting
  bench.scheduler.abort(1, bench.clock);  // request 1 is running
  bench.scheduler.check_invariants();
  EXPECT_EQ(bench.request(1).state, RequestState::kFinishedAborted);
  EXPECT_EQ(bench.request(3).state, RequestState::kFinishedAborted);
  EXPECT_EQ(bench.num_used(), 1);
  bench.scheduler.abort(1, bench.clock);   // it was aborted already
  bench.scheduler.abort(99, bench.clock);  // an unknown id
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(decode(2, 4)));

  const BatchPlan plan = bench.schedule();
  bench.scheduler.abort(2, bench.clock);  // while the step runs
  bench.update(plan);
  EXPECT_EQ(bench.request(2).output_ids.size(), 2u);
  EXPECT_EQ(bench.num_free(), 8);
  EXPECT_FALSE(bench.scheduler.has_work());
}

TEST(Scheduler, AbortBeforeTheFirstScheduleIsNotIgnoredAgain) {
  Bench bench({.max_model_len = 4}, 8, 4);
  bench.scheduler.add(make_request(1, 40, 5));
  bench.scheduler.abort(1, bench.clock);
  EXPECT_THAT(bench.schedule().ignored, IsEmpty());
  EXPECT_EQ(bench.request(1).state, RequestState::kFinishedAborted);
}

TEST(Scheduler, TimesAreStampedOnce) {
  Bench bench({}, 4, 2);
  bench.clock = 50;
  bench.scheduler.add(make_request(1, 3, 4));
  bench.scheduler.add(make_request(2, 3, 4));
  bench.run_step();
  bench.clock = 99;
  bench.run_to_end();
  ASSERT_GT(bench.request(2).num_preemptions, 0);
  const RequestTimes& times = bench.request(2).times;
  EXPECT_EQ(times.scheduled_ns, 50u);
  EXPECT_EQ(times.first_token_ns, 1000u);
  EXPECT_EQ(times.token_ns.size(), 4u);
  EXPECT_EQ(times.finished_ns, times.token_ns.back());
  bench.scheduler.add(make_request(3, 3, 4));
  bench.scheduler.abort(3, bench.clock);
  EXPECT_EQ(bench.request(3).times.finished_ns, 99u);
  EXPECT_FALSE(bench.request(3).times.scheduled_ns);
}

TEST(Scheduler, TellsWhatHappensInOrder) {
  std::vector<std::string> log;
  const auto note = [&](const char* what) {
    return [&log, what](const Request& request) {
      log.push_back(std::string(what) + " " + std::to_string(request.id) + " " +
                    std::string(name_of(request.state)) + " " +
                    std::to_string(request.num_computed));
    };
  };
  const auto note_block = [&](const BlockChange& change) {
    const char* what = change.kind == BlockChangeKind::kAllocated ? "take"
                       : change.kind == BlockChangeKind::kFreed   ? "free"
                                                                  : "change";
    log.push_back(std::string(what) + " " + std::to_string(change.sequence) + " " +
                  std::to_string(change.block) + " at " + std::to_string(change.logical) +
                  " leaves " + std::to_string(change.free_after));
  };
  SchedulerEvents events;
  events.scheduled = note("scheduled");
  events.preempted = note("preempted");
  events.finished = note("finished");
  events.before_free = note("before_free");
  Bench bench({}, 3, 2, std::move(events), note_block);
  bench.scheduler.add(make_request(1, 3, 2));
  bench.scheduler.add(make_request(2, 2, 3));
  bench.run_step();
  bench.run_step();
  EXPECT_THAT(
      log,
      ElementsAre("scheduled 1 RUNNING 0", "take 1 0 at 0 leaves 2", "take 1 1 at 1 leaves 1",   //
                  "scheduled 2 RUNNING 0", "take 2 2 at 0 leaves 0",                             //
                  "before_free 2 WAITING 2", "free 2 2 at 0 leaves 1", "preempted 2 WAITING 0",  //
                  "before_free 1 FINISHED_LENGTH_CAPPED 4", "free 1 1 at 1 leaves 2",
                  "free 1 0 at 0 leaves 3", "finished 1 FINISHED_LENGTH_CAPPED 4"));
}

TEST(Scheduler, MisuseIsCaught) {
  Bench bench({}, 8, 4);
  bench.scheduler.add(make_request(1, 4, 5));
  EXPECT_THROW(bench.scheduler.add(make_request(1, 4, 5)), std::logic_error);
  const BatchPlan plan = bench.schedule();
  EXPECT_THROW(bench.scheduler.schedule(9, 0), std::logic_error);
  bench.update(plan);
  const SampledToken token{.token = 3};
  EXPECT_THROW(bench.scheduler.update(plan, {&token, 1}, 0), std::logic_error);  // a second update
  EXPECT_THROW(bench.scheduler.discard(plan), std::logic_error);
  const BatchPlan next = bench.schedule();
  EXPECT_THROW(bench.scheduler.update(next, {}, 0), std::logic_error);
  EXPECT_EQ(bench.request(1).output_ids.size(), 1u);
}

TEST(Scheduler, LimitsAreChecked) {
  BlockManager manager({.block_size = 4, .num_blocks = 4});
  EXPECT_THROW(Scheduler({.max_num_batched_tokens = 0}, manager), Error);
  EXPECT_THROW(Scheduler({.max_num_seqs = 0}, manager), Error);
  EXPECT_THROW(Scheduler({.max_model_len = -1}, manager), Error);
  EXPECT_THROW(BlockManager({.block_size = 0, .num_blocks = 4}), Error);
}

}  // namespace
}  // namespace attn::testing
