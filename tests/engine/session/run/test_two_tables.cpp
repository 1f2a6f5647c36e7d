// SPDX-License-Identifier: GPL-3.0-or-later
// Runs whose layers have self attention and cross attention, so that a request has two block
// tables: what the blocks hold, which table a layer reads, and that the use of the cache changes no
// bit.
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

Scenario two_tables(const std::string& backend, int64_t encoder_layers = 0) {
  Scenario scenario = test::synthetic_scenario({20, 9}, 24);
  SyntheticSpec& source = *scenario.source.synthetic;
  source.kind = SyntheticKind::kEncoderDecoder;
  source.num_layers = kModelLayers;
  source.num_encoder_layers = encoder_layers;
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

struct Case {
  const char* backend;
  int64_t encoder_layers;
};

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
  const AttentionRecord& record(size_t request, int64_t layer = kCalls) const {
    return *shot.requests[request].at(layer).attention;
  }
  std::vector<int32_t> tokens(size_t request) const {
    std::vector<int32_t> ids;
    for (const TokenView& token : *shot.requests[request].tokens) ids.push_back(token.id);
    return ids;
  }
  std::vector<float> weights(size_t request, int64_t layer) const {
    const AttentionRecord& of = record(request, layer);
    const int64_t rows = of.num_rows(), keys = of.num_keys(layer);
    std::vector<float> cells(static_cast<size_t>(rows * keys));
    of.weights(layer, 3, 0, rows, 0, keys, cells.data());
    return cells;
  }
  // The number of calls of a kernel in a layer, in all steps.
  int64_t kernels(int64_t layer, KernelId kernel = KernelId::kFlashPrefill) {
    recorder.drain();
    std::vector<TraceEvent> events;
    recorder.read(0, events);
    return std::ranges::count_if(events, [&](const TraceEvent& event) {
      return event.kind == EventKind::kKernel && event.layer == layer &&
             static_cast<KernelId>(event.a) == kernel;
    });
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
    for (int64_t layer = 0; layer < run.shot.source.num_layers; ++layer)
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

void expect_backends_agree(int64_t encoder_layers) {
  CompareSpec spec;
  spec.scenario = two_tables("unified", encoder_layers);
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
  for (size_t request = 0; request < 2; ++request) {
    pairs +=
        static_cast<double>(encoder_layers * kEncoderTokens[request] * kEncoderTokens[request]);
    for (int64_t q = 0; q < result.requests[request].rows; ++q)
      pairs += static_cast<double>(kModelLayers * (q + 1 + kEncoderTokens[request]));
  }
  EXPECT_EQ(result.needed_pairs, pairs * kQueryHeads);
  for (int64_t layer = 0; layer < encoder_layers + kCalls; ++layer) {
    const bool encoder = layer < encoder_layers,
               cross = !encoder && (layer - encoder_layers) % 2 == 1;
    const DifferenceMap map = weight_differences(result, 0, 0, layer, 1);
    EXPECT_EQ(map.cross, cross);
    EXPECT_EQ(map.columns, cross || encoder ? kEncoderTokens[0] : map.rows);
    EXPECT_EQ(map.rows, encoder ? kEncoderTokens[0] : result.requests[0].rows);
    EXPECT_LT(map.max_abs, 1e-5);
  }
}

TEST(TwoTables, BackendsAgreeInEveryLayer) {
  expect_backends_agree(0);
  expect_backends_agree(2);
}

TEST(TwoTables, TheSameBitsHoweverTheCacheIsUsed) {
  for (const auto& [backend, layers] :
       {Case{"torch_sdpa", 0}, Case{"unified", 0}, Case{"unified", 2}, Case{"xformers", 1}}) {
    SCOPED_TRACE(backend);
    TwoTablesRun expected(two_tables(backend, layers));
    EXPECT_EQ(expected.sum(&StepRecord::preemptions), 0);
    const int64_t once = expected.kernels(0, KernelId::kEmbed);
    Scenario crowded = two_tables(backend, layers);
    crowded.engine.num_blocks = 14;
    TwoTablesRun again(crowded);
    EXPECT_GT(again.sum(&StepRecord::preemptions), 0);
    if (layers > 0) {
      EXPECT_GT(again.kernels(0, KernelId::kEmbed), once);
    }
    expect_same(again, expected);
    crowded.engine.preemption = PreemptionMode::kSwap;
    crowded.engine.num_swap_blocks = 16;
    TwoTablesRun swapped(crowded);
    if (layers > 0) {
      EXPECT_EQ(swapped.kernels(0, KernelId::kEmbed), once);
    }
    EXPECT_GT(swapped.sum(&StepRecord::swapped_out_blocks), 3);
    EXPECT_EQ(swapped.sum(&StepRecord::swapped_out_blocks),
              swapped.sum(&StepRecord::swapped_in_blocks));
    expect_same(swapped, expected);
    Scenario planned = two_tables(backend, layers);
    planned.engine.use_captured_plan = true;
    const TwoTablesRun replayed(planned);
    EXPECT_GT(replayed.sum(&StepRecord::captured_rows), 0);
    expect_same(replayed, expected);
    Scenario small_blocks = two_tables(backend, layers);
    small_blocks.engine.block_size = 1;
    small_blocks.engine.num_blocks = 256;
    expect_same(TwoTablesRun(small_blocks), expected);
  }
}

TEST(TwoTables, TheSameBitsInChunks) {
  for (const auto& [backend, layers] :
       {Case{"unified", 0}, Case{"unified", 2}, Case{"xformers", 2}}) {
    SCOPED_TRACE(backend);
    const TwoTablesRun whole(two_tables(backend, layers));
    Scenario chunked = two_tables(backend, layers);
    chunked.engine.policy = SchedulingPolicy::kChunkedPrefill;
    chunked.engine.extended = true;
    chunked.engine.max_num_batched_tokens = 7;
    expect_same(TwoTablesRun(chunked), whole);
  }
}

// The keys of a decoder's tokens depend on what its encoder reads.
TEST(TwoTables, PrefixesAreSharedOnlyWithTheSameEncoder) {
  constexpr int64_t kHit = 16;  // two full blocks of the prompt of 20 tokens
  for (const auto& [backend, layers] :
       {Case{"unified", 0}, Case{"unified", 2}, Case{"xformers", 2}}) {
    SCOPED_TRACE(backend);
    Scenario scenario = two_tables(backend, layers);
    scenario.engine.extended = true;
    scenario.engine.max_num_seqs = 1;
    scenario.requests[1] = scenario.requests[0];
    TwoTablesRun without(scenario);
    scenario.engine.enable_prefix_caching = true;
    TwoTablesRun same(scenario);
    EXPECT_EQ(same.sum(&StepRecord::hit_tokens), kHit);
    for (int64_t layer = 0; layer < layers; ++layer)
      for (const KernelId kernel : {KernelId::kUnifiedPrefill, KernelId::kMemoryEfficientPrefill})
        EXPECT_EQ(same.kernels(layer, kernel), without.kernels(layer, kernel));
    for (size_t request = 0; request < 2; ++request) {
      ASSERT_EQ(same.tokens(request), without.tokens(request));
      for (int64_t layer = 0; layer < layers + kCalls; ++layer) {
        const int64_t first = layer >= layers && request == 1 ? kHit : 0;  // the first computed row
        EXPECT_EQ(same.record(request, layer).row_done(layer, 3, 0), first == 0);
        const auto keys = static_cast<size_t>(same.record(request, layer).num_keys(layer));
        const std::vector<float> found = same.weights(request, layer),
                                 expected = without.weights(request, layer);
        const auto skip = static_cast<std::ptrdiff_t>(static_cast<size_t>(first) * keys);
        ASSERT_EQ(std::vector<float>(found.begin() + skip, found.end()),
                  std::vector<float>(expected.begin() + skip, expected.end()))
            << layer;
      }
    }
    scenario.requests[1].encoder_tokens = kEncoderTokens[1];
    const TwoTablesRun other(scenario);
    EXPECT_EQ(other.sum(&StepRecord::hit_tokens), 0);
    // Lookups count the decoder's tokens.
    EXPECT_EQ(other.sum(&StepRecord::queried_tokens), 40);
  }
}

TEST(TwoTables, SamplesAndBeamsShareTheEncodersBlocks) {
  Scenario scenario = two_tables("unified", 1);
  scenario.requests.resize(1);
  scenario.requests[0].n = 3;
  scenario.requests[0].sampling.temperature = 1;
  const TwoTablesRun samples(scenario);
  ASSERT_EQ(samples.shot.requests.size(), 3u);
  EXPECT_GT(samples.sum(&StepRecord::copied_blocks), 0);
  EXPECT_EQ(samples.shot.steps->at(1).saved_blocks, 2 * (4 + 2));
  for (size_t sample = 0; sample < 3; ++sample)
    EXPECT_EQ(samples.shot.requests[sample].state, RequestState::kFinishedLengthCapped);
  scenario = two_tables("torch_sdpa", 1);
  scenario.requests[0].beam_width = 3;
  const TwoTablesRun roomy(scenario);
  scenario.engine.num_blocks = 31;
  const TwoTablesRun crowded(scenario);
  EXPECT_EQ(crowded.tokens(0), roomy.tokens(0));
  EXPECT_EQ(crowded.tokens(1), roomy.tokens(1));
}

TEST(TwoTables, ARequestThatNeverFitsNamesBothTables) {
  Scenario scenario = two_tables("unified");
  scenario.engine.num_blocks = 6;
  const TwoTablesRun run(scenario);
  EXPECT_EQ(run.shot.requests[0].state, RequestState::kFinishedIgnored);
  EXPECT_EQ(run.shot.requests[0].ignored_reason,
            "The prompt has 20 tokens and the encoder has 28 tokens, which needs 7 blocks of 8 "
            "tokens; the cache has 6.");
  EXPECT_EQ(run.shot.requests[1].state, RequestState::kFinishedLengthCapped);
  EXPECT_EQ(run.shot.requests[1].tokens->size(), 25u);
  EXPECT_THAT(
      run.shot.requests[1].ignored_reason,
      testing::HasSubstr("the sequence and its encoder need more than all 6 blocks of 8 tokens"));
}

TEST(TwoTables, TheEncodersLayersSeeAllItsTokens) {
  TwoTablesRun run(two_tables("torch_sdpa", 2));
  EXPECT_EQ(run.kernels(0), 2);  // one call for each sequence
  EXPECT_EQ(run.kernels(1), 2);
  EXPECT_EQ(run.engine->cache().spec().num_layers, kCalls);
  EXPECT_EQ(run.record(0, 4).row_done(0, 0, 0), false);
  for (size_t request = 0; request < 2; ++request)
    for (const int64_t layer : {0, 1}) {
      const AttentionRecord& record = run.record(request, layer);
      const int64_t tokens = kEncoderTokens[request], width = record.shape().head_size;
      ASSERT_EQ(record.num_rows(), tokens);
      ASSERT_EQ(record.num_keys(layer), tokens);
      std::vector<float> queries(static_cast<size_t>(tokens * width)), keys = queries;
      ASSERT_TRUE(record.queries(layer, 3, 0, tokens, queries.data()));
      ASSERT_TRUE(record.keys(layer, 3, 0, tokens, keys.data()));
      const std::vector<float> weights = run.weights(request, layer);
      for (int64_t q = 0; q < tokens; ++q) {
        std::vector<double> exact;
        double sum = 0;
        for (int64_t k = 0; k < tokens; ++k) {
          double dot = 0;
          for (int64_t d = 0; d < width; ++d)
            dot += double{queries[static_cast<size_t>(q * width + d)]} *
                   double{keys[static_cast<size_t>(k * width + d)]};
          exact.push_back(std::exp(dot * double{record.shape().scale}));
          sum += exact.back();
        }
        for (int64_t k = 0; k < tokens; ++k)
          ASSERT_NEAR(weights[static_cast<size_t>(q * tokens + k)],
                      exact[static_cast<size_t>(k)] / sum, 1e-5);
      }
    }
  EXPECT_EQ(attention_text(run.engine->scenario().attention, run.shot.source),
            "L0 encoder, L1 encoder: encoder; L0 self, L1 self: decoder; L0 cross, L1 cross: "
            "encoder-decoder (cross)");
}

TEST(TwoTables, CrossAttentionReadsTheEncodersStates) {
  const TwoTablesRun without(two_tables("unified")), with(two_tables("unified", 2));
  EXPECT_NE(with.weights(0, 3), without.weights(0, 1));
  EXPECT_NE(with.tokens(0), without.tokens(0));
}

TEST(TwoTables, AHeadOfTheEncoderCanBeSwitchedOff) {
  Scenario changed = two_tables("torch_sdpa", 2);
  changed.requests[0].interventions = {{.kind = InterventionKind::kHead, .layer = 0, .head = 3}};
  const TwoTablesRun plain(two_tables("torch_sdpa", 2)), off(changed);
  EXPECT_EQ(off.weights(0, 0), plain.weights(0, 0));
  EXPECT_NE(off.weights(0, 1), plain.weights(0, 1));
  EXPECT_NE(off.weights(0, 3), plain.weights(0, 3));  // cross attention changes, too
  EXPECT_EQ(off.weights(1, 3), plain.weights(1, 3));
  EXPECT_EQ(off.shot.requests[0].changed_numbers, std::vector<int64_t>{kEncoderTokens[0] * 32});
  Scenario crowded = changed;
  crowded.engine.num_blocks = 14;
  const TwoTablesRun again(crowded);
  EXPECT_GT(again.sum(&StepRecord::preemptions), 0);
  expect_same(again, off);
  Intervention& what = changed.requests[0].interventions[0];
  what.position = 20;
  const TwoTablesRun one(changed);
  EXPECT_EQ(one.shot.requests[0].changed_numbers, std::vector<int64_t>{32});
  const auto refusal = [&changed] {
    try {
      Engine engine(changed, EngineOptions{});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  what.position = 28;
  EXPECT_THAT(refusal(), testing::HasSubstr("the encoder has no such token"));
  what.position = -1;
  what.with = Replacement::kMean;
  EXPECT_THAT(refusal(), testing::HasSubstr("only the output of a head can be replaced, and only "
                                            "by zero"));
  what = {.kind = InterventionKind::kEdge, .layer = 1, .head = 0, .query = 3, .key = 2};
  EXPECT_THAT(refusal(), testing::HasSubstr("Switch a head of the encoder off"));
}

TEST(TwoTables, TheEncoderOfABackendThatRefusesItIsRefusedAtTheStart) {
  Scenario scenario = two_tables("unified", 1);
  scenario.engine.backend = "pallas";
  scenario.source.synthetic->head_size = 128;
  try {
    Engine engine(scenario, EngineOptions{});
    FAIL() << "pallas has no encoders";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kNotSupported);
    EXPECT_THAT(error.what(), testing::HasSubstr("ENCODER"));
  }
}

TEST(TwoTables, WhatTheSourceNeeds) {
  Scenario scenario = two_tables("unified");
  scenario.attention.type = AttentionType::kDecoder;
  for (ScenarioRequest& request : scenario.requests) request.encoder_tokens = 0;
  EXPECT_THROW(validate(scenario), Error);
  scenario = two_tables("unified", 1);
  scenario.source.synthetic->num_layers = 127;  // 2 x 127 + 1 calls are too many
  EXPECT_THROW(validate(scenario), Error);
  scenario = two_tables("unified", 1);
  scenario.source.synthetic->kind = SyntheticKind::kAlignment;
  EXPECT_THROW(validate(scenario), Error);
}

}  // namespace
}  // namespace attn
