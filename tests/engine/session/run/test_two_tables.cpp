// SPDX-License-Identifier: GPL-3.0-or-later
// Runs whose layers have self attention and cross attention, so that a request has two block
// tables: what the blocks hold, which table a layer reads, and that preemption, swapping, shared
// prefixes, chunks, forks and captured plans change no bit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/session/compare/compare.h"
#include "engine/session/run/layer_configs.h"
#include "engine/session/scenario/attention_rule.h"
#include "tests/engine/session/session_support.h"

namespace attn {
namespace {

constexpr int64_t kModelLayers = 2, kCalls = 2 * kModelLayers, kQueryHeads = 4, kSlots = 8;
constexpr int64_t kEncoderTokens[] = {28, 17};

Scenario two_tables(const std::string& backend) {
  Scenario scenario = test::synthetic_scenario({20, 9}, 24);
  SyntheticSpec& source = *scenario.source.synthetic;
  source.kind = SyntheticKind::kEncoderDecoder;
  source.num_layers = kModelLayers;
  source.num_heads = kQueryHeads;
  source.num_kv_heads = 2;
  source.head_size = 32;
  source.max_model_len = 96;
  scenario.attention.type = AttentionType::kEncoderDecoder;
  for (size_t i = 0; i < 2; ++i) scenario.requests[i].encoder_tokens = kEncoderTokens[i];
  scenario.engine.backend = backend;
  scenario.engine.block_size = kSlots;
  scenario.engine.num_blocks = 40;
  scenario.engine.clock = ClockKind::kVirtual;
  validate(scenario);
  return scenario;
}

struct TwoTablesRun {
  explicit TwoTablesRun(const Scenario& scenario) : recorder(num_workers(scenario)) {
    EngineOptions options;
    options.recorder = &recorder;
    engine = std::make_unique<Engine>(scenario, options);
    while (engine->has_work()) {
      engine->step();
      engine->scheduler().check_invariants();
      for (const auto& request : engine->scheduler().requests())
        check_tables(*request, engine->snapshot(EnginePhase::kRunning));
    }
    shot = engine->snapshot(EnginePhase::kFinished);
  }
  // While a request runs, its blocks hold the keys of exactly the tokens that are known to be
  // there.
  void check_tables(const Request& request, const EngineSnapshot& now) {
    if (request.state != RequestState::kRunning || request.num_computed == 0) return;
    const RequestView& view = now.requests[request.id];
    const int64_t places[] = {request.num_computed, request.places_in(TableKind::kCross)};
    for (const TableKind kind : kTableKinds) {
      int64_t filled = 0;
      for (const int32_t block : view.table(kind).blocks) {
        const BlockView& shown = now.blocks[static_cast<size_t>(block)];
        filled += shown.filled;
        ASSERT_EQ(shown.table(), kind);
      }
      ASSERT_EQ(filled, places[static_cast<size_t>(kind)]) << request.id << " step " << now.step;
    }
    ++checked;
  }
  const AttentionRecord& record(size_t request) const { return *shot.requests[request].attention; }
  std::vector<int32_t> tokens(size_t request) const {
    std::vector<int32_t> ids;
    for (const TokenView& token : *shot.requests[request].tokens) ids.push_back(token.id);
    return ids;
  }
  std::vector<float> weights(size_t request, int64_t layer) const {
    const int64_t rows = record(request).num_rows(), keys = record(request).num_keys(layer);
    std::vector<float> cells(static_cast<size_t>(rows * keys));
    record(request).weights(layer, 3, 0, rows, 0, keys, cells.data());
    return cells;
  }
  int64_t sum(int64_t StepRecord::*field) const {
    int64_t total = 0;
    for (const StepRecord& step : *shot.steps) total += step.*field;
    return total;
  }

  Recorder recorder;
  std::unique_ptr<Engine> engine;
  EngineSnapshot shot;
  int checked = 0;
};

void expect_same(const TwoTablesRun& run, const TwoTablesRun& expected) {
  EXPECT_GT(run.checked, 0);
  for (size_t request = 0; request < 2; ++request) {
    ASSERT_EQ(run.tokens(request), expected.tokens(request));
    for (int64_t layer = 0; layer < kCalls; ++layer)
      ASSERT_EQ(run.weights(request, layer), expected.weights(request, layer)) << layer;
  }
}

TEST(TwoTables, ALayerReadsItsOwnKeysOrTheEncoders) {
  const TwoTablesRun run(two_tables("torch_sdpa"));
  for (size_t request = 0; request < 2; ++request) {
    const AttentionRecord& record = run.record(request);
    EXPECT_EQ(record.num_rows(), run.shot.requests[request].num_computed);
    for (int64_t layer = 0; layer < kCalls; ++layer) {
      const bool cross = layer % 2 == 1;
      EXPECT_EQ(record.is_cross(layer), cross);
      const int64_t keys = record.num_keys(layer);
      EXPECT_EQ(keys, cross ? kEncoderTokens[request] : record.num_rows());
      const std::vector<float> cells = run.weights(request, layer);
      for (int64_t q = 0; q < record.num_rows(); ++q) {
        double sum = 0;
        for (int64_t k = 0; k < keys; ++k) {
          const float weight = cells[static_cast<size_t>(q * keys + k)];
          sum += static_cast<double>(weight);
          if (!cross && k > q) {
            EXPECT_EQ(weight, 0.0f);
          }
        }
        ASSERT_NEAR(sum, 1, 1e-5) << layer << " " << q;  // the lse is the kernel's
      }
    }
  }
  EXPECT_EQ(attention_text(run.engine->scenario().attention, run.shot.source),
            "L0 self, L1 self: decoder; L0 cross, L1 cross: encoder-decoder (cross)");
}

// Compares both kinds of layers on every backend that runs them.
TEST(TwoTables, BackendsAgreeInEveryLayer) {
  CompareSpec spec;
  spec.scenario = two_tables("unified");
  spec.backends = {"torch_sdpa", "xformers", "unified"};
  spec.against_reference = true;
  const CompareResult result = run_compare(spec);
  for (const CompareColumn& column : result.columns) {
    if (column.is_baseline) continue;
    EXPECT_TRUE(column.refusals.empty()) << column.name;
    EXPECT_GT(column.out.compared, 0) << column.name;
    EXPECT_EQ(column.out.outside, 0) << column.name;
    EXPECT_EQ(column.lse.outside, 0) << column.name;
  }
  double pairs = 0;
  for (size_t request = 0; request < 2; ++request)
    for (int64_t q = 0; q < result.requests[request].rows; ++q)
      pairs += static_cast<double>(kModelLayers * (q + 1 + kEncoderTokens[request]));
  EXPECT_EQ(result.needed_pairs, pairs * kQueryHeads);
  for (int64_t layer = 0; layer < kCalls; ++layer) {
    const DifferenceMap map = weight_differences(result, 0, 0, layer, 1);
    EXPECT_EQ(map.cross, layer % 2 == 1);
    EXPECT_EQ(map.columns, layer % 2 == 1 ? kEncoderTokens[0] : map.rows);
    EXPECT_GT(map.rows, 0);
    EXPECT_LT(map.max_abs, 1e-5);
  }
}

TEST(TwoTables, TheSameBitsHoweverTheCacheIsUsed) {
  for (const char* backend : {"torch_sdpa", "unified"}) {
    SCOPED_TRACE(backend);
    const TwoTablesRun expected(two_tables(backend));
    EXPECT_EQ(expected.sum(&StepRecord::preemptions), 0);
    Scenario crowded = two_tables(backend);
    crowded.engine.num_blocks = 14;  // 6 + 4 and 5 + 3 are wanted at the end
    const TwoTablesRun again(crowded);
    EXPECT_GT(again.sum(&StepRecord::preemptions), 0);
    expect_same(again, expected);
    crowded.engine.preemption = PreemptionMode::kSwap;
    crowded.engine.num_swap_blocks = 16;
    const TwoTablesRun swapped(crowded);
    EXPECT_GT(swapped.sum(&StepRecord::swapped_out_blocks), 3);  // more than the encoder's 3 blocks
    EXPECT_EQ(swapped.sum(&StepRecord::swapped_out_blocks),
              swapped.sum(&StepRecord::swapped_in_blocks));
    expect_same(swapped, expected);
    Scenario planned = two_tables(backend);
    planned.engine.use_captured_plan = true;
    const TwoTablesRun replayed(planned);
    EXPECT_GT(replayed.sum(&StepRecord::captured_rows), 0);
    expect_same(replayed, expected);
    Scenario small_blocks = two_tables(backend);
    small_blocks.engine.block_size = 1;
    small_blocks.engine.num_blocks = 256;
    expect_same(TwoTablesRun(small_blocks), expected);
  }
}

TEST(TwoTables, TheSameBitsInChunks) {
  const TwoTablesRun whole(two_tables("unified"));
  Scenario chunked = two_tables("unified");
  chunked.engine.policy = SchedulingPolicy::kChunkedPrefill;
  chunked.engine.extended = true;
  chunked.engine.max_num_batched_tokens = 7;
  expect_same(TwoTablesRun(chunked), whole);
}

// The keys of a decoder's tokens depend on what its encoder reads.
TEST(TwoTables, PrefixesAreSharedOnlyWithTheSameEncoder) {
  Scenario scenario = two_tables("unified");
  scenario.engine.enable_prefix_caching = true;
  scenario.engine.extended = true;
  scenario.engine.max_num_seqs = 1;
  scenario.requests[1] = scenario.requests[0];
  const TwoTablesRun same(scenario);
  EXPECT_EQ(same.sum(&StepRecord::hit_tokens), 16);  // two full blocks of the prompt of 20 tokens
  EXPECT_EQ(same.tokens(1), same.tokens(0));
  scenario.requests[1].encoder_tokens = kEncoderTokens[1];
  const TwoTablesRun other(scenario);
  EXPECT_EQ(other.sum(&StepRecord::hit_tokens), 0);
  // Lookups count the requests' own tokens: the encoder's are never looked up.
  EXPECT_EQ(other.sum(&StepRecord::queried_tokens), 40);
}

// Samples share both tables until they write; the encoder's are never copied.
TEST(TwoTables, SamplesAndBeamsShareTheEncodersBlocks) {
  Scenario scenario = two_tables("unified");
  scenario.requests.resize(1);
  scenario.requests[0].n = 3;
  scenario.requests[0].sampling.temperature = 1;
  const TwoTablesRun samples(scenario);
  ASSERT_EQ(samples.shot.requests.size(), 3u);
  EXPECT_GT(samples.sum(&StepRecord::copied_blocks), 0);
  // 4 blocks of the encoder and the 2 full ones of the prompt are held by two more tables each.
  EXPECT_EQ(samples.shot.steps->at(1).saved_blocks, 2 * (4 + 2));
  for (size_t sample = 0; sample < 3; ++sample)
    EXPECT_EQ(samples.shot.requests[sample].state, RequestState::kFinishedLengthCapped);
  scenario = two_tables("torch_sdpa");
  scenario.requests[0].beam_width = 3;
  const TwoTablesRun roomy(scenario);
  scenario.engine.num_blocks = 31;  // 3 x (6 + 4) blocks of the beams, and one
  const TwoTablesRun crowded(scenario);
  EXPECT_EQ(crowded.tokens(0), roomy.tokens(0));
  EXPECT_EQ(crowded.tokens(1), roomy.tokens(1));
}

TEST(TwoTables, ARequestThatNeverFitsNamesBothTables) {
  Scenario scenario = two_tables("unified");
  scenario.engine.num_blocks = 6;  // 3 + 4 are needed for the first request
  const TwoTablesRun run(scenario);
  EXPECT_EQ(run.shot.requests[0].state, RequestState::kFinishedIgnored);
  EXPECT_EQ(run.shot.requests[0].ignored_reason,
            "The prompt has 20 tokens and the encoder has 28 tokens, which needs 7 blocks of 8 "
            "tokens; the cache has 6.");
  // The second one stops when both of its tables fill the cache: 3 blocks are the encoder's.
  EXPECT_EQ(run.shot.requests[1].state, RequestState::kFinishedLengthCapped);
  EXPECT_EQ(run.shot.requests[1].tokens->size(), 25u);
  EXPECT_THAT(
      run.shot.requests[1].ignored_reason,
      testing::HasSubstr("the sequence and its encoder need more than all 6 blocks of 8 tokens"));
}

TEST(TwoTables, WhatTheSourceNeeds) {
  Scenario scenario = two_tables("unified");
  scenario.attention.type = AttentionType::kDecoder;
  for (ScenarioRequest& request : scenario.requests) request.encoder_tokens = 0;
  EXPECT_THROW(validate(scenario), Error);
}

}  // namespace
}  // namespace attn
