// SPDX-License-Identifier: GPL-3.0-or-later
// Past steps of a run are restored as they were published, also with cancelled steps and aborts,
// and in a ring that holds only some of the steps.
#include "engine/session/history/step_history.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <thread>

#include "engine/session/run/layer_configs.h"
#include "tests/engine/session/session_file/same_snapshot.h"
#include "tests/engine/session/session_support.h"

namespace attn {
namespace {

constexpr size_t kRoom = size_t{1} << 26;

using Published = std::map<uint32_t, EngineSnapshot>;  // key: the step

Scenario shipped(const std::string& name) {
  register_all_backends();
  Scenario scenario = load_scenario(find_scenario(name));
  scenario.engine.clock = ClockKind::kVirtual;
  scenario.engine.threads = 2;
  return scenario;
}

void expect_same(const EngineSnapshot& found, const EngineSnapshot& expected) {
  test::expect_same_state(found, expected);
  ASSERT_EQ(found.requests.size(), expected.requests.size());
  for (size_t i = 0; i < found.requests.size(); ++i)
    EXPECT_EQ(found.requests[i].attention, expected.requests[i].attention);  // the same object
  ASSERT_EQ(found.steps->size(), expected.steps->size());
  EXPECT_EQ(found.steps->back().end_ns, expected.steps->back().end_ns);
}

void expect_history(const EngineSnapshot& now, const Published& published) {
  ASSERT_TRUE(now.history);
  const StepHistory::Range range = now.history->range();
  for (const auto& [step, expected] : published) {
    const auto found = now.history->restore(now, step);
    ASSERT_EQ(found != nullptr, range.contains(step)) << step;
    if (found) expect_same(*found, expected);
  }
  EXPECT_FALSE(now.history->restore(now, 0));
  EXPECT_FALSE(now.history->restore(now, range.last + 1));
}

Published run_and_restore(const Scenario& scenario, size_t history_bytes = kRoom) {
  EngineOptions options;
  options.history_bytes = history_bytes;
  Engine engine(scenario, options);
  Published published;
  while (engine.has_work()) {
    EXPECT_TRUE(engine.step());
    EngineSnapshot shot = engine.snapshot(EnginePhase::kRunning);
    published.emplace(shot.step, std::move(shot));
  }
  const EngineSnapshot now = engine.snapshot(EnginePhase::kFinished);
  EXPECT_EQ(now.history->range(), (StepHistory::Range{now.history->range().first, now.step}));
  expect_history(now, published);
  return published;
}

bool any_step(const Published& published, int64_t StepRecord::*field) {
  for (const StepRecord& record : *published.rbegin()->second.steps)
    if (record.*field > 0) return true;
  return false;
}

TEST(StepHistory, RestoresSharedPrefixesAndEvictions) {
  EXPECT_TRUE(any_step(run_and_restore(shipped("shared-prompt")), &StepRecord::hit_tokens));
  Scenario narrow = shipped("shared-prompt");
  narrow.engine.num_blocks = 20;
  EXPECT_TRUE(any_step(run_and_restore(narrow), &StepRecord::evicted_blocks));
}

// Blocks that left the window are evicted before deeper blocks of their prompt, so the tree has
// nodes without a block.
TEST(StepHistory, RestoresPrefixesUnderAWindow) {
  bool any = false;
  for (const int64_t num_blocks : {14, 18}) {
    Scenario scenario = test::synthetic_scenario({40, 40, 12, 40}, 20);
    scenario.engine.clock = ClockKind::kVirtual;
    scenario.engine.block_size = 4;
    scenario.engine.num_blocks = num_blocks;
    scenario.engine.enable_prefix_caching = true;
    scenario.engine.extended = true;
    scenario.attention.sliding_window = 10;
    scenario.engine.max_num_seqs = 2;
    scenario.engine.extended = true;
    for (const auto& [step, shot] : run_and_restore(scenario))
      any = any || std::ranges::any_of(*shot.prefixes,
                                       [](const PrefixView& prefix) { return prefix.block < 0; });
  }
  EXPECT_TRUE(any);
}

TEST(StepHistory, RestoresPreemptionByRecomputationAndBySwap) {
  EXPECT_TRUE(any_step(run_and_restore(shipped("full-house")), &StepRecord::preemptions));
  EXPECT_TRUE(
      any_step(run_and_restore(shipped("full-house-swap")), &StepRecord::swapped_out_blocks));
}

TEST(StepHistory, RestoresForksCopiesAndBeams) {
  EXPECT_TRUE(any_step(run_and_restore(shipped("samples")), &StepRecord::copied_blocks));
  EXPECT_TRUE(any_step(run_and_restore(shipped("beam-search")), &StepRecord::copied_blocks));
}

TEST(StepHistory, RestoresChunksWindowsAndArrivals) {
  run_and_restore(shipped("chunked-prefill"));
  run_and_restore(shipped("sliding-window"));
  run_and_restore(shipped("cross-attention"));
  run_and_restore(shipped("alternating-layers"));
  run_and_restore(shipped("encoder-decoder"));
  run_and_restore(shipped("encoder-layers"));
  Scenario crowded = shipped("encoder-decoder");
  crowded.engine.num_blocks = 14;
  crowded.engine.preemption = PreemptionMode::kSwap;
  crowded.engine.num_swap_blocks = 16;
  EXPECT_TRUE(any_step(run_and_restore(crowded), &StepRecord::swapped_out_blocks));
  Scenario arrivals = shipped("many-users");
  arrivals.arrivals.kind = ArrivalKind::kPoisson;
  arrivals.arrivals.rate_per_s = 2000;
  run_and_restore(arrivals);
}

// The requests of an encoder end in the step that computes them: no block is in use after it.
TEST(StepHistory, RestoresTheBlocksOfARunOfOneStep) {
  EngineOptions options;
  options.history_bytes = kRoom;
  Engine engine(shipped("encoder"), options);
  engine.run_to_end();
  const EngineSnapshot now = engine.snapshot(EnginePhase::kFinished);
  ASSERT_EQ(now.step, 1u);
  ASSERT_TRUE(now.requests[0].own_table.blocks.empty());
  const auto found = now.history->restore(now, 1);
  ASSERT_TRUE(found);
  const std::vector<int32_t>& table = found->requests[0].own_table.blocks;
  const int64_t needed = (now.requests[0].prompt_len + now.block_size - 1) / now.block_size;
  ASSERT_EQ(static_cast<int64_t>(table.size()), needed);
  for (const int32_t block : table) {
    const BlockView& used = found->blocks[static_cast<size_t>(block)];
    EXPECT_EQ(used.owner, 0);
    EXPECT_EQ(used.ref_count, 1);
    EXPECT_EQ(used.filled, 0);  // the blocks are reserved, but nothing is written to them
    EXPECT_EQ(used.last_write_step, 0u);
  }
  EXPECT_EQ(found->free_blocks, now.free_blocks - needed);
  EXPECT_EQ(found->requests[0].state, now.requests[0].state);
  EXPECT_EQ(found->requests[0].num_computed, now.requests[0].num_computed);
  EXPECT_EQ(found->plan, now.plan);
}

TEST(StepHistory, RestoresALongRunOfEverything) {
  std::vector<int64_t> prompts;
  for (int64_t i = 0; i < 60; ++i) prompts.push_back(9 + (i * 7) % 23);
  Scenario scenario = test::synthetic_scenario(prompts, 30);
  scenario.engine.clock = ClockKind::kVirtual;
  scenario.engine.block_size = 4;
  scenario.engine.num_blocks = 48;
  scenario.engine.num_swap_blocks = 16;
  scenario.engine.preemption = PreemptionMode::kSwap;
  scenario.engine.enable_prefix_caching = true;
  scenario.engine.extended = true;
  scenario.engine.max_num_seqs = 8;
  for (size_t i = 0; i < scenario.requests.size(); i += 5) scenario.requests[i].n = 2;
  const Published published = run_and_restore(scenario);
  EXPECT_GT(published.size(), 150u);
  EXPECT_TRUE(any_step(published, &StepRecord::swapped_in_blocks));
  EXPECT_TRUE(any_step(published, &StepRecord::copied_blocks));
}

TEST(StepHistory, KeepsTheNewestStepsInFewBytes) {
  Scenario scenario = shipped("many-users");
  scenario.engine.enable_prefix_caching = true;
  scenario.engine.extended = true;
  EngineOptions options;
  options.history_bytes = 16 << 10;
  Engine engine(scenario, options);
  Published published;
  size_t most = 0;
  while (engine.has_work()) {
    engine.step();
    EngineSnapshot shot = engine.snapshot(EnginePhase::kRunning);
    most = std::max(most, shot.history->bytes());
    published.emplace(shot.step, std::move(shot));
  }
  const EngineSnapshot now = engine.snapshot(EnginePhase::kFinished);
  ASSERT_TRUE(now.prefixes);
  const StepHistory::Range range = now.history->range();
  EXPECT_GT(range.first, 1u);
  EXPECT_EQ(range.last, now.step);
  EXPECT_LE(now.history->bytes(), options.history_bytes);
  EXPECT_LE(most, 2 * options.history_bytes);
  expect_history(now, published);
}

TEST(StepHistory, CancelledStepsAndAbortsAreRestored) {
  Scenario scenario = shipped("full-house");
  const std::shared_ptr<Source> source = load_source(scenario);
  const AttentionConfig config = layer_configs(scenario, source->shape()).of(0);
  const auto impl = backend_named(scenario.engine.backend).make_impl(config);
  bool cancel = false;
  EngineOptions options;
  options.history_bytes = kRoom;
  options.forward = [&](const AttentionInputs& inputs, const AttentionMetadata& metadata,
                        const AttentionOutputs& outputs, const Execution& execution) {
    if (cancel && inputs.layer == 1) return false;
    return impl->forward(inputs, metadata, outputs, execution);
  };
  Engine engine(scenario, source, options);
  Published published;
  int cancelled = 0;
  for (int turn = 0; engine.has_work(); ++turn) {
    cancel = turn % 4 == 3;
    if (turn == 9) engine.abort(1);
    if (!engine.step()) {
      ++cancelled;
      continue;
    }
    EngineSnapshot shot = engine.snapshot(EnginePhase::kRunning);
    published.emplace(shot.step, std::move(shot));
  }
  EXPECT_GT(cancelled, 5);
  const EngineSnapshot now = engine.snapshot(EnginePhase::kFinished);
  EXPECT_EQ(now.requests[1].state, RequestState::kFinishedAborted);
  expect_history(now, published);
}

TEST(StepHistory, IsReadWhileTheRunGoesOn) {
  const Scenario scenario = shipped("many-users");
  Mailbox<EngineSnapshot> snapshots;
  EngineOptions options;
  options.history_bytes = 32 << 10;
  options.snapshots = &snapshots;
  std::atomic<bool> done = false;
  std::atomic<int64_t> restored = 0;
  std::thread reader([&] {
    uint32_t turn = 0;
    do {
      const auto now = snapshots.latest();
      if (!now || !now->history) continue;
      const StepHistory::Range range = now->history->range();
      if (range.empty()) continue;
      const uint32_t step = range.first + ++turn % (range.last - range.first + 1);
      const auto found = now->history->restore(*now, step);
      if (!found) continue;
      EXPECT_EQ(found->step, step);
      EXPECT_EQ(found->plan.step, step);
      ++restored;
    } while (!done);
  });
  {
    Engine engine(scenario, options);
    engine.run_to_end();
    engine.publish_snapshot(EnginePhase::kFinished);
    test::wait_until(std::chrono::seconds(10), [&] { return done || restored > 0; });
  }
  done = true;
  reader.join();
  EXPECT_GT(restored, 0);
}

TEST(StepHistory, IsNotKeptUnlessAskedFor) {
  Engine engine(shipped("first-look"), EngineOptions{});
  EXPECT_FALSE(engine.snapshot(EnginePhase::kIdle).history);
}

}  // namespace
}  // namespace attn
