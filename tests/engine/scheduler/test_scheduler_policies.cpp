// SPDX-License-Identifier: GPL-3.0-or-later
// Rules of the scheduler, one at a time: chunks, prefix hits, watermark, window, priorities,
// arrivals and swapping. test_scheduler_walk.cpp combines them.
#include "tests/engine/scheduler/scheduler_bench.h"

namespace attn::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr SchedulingPolicy kChunked = SchedulingPolicy::kChunkedPrefill;

TEST(ChunkedPrefill, CutsAPromptToTheBudget) {
  Bench bench({.max_num_batched_tokens = 8, .policy = kChunked}, 16, 4);
  bench.scheduler.add(make_request(1, 20, 4));
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(chunk(1, 0, 8)));
  EXPECT_EQ(bench.request(1).num_computed, 8);
  EXPECT_EQ(bench.num_used(), 5);  // blocks for the whole prompt
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(chunk(1, 8, 8)));
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(chunk(1, 16, 4, 1)));
  EXPECT_THAT(bench.request(1).output_ids, ElementsAre(120));
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(decode(1, 20)));
}

TEST(ChunkedPrefill, DecodesHaveTheFirstClaim) {
  Bench bench({.max_num_batched_tokens = 6, .policy = kChunked}, 16, 4);
  bench.scheduler.add(make_request(1, 3, 8));
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(prefill(1, 3)));
  bench.scheduler.add(make_request(2, 10, 8));
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(chunk(2, 0, 5), decode(1, 3)));
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(chunk(2, 5, 5, 1), decode(1, 4)));
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(decode(1, 5), decode(2, 10)));
}

TEST(ChunkedPrefill, SeveralPromptsShareAStep) {
  Bench bench({.max_num_batched_tokens = 8, .policy = kChunked}, 16, 4);
  bench.scheduler.add(make_request(1, 5, 8));
  bench.scheduler.add(make_request(2, 6, 8));
  bench.scheduler.add(make_request(3, 6, 8));
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(prefill(1, 5), chunk(2, 0, 3)));
  EXPECT_THAT(bench.run_step().sequences,
              ElementsAre(chunk(2, 3, 3, 1), chunk(3, 0, 4), decode(1, 5)));
}

TEST(ChunkedPrefill, EndsAtABlockBoundaryWithPrefixCaching) {
  Bench bench({.max_num_batched_tokens = 6, .policy = kChunked},
              BlockManagerConfig{.block_size = 4, .num_blocks = 16, .prefix_caching = true});
  bench.scheduler.add(own_prompt(1, 3, 8));
  bench.run_step();
  bench.scheduler.add(own_prompt(2, 11, 8));
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(chunk(2, 0, 4), decode(1, 3)));
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(chunk(2, 4, 4), decode(1, 4)));
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(chunk(2, 8, 3, 1), decode(1, 5)));
}

TEST(ChunkedPrefill, IsNeverRoundedToNothing) {
  Bench bench({.max_num_batched_tokens = 3, .policy = kChunked},
              BlockManagerConfig{.block_size = 4, .num_blocks = 16, .prefix_caching = true});
  bench.scheduler.add(own_prompt(1, 9, 8));
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(chunk(1, 0, 3)));
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(chunk(1, 3, 1)));  // up to a block boundary
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(chunk(1, 4, 3)));
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(chunk(1, 7, 2, 1)));
}

TEST(ChunkedPrefill, TakesPromptsLongerThanAStep) {
  Bench bench({.max_num_batched_tokens = 2, .policy = kChunked}, 16, 4);
  bench.scheduler.add(make_request(1, 21, 1));
  EXPECT_THAT(bench.run_step().ignored, IsEmpty());
  bench.run_to_end();
  EXPECT_THAT(bench.request(1).output_ids, ElementsAre(121));
}

TEST(ChunkedPrefill, ADiscardedChunkIsPlannedAgain) {
  Bench bench({.max_num_batched_tokens = 4, .policy = kChunked}, 16, 4);
  bench.scheduler.add(make_request(1, 6, 2));
  const BatchPlan cancelled = bench.schedule();
  bench.scheduler.discard(cancelled);
  const BatchPlan again = bench.run_step();
  EXPECT_EQ(again.sequences, cancelled.sequences);
  EXPECT_THAT(again.admitted, IsEmpty());
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(chunk(1, 4, 2, 1)));
}

TEST(PrefixHits, UseNoBudget) {
  Bench bench({.max_num_batched_tokens = 10},
              BlockManagerConfig{.block_size = 4, .num_blocks = 16, .prefix_caching = true});
  bench.scheduler.add(make_request(1, 9, 8));
  bench.run_step();
  bench.scheduler.add(make_request(2, 9, 8));  // 2 full blocks are hit
  bench.scheduler.add(make_request(3, 10, 8));
  const BatchPlan plan = bench.run_step();
  EXPECT_THAT(plan.sequences, ElementsAre(chunk(2, 8, 1, 1), chunk(3, 8, 2, 1)));
  EXPECT_EQ(bench.request(2).num_cached, 8);
  EXPECT_EQ(bench.request(2).num_computed, 9);
  EXPECT_EQ(plan.free_blocks_before - plan.free_blocks_after, 2);
}

TEST(PrefixHits, AreOnlyOfWhatIsComputed) {
  Bench bench({.max_num_batched_tokens = 8, .policy = kChunked},
              BlockManagerConfig{.block_size = 4, .num_blocks = 16, .prefix_caching = true});
  bench.scheduler.add(make_request(1, 12, 8));
  bench.scheduler.add(make_request(2, 12, 8));
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(chunk(1, 0, 8)));
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(chunk(1, 8, 4, 1), chunk(2, 8, 4, 1)));
}

TEST(PrefixHits, OfAnotherCacheKeyAreNone) {
  Bench bench({}, BlockManagerConfig{.block_size = 4, .num_blocks = 16, .prefix_caching = true});
  bench.scheduler.add(make_request(1, 9, 8));
  bench.run_step();
  Request other = make_request(2, 9, 8);
  other.cache_key = 1;
  bench.scheduler.add(std::move(other));
  EXPECT_THAT(bench.run_step().sequences, ElementsAre(prefill(2, 9)));
}

// The keys and values of a decoder's tokens depend on the encoder's tokens, so only requests with
// the same encoder tokens share prefixes.
TEST(PrefixHits, OfARequestWithAnotherEncoderAreNone) {
  Bench bench({}, BlockManagerConfig{.block_size = 4, .num_blocks = 64, .prefix_caching = true});
  const auto cached = [&bench](uint32_t id, uint64_t cache_key, std::vector<int32_t> encoder_ids) {
    Request request = make_request(id, 9, 1);
    request.cache_key = cache_key;
    request.encoder_ids = std::move(encoder_ids);
    bench.scheduler.add(std::move(request));
    bench.run_to_end();
    return bench.request(id).num_cached;
  };
  EXPECT_EQ(cached(1, 0, {}), 0);
  EXPECT_EQ(cached(2, 0, {5, 6}), 0);
  EXPECT_EQ(cached(3, 0, {5, 7}), 0);
  EXPECT_EQ(cached(4, 1, {5, 6}), 0);
  EXPECT_EQ(cached(5, 1, {}), 0);
  EXPECT_EQ(cached(6, 2, {}), 0);
  EXPECT_EQ(cached(7, 0, {}), 8);
  EXPECT_EQ(cached(8, 0, {5, 6}), 8);
  EXPECT_EQ(cached(9, 1, {5, 6}), 8);
}

TEST(Watermark, HoldsAdmissionsBackAndEndsWhatNeverFits) {
  Bench bench({}, BlockManagerConfig{.block_size = 4, .num_blocks = 10, .watermark = 0.3});
  bench.scheduler.add(make_request(1, 16, 2));
  bench.scheduler.add(make_request(2, 16, 2));
  bench.scheduler.add(make_request(3, 32, 2));
  const BatchPlan plan = bench.run_step();
  EXPECT_THAT(plan.admitted, ElementsAre(1));
  EXPECT_THAT(plan.ignored, ElementsAre(3));
  EXPECT_EQ(bench.request(3).ignored_reason,
            "The prompt has 32 tokens and needs 8 blocks of 4 tokens. In addition a share of 0.3 "
            "of all blocks must stay free (watermark). The cache has 10 blocks.");
  bench.run_step();
  EXPECT_THAT(bench.run_step().admitted, ElementsAre(2));
}

TEST(Watermark, DoesNotHoldBackWhoIsAlone) {
  Bench bench({}, BlockManagerConfig{.block_size = 2, .num_blocks = 6, .watermark = 0.4});
  bench.scheduler.add(make_request(1, 3, 8));
  bench.scheduler.add(make_request(2, 3, 8));
  bench.run_to_end();
  EXPECT_THAT(bench.request(1).output_ids, SizeIs(8));
  EXPECT_THAT(bench.request(2).output_ids, SizeIs(8));
  EXPECT_GT(bench.request(2).num_preemptions, 0);
}

TEST(Window, GivesBlocksBackAsItMoves) {
  Bench bench({}, BlockManagerConfig{.block_size = 2, .num_blocks = 9, .sliding_window = 4});
  bench.scheduler.add(make_request(1, 3, 12));
  while (bench.scheduler.has_work()) {
    bench.run_step();
    EXPECT_LE(bench.num_used(), 3);
  }
  EXPECT_THAT(bench.request(1).output_ids, SizeIs(12));
  EXPECT_EQ(bench.scheduler.capacity_tokens(), 16);  // without the null block
}

TEST(Priority, DecidesWhoIsNext) {
  Bench bench({.max_num_seqs = 1}, 8, 4);
  for (const auto& [id, priority] : {std::pair{1u, 0}, {2u, 0}, {3u, -1}, {4u, 7}}) {
    Request request = make_request(id, 2, 1);
    request.priority = priority;
    bench.scheduler.add(std::move(request));
  }
  std::vector<uint32_t> order;
  while (bench.scheduler.has_work()) order.push_back(bench.run_step().sequences.at(0).request);
  EXPECT_THAT(order, ElementsAre(3, 1, 2, 4));
}

TEST(Priority, DecidesWhoHasToGo) {
  Bench bench({}, 4, 2);
  Request patient = make_request(1, 3, 4);
  patient.priority = 5;
  bench.scheduler.add(std::move(patient));
  bench.scheduler.add(make_request(2, 3, 4));
  EXPECT_THAT(bench.run_step().admitted, ElementsAre(2, 1));
  bench.run_step();
  const BatchPlan plan = bench.run_step();
  EXPECT_THAT(plan.preempted, ElementsAre(recomputed(1)));
  EXPECT_THAT(plan.sequences, ElementsAre(decode(2, 4)));
}

TEST(Arrivals, ComeInTheirOrderAndNotBefore) {
  std::vector<uint32_t> arrived;
  SchedulerEvents events;
  events.arrived = [&](const Request& request) { arrived.push_back(request.id); };
  Bench bench({}, 16, 4, std::move(events));
  for (const auto& [id, time] : {std::pair{1u, 100}, {2u, 50}, {3u, 90}}) {
    Request request = make_request(id, 4, 8);
    request.arrival_ns = static_cast<uint64_t>(time);
    bench.scheduler.add(std::move(request));
  }
  EXPECT_TRUE(bench.schedule().empty());
  EXPECT_TRUE(bench.scheduler.has_work());
  EXPECT_EQ(bench.scheduler.next_arrival_ns(), 50u);
  EXPECT_EQ(bench.scheduler.num_not_arrived(), 3);
  EXPECT_EQ(bench.scheduler.num_waiting(), 0);
  bench.clock = 49;
  EXPECT_TRUE(bench.schedule().empty());
  bench.clock = 50;
  EXPECT_THAT(bench.run_step().admitted, ElementsAre(2));
  EXPECT_EQ(bench.scheduler.next_arrival_ns(), std::nullopt);  // a request has arrived already
  bench.clock = 100;
  EXPECT_THAT(bench.run_step().admitted, ElementsAre(3, 1));
  EXPECT_THAT(arrived, ElementsAre(2, 3, 1));
  EXPECT_EQ(bench.request(3).times.queued_ns, 90u);
  EXPECT_EQ(bench.request(3).times.scheduled_ns, 100u);
}

TEST(Arrivals, MayBeAbortedBefore) {
  Bench bench({}, 16, 4);
  Request request = make_request(1, 4, 8);
  request.arrival_ns = 70;
  bench.scheduler.add(std::move(request));
  bench.clock = 10;
  bench.scheduler.abort(1, bench.clock);
  EXPECT_EQ(bench.request(1).state, RequestState::kFinishedAborted);
  EXPECT_FALSE(bench.scheduler.has_work());
  EXPECT_EQ(bench.scheduler.next_arrival_ns(), std::nullopt);
}

constexpr BlockManagerConfig kSwapping = {.block_size = 2, .num_blocks = 4, .num_swap_blocks = 4};

TEST(Swap, TakesTheNewestOutAndBringsItBack) {
  std::vector<std::string> log;
  SchedulerEvents events;
  const auto note = [&](const char* what) {
    return [&log, what](const Request& request) {
      log.push_back(std::string(what) + " " + std::to_string(request.id) + " " +
                    std::string(name_of(request.state)));
    };
  };
  events.before_free = note("before_free");
  events.preempted = note("preempted");
  events.resumed = note("resumed");
  Bench bench({.preemption = PreemptionMode::kSwap}, kSwapping, std::move(events));
  bench.scheduler.add(make_request(1, 3, 4));
  bench.scheduler.add(make_request(2, 3, 4));
  bench.scheduler.add(make_request(3, 1, 1));
  bench.run_step();
  bench.run_step();
  bench.clock = 500;
  BatchPlan plan = bench.run_step();
  EXPECT_THAT(plan.preempted, ElementsAre(swapped(2)));
  EXPECT_THAT(plan.swapped_out(), ElementsAre(2));
  EXPECT_THAT(plan.swap_out_moves, SizeIs(2));
  EXPECT_THAT(plan.sequences, ElementsAre(decode(1, 4)));
  EXPECT_EQ(bench.request(2).state, RequestState::kSwapped);
  EXPECT_EQ(bench.request(2).num_computed, 4);
  EXPECT_EQ(bench.scheduler.num_swapped(), 1);
  EXPECT_THAT(log, ElementsAre("before_free 2 SWAPPED", "preempted 2 SWAPPED"));

  EXPECT_THAT(bench.run_step().admitted, IsEmpty());
  bench.clock = 900;
  plan = bench.run_step();
  EXPECT_THAT(plan.swapped_in, ElementsAre(2));
  EXPECT_THAT(plan.swap_in_moves, SizeIs(2));
  EXPECT_THAT(plan.sequences, ElementsAre(decode(2, 4)));  // nothing is computed again
  EXPECT_EQ(log.back(), "resumed 2 RUNNING");
  EXPECT_THAT(bench.request(2).times.pauses, ElementsAre(Pause{500, 900, true}));
  bench.run_to_end();
  EXPECT_THAT(bench.request(2).output_ids, ElementsAre(103, 104, 105, 106));
}

TEST(Swap, WithoutRoomIsARecomputation) {
  BlockManagerConfig small = kSwapping;
  small.num_swap_blocks = 1;
  Bench bench({.preemption = PreemptionMode::kSwap}, small);
  bench.scheduler.add(make_request(1, 3, 4));
  bench.scheduler.add(make_request(2, 3, 4));
  bench.run_step();
  bench.run_step();
  const BatchPlan plan = bench.run_step();
  EXPECT_THAT(plan.preempted, ElementsAre(recomputed(2)));
  EXPECT_THAT(plan.swap_out_moves, IsEmpty());
  EXPECT_EQ(bench.request(2).state, RequestState::kWaiting);
}

TEST(Swap, AnAbortFreesTheSwapPool) {
  Bench bench({.preemption = PreemptionMode::kSwap}, kSwapping);
  bench.scheduler.add(make_request(1, 3, 4));
  bench.scheduler.add(make_request(2, 3, 4));
  for (int i = 0; i < 3; ++i) bench.run_step();
  ASSERT_EQ(bench.manager.num_available(PoolKind::kSwap), 2);
  bench.scheduler.abort(2, 0);
  bench.scheduler.check_invariants();
  EXPECT_EQ(bench.manager.num_available(PoolKind::kSwap), 4);
  EXPECT_EQ(bench.request(2).state, RequestState::kFinishedAborted);
}

TEST(Swap, APlanThatIsDiscardedStaysSwapped) {
  Bench bench({.preemption = PreemptionMode::kSwap}, kSwapping);
  bench.scheduler.add(make_request(1, 3, 4));
  bench.scheduler.add(make_request(2, 3, 4));
  bench.run_step();
  bench.run_step();
  const BatchPlan plan = bench.schedule();
  ASSERT_THAT(plan.swapped_out(), ElementsAre(2));
  bench.scheduler.discard(plan);
  EXPECT_EQ(bench.request(2).state, RequestState::kSwapped);
  const BatchPlan again = bench.run_step();
  EXPECT_EQ(again.sequences, plan.sequences);
  EXPECT_THAT(again.swap_out_moves, IsEmpty());
}

TEST(Plan, NamesWhoEndedSinceTheLastOne) {
  Bench bench({}, 16, 4);
  bench.scheduler.add(make_request(1, 2, 1));
  bench.scheduler.add(make_request(2, 2, 5));
  bench.scheduler.add(make_request(3, 2, 5));
  EXPECT_THAT(bench.run_step().finished, IsEmpty());
  bench.scheduler.abort(3, 0);
  EXPECT_THAT(bench.run_step().finished, ElementsAre(1, 3));
  EXPECT_THAT(bench.run_step().finished, IsEmpty());
}

TEST(Names, AreThoseOfScenarios) {
  EXPECT_EQ(name_of(SchedulingPolicy::kPrefillFirst), "prefill_first");
  EXPECT_EQ(name_of(SchedulingPolicy::kChunkedPrefill), "chunked_prefill");
  EXPECT_EQ(name_of(PreemptionMode::kRecompute), "recompute");
  EXPECT_EQ(name_of(PreemptionMode::kSwap), "swap");
}

}  // namespace
}  // namespace attn::testing
