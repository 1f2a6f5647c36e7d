// SPDX-License-Identifier: GPL-3.0-or-later
// The running maximum and sum of rows (RowStateLog), compared with the log-sum-exp that the same
// kernels store. Also that only those of the watched head and of the last run are kept.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

#include "engine/kernels/decode/paged_decode.h"
#include "engine/kernels/prefill/flash_prefill.h"
#include "engine/session/run/engine_runner.h"
#include "engine/trace/row_state_log.h"
#include "tests/engine/session/session_support.h"

namespace attn {
namespace {

using test::synthetic_scenario;

Scenario three_tiles(int64_t max_tokens) {
  Scenario scenario = synthetic_scenario({600, 40}, max_tokens);
  scenario.source.synthetic->max_model_len = 2048;
  scenario.engine.num_blocks = 128;
  return scenario;
}

struct WatchedRun {
  explicit WatchedRun(Scenario scenario, int layer, int head)
      : recorder(num_workers(scenario)), engine(std::move(scenario), options()) {
    log.watch(0, layer, head);
    engine.run_to_end();
    log.read(0, events);
  }
  EngineOptions options() {
    EngineOptions result;
    result.recorder = &recorder;
    result.row_states = &log;
    return result;
  }
  std::vector<RowStateEvent> row(uint32_t query) const {
    std::vector<RowStateEvent> found;
    std::copy_if(events.begin(), events.end(), std::back_inserter(found),
                 [query](const RowStateEvent& event) { return event.query == query; });
    return found;
  }
  RowStateLog log;
  Recorder recorder;
  Engine engine;
  std::vector<RowStateEvent> events;
};

void sort_by_keys(std::vector<RowStateEvent>& states) {
  std::ranges::sort(states, {}, &RowStateEvent::k_begin);
}

// The log-sum-exp of a row from its states in order of keys. A part begins at a state with `begins`
// set and ends before the next such state; its last state covers the whole part.
double merged_lse(const std::vector<RowStateEvent>& states) {
  double max = -std::numeric_limits<double>::infinity(), sum = 0;
  for (size_t i = 0; i < states.size(); ++i) {
    if (i + 1 < states.size() && !states[i + 1].begins) continue;
    const double top = std::max(max, double{states[i].max});
    sum = sum * std::exp(max - top) + states[i].sum * std::exp(states[i].max - top);
    max = top;
  }
  return max + std::log(sum);
}

TEST(RowStates, TheLastStateOfAPrefillRowIsItsLogSumExp) {
  const WatchedRun run(three_tiles(1), 1, 2);
  const auto record = run.engine.attention(0);
  ASSERT_TRUE(record);
  for (const uint32_t query : {0u, 1u, 255u, 256u, 300u, 511u, 512u, 599u}) {
    const auto states = run.row(query);
    const size_t seen = query / kKvTile + 1u;
    ASSERT_GE(states.size(), seen) << "row " << query;
    for (size_t i = seen; i < states.size(); ++i) {
      EXPECT_EQ(states[i].max, states[seen - 1].max);
      EXPECT_EQ(states[i].sum, states[seen - 1].sum);
    }
    for (size_t i = 0; i < states.size(); ++i) {
      EXPECT_EQ(states[i].k_begin, i * kKvTile);
      EXPECT_EQ(states[i].kernel, KernelId::kFlashPrefill);
      EXPECT_EQ(states[i].layer, 1);
      EXPECT_EQ(states[i].head, 2);
      EXPECT_GE(states[i].lane, 1);
      EXPECT_GE(states[i].max, states[i > 0 ? i - 1 : 0].max);
    }
    const float lse = states.back().max + std::log(states.back().sum);
    EXPECT_EQ(std::bit_cast<uint32_t>(lse), std::bit_cast<uint32_t>(record->lse(1, 2, query)));
  }
}

TEST(RowStates, PartitionsOfADecodeStartAnewAndMergeToItsLogSumExp) {
  const WatchedRun run(three_tiles(3), 0, 1);
  const auto record = run.engine.attention(0);
  const uint32_t query = 600;  // the first decoded token
  auto states = run.row(query);
  ASSERT_EQ(states.size(), 3u);
  sort_by_keys(states);
  EXPECT_EQ(states[2].k_begin, kPartition);
  EXPECT_TRUE(states[0].begins);
  EXPECT_TRUE(states[2].begins);
  EXPECT_NEAR(merged_lse(states), record->lse(0, 1, query), 1e-6);
}

TEST(RowStates, EveryBackendReportsWhatItHolds) {
  for (const char* name : {"torch_sdpa", "xformers", "pallas", "unified"}) {
    SCOPED_TRACE(name);
    Scenario scenario = three_tiles(2);
    scenario.engine.backend = name;
    scenario.source.synthetic->head_size = 128;
    const WatchedRun run(scenario, 0, 1);
    const auto record = run.engine.attention(0);
    ASSERT_TRUE(record);
    for (const uint32_t query : {0u, 300u, 599u, 600u}) {
      auto states = run.row(query);
      ASSERT_GE(states.size(), 1u) << query;
      sort_by_keys(states);
      EXPECT_NEAR(merged_lse(states), record->lse(0, 1, query), 2e-6) << query;
    }
  }
}

TEST(RowStates, OnlyTheWatchedHeadIsKept) {
  const WatchedRun run(three_tiles(2), 0, 3);
  ASSERT_FALSE(run.events.empty());
  for (const RowStateEvent& event : run.events) {
    EXPECT_EQ(event.request, 0u);
    EXPECT_EQ(event.layer, 0);
    EXPECT_EQ(event.head, 3);
  }
}

TEST(RowStates, ARunnerForgetsThoseOfTheLastRun) {
  EngineRunner runner;
  runner.row_states().watch(0, 0, 0);
  runner.start(synthetic_scenario({32}, 2));
  ASSERT_TRUE(runner.wait_finished(std::chrono::seconds(20)));
  const size_t first = runner.row_states().size();
  const uint64_t generation = runner.row_states().generation();
  EXPECT_GT(first, 0u);
  runner.start(synthetic_scenario({32}, 2));
  ASSERT_TRUE(runner.wait_finished(std::chrono::seconds(20)));
  EXPECT_EQ(runner.row_states().size(), first);
  EXPECT_GT(runner.row_states().generation(), generation);
}

}  // namespace
}  // namespace attn
