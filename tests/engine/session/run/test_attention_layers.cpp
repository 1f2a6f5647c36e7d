// SPDX-License-Identifier: GPL-3.0-or-later
// Runs whose attention layers differ: a layer computes by its own rule, and preemption, swapping,
// shared prefixes, chunks and captured plans change no bit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/session/compare/compare.h"
#include "engine/session/report/report.h"
#include "engine/session/run/layer_configs.h"
#include "engine/session/scenario/attention_rule.h"
#include "tests/engine/session/session_support.h"
#include "tests/support/dense.h"

namespace attn {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr int64_t kLayers = 4, kHeads = 4, kWindow = 11;

Scenario alternating(const std::string& backend) {
  Scenario scenario = test::synthetic_scenario({50, 33}, 12);
  SyntheticSpec& source = *scenario.source.synthetic;
  source.kind = SyntheticKind::kAlternating;
  source.num_layers = kLayers;
  source.period = kWindow;
  source.sharpness = 2;
  source.max_model_len = 96;
  scenario.engine.backend = backend;
  scenario.engine.block_size = 8;
  scenario.engine.clock = ClockKind::kVirtual;
  return scenario;
}

std::vector<std::string> accepting() {
  std::vector<std::string> names;
  for (const char* name : {"torch_sdpa", "xformers", "pallas", "reference", "unified"}) {
    const Scenario scenario = alternating(name);
    if (not_supported_reasons(backend_named(name),
                              layer_configs(scenario, load_source(scenario)->shape()))
            .empty())
      names.emplace_back(name);
  }
  return names;
}

// A source whose layers have the attention calls that a test gives.
class SourceWithCalls final : public Source {
 public:
  SourceWithCalls(std::shared_ptr<Source> inner, std::vector<AttentionCall> calls)
      : inner_(std::move(inner)), shape_(inner_->shape()) {
    shape_.calls = std::move(calls);
  }
  const SourceShape& shape() const override { return shape_; }
  std::vector<int32_t> encode(std::string_view text) const override { return inner_->encode(text); }
  std::string token_text(int32_t token) const override { return inner_->token_text(token); }
  std::string decode(std::span<const int32_t> tokens) const override {
    return inner_->decode(tokens);
  }
  std::vector<int32_t> stop_tokens() const override { return inner_->stop_tokens(); }
  bool begin_step(const StepTokens& tokens, const Execution& execution) override {
    return inner_->begin_step(tokens, execution);
  }
  bool qkv(int64_t layer, Tensor& query, Tensor& key, Tensor& value,
           const Execution& execution) override {
    return inner_->qkv(layer, query, key, value, execution);
  }
  bool attention_output(int64_t layer, const Tensor& out, const Execution& execution) override {
    return inner_->attention_output(layer, out, execution);
  }
  bool end_step(Tensor& logits, const Execution& execution) override {
    return inner_->end_step(logits, execution);
  }

 private:
  std::shared_ptr<Source> inner_;
  SourceShape shape_;
};

struct LayersRun {
  explicit LayersRun(const Scenario& scenario, std::vector<AttentionCall> calls = {})
      : recorder(num_workers(scenario)) {
    std::shared_ptr<Source> source = load_source(scenario);
    if (!calls.empty()) source = std::make_shared<SourceWithCalls>(source, std::move(calls));
    EngineOptions options;
    options.recorder = &recorder;
    engine = std::make_unique<Engine>(scenario, std::move(source), options);
    engine->run_to_end();
    engine->scheduler().check_invariants();
    recorder.drain();
    shot = engine->snapshot(EnginePhase::kFinished);
  }
  const AttentionRecord& record(size_t request) const { return *shot.requests[request].attention; }
  std::vector<int32_t> tokens(size_t request) const {
    std::vector<int32_t> ids;
    for (const TokenView& token : *shot.requests[request].tokens) ids.push_back(token.id);
    return ids;
  }
  int64_t sum(int64_t StepRecord::*field) const {
    int64_t total = 0;
    for (const StepRecord& step : *shot.steps) total += step.*field;
    return total;
  }
  std::vector<float> weights(size_t request, int64_t layer, int64_t head) const {
    const int64_t rows = record(request).num_rows();
    std::vector<float> all(static_cast<size_t>(rows * rows));
    record(request).weights(layer, head, 0, rows, 0, rows, all.data());
    return all;
  }

  Recorder recorder;
  std::unique_ptr<Engine> engine;
  EngineSnapshot shot;
};

// Compares a row with sums in f64: its weights, and the log-sum-exp that the kernel gave.
void expect_row(const AttentionCall& call, const AttentionRecord& record, int64_t layer,
                int64_t head, int64_t q) {
  const auto at = static_cast<size_t>(head);
  const int64_t window = call.sliding_window.value_or(0);
  const double cap = call.logits_soft_cap.value_or(0);
  std::vector<double> expected(static_cast<size_t>(q + 1), 0);
  double sum = 0;
  for (int64_t k = window > 0 ? std::max<int64_t>(0, q - window + 1) : 0; k <= q; ++k) {
    const WeightOperands cell = record.operands(layer, head, q, k);
    double score =
        test::dot(cell.query, cell.key) / std::sqrt(static_cast<double>(cell.query.size()));
    if (cap > 0) score = cap * std::tanh(score / cap);
    if (call.alibi_slopes) score += double{(*call.alibi_slopes)[at]} * static_cast<double>(k - q);
    sum += expected[static_cast<size_t>(k)] = std::exp(score);
  }
  if (call.sinks) sum += std::exp(double{(*call.sinks)[at]});
  ASSERT_NEAR(record.lse(layer, head, q), std::log(sum), 2e-5) << layer << ' ' << head << ' ' << q;
  std::vector<float> found(static_cast<size_t>(q + 1));
  record.weights(layer, head, q, 1, 0, q + 1, found.data());
  for (size_t k = 0; k < found.size(); ++k) {
    ASSERT_NEAR(found[k], expected[k] / sum, 2e-5) << layer << ' ' << q << ' ' << k;
    ASSERT_EQ(found[k] == 0, expected[k] == 0) << layer << ' ' << q << ' ' << k;
  }
}

void expect_rules(const LayersRun& run) {
  const std::vector<AttentionCall>& calls = run.shot.source.calls;
  for (size_t request = 0; request < run.shot.requests.size(); ++request)
    for (int64_t layer = 0; layer < kLayers; ++layer)
      for (int64_t head = 0; head < kHeads; ++head)
        for (int64_t q = run.shot.requests[request].num_cached;
             q < run.shot.requests[request].num_computed; q += 3)
          expect_row(calls[static_cast<size_t>(layer)], run.record(request), layer, head, q);
}

TEST(AttentionLayers, EachHasItsOwnRuleOnEveryBackend) {
  EXPECT_THAT(accepting(), ElementsAre("torch_sdpa", "xformers", "reference", "unified"));
  std::optional<std::vector<int32_t>> first;
  for (const std::string& backend : accepting()) {
    SCOPED_TRACE(backend);
    const LayersRun run(alternating(backend));
    ASSERT_EQ(run.shot.rules->list().size(), static_cast<size_t>(kLayers));
    for (int64_t layer = 0; layer < kLayers; ++layer)
      EXPECT_EQ(run.shot.rules->of(layer).sliding_window, layer % 2 == 0 ? kWindow : 0);
    expect_rules(run);
    if (!first) first = run.tokens(0);
    EXPECT_EQ(run.tokens(0), *first);
  }
}

TEST(AttentionLayers, WindowsCapsSlopesAndSinksCanAllDiffer) {
  const std::vector<AttentionCall> calls = {
      {.label = "L0", .sliding_window = 5, .sinks = std::vector<float>{0.5, 1, -1, 2}},
      {.label = "L1", .logits_soft_cap = 1.5f},
      {.label = "L2", .alibi_slopes = std::vector<float>{0.5, 0.25, 0.125, 0.0625}},
      {.label = "L3", .sliding_window = 20, .logits_soft_cap = 3.0f}};
  for (const char* backend : {"reference", "unified"}) {
    SCOPED_TRACE(backend);
    expect_rules(LayersRun(alternating(backend), calls));
  }
}

TEST(AttentionLayers, WhatTheSourceLeavesOpenTheScenarioSays) {
  Scenario scenario = alternating("unified");
  scenario.source.synthetic->kind = SyntheticKind::kRandom;
  scenario.attention.sliding_window = 7;
  scenario.attention.logits_soft_cap = 2;
  SourceShape shape = load_source(scenario)->shape();
  for (const char* label : {"L0", "L1", "L2", "L3"}) shape.calls.push_back({.label = label});
  shape.calls[1].sliding_window = 0;
  shape.calls[2].logits_soft_cap = 0.0f;
  const LayerConfigs configs = layer_configs(scenario, shape);
  EXPECT_THAT(configs.index, ElementsAre(0u, 1u, 2u, 0u));
  EXPECT_EQ(configs.of(0).sliding_window, 7);
  EXPECT_EQ(configs.of(0).logits_soft_cap, 2.0f);
  EXPECT_FALSE(configs.of(1).sliding_window);
  EXPECT_EQ(configs.of(2).sliding_window, 7);
  EXPECT_FALSE(configs.of(2).logits_soft_cap);
  EXPECT_EQ(configs.count_of(0), 2);
  EXPECT_EQ(attention_text(scenario.attention, shape),
            "L0, L3: decoder, sliding window 7 tokens, soft cap 2; L1: decoder, soft cap 2; "
            "L2: decoder, sliding window 7 tokens");
}

TEST(AttentionLayers, RowsOfAPromptIgnoreAWindowBesideAlibi) {
  Scenario scenario = test::synthetic_scenario({20}, 2);
  scenario.attention.alibi = true;
  scenario.attention.sliding_window = 5;
  const auto rows_of = [&](const char* backend, bool alibi = true) {
    scenario.engine.backend = backend;
    scenario.attention.alibi = alibi;
    Engine engine(scenario, EngineOptions{});
    engine.run_to_end();
    EXPECT_EQ(engine.snapshot(EnginePhase::kFinished).rules->of(0).sliding_window, 5) << backend;
    return engine.attention(0)->shape().rules.of(0).rows_without_window;
  };
  EXPECT_EQ(rows_of("torch_sdpa"), 20);
  EXPECT_EQ(rows_of("xformers"), 20);
  EXPECT_EQ(rows_of("unified"), 0);
  EXPECT_EQ(rows_of("xformers", false), 0);
  scenario.engine.policy = SchedulingPolicy::kChunkedPrefill;
  scenario.engine.max_num_batched_tokens = 8;
  scenario.engine.extended = true;
  EXPECT_EQ(rows_of("torch_sdpa"), 8);
  EXPECT_EQ(rows_of("xformers"), 8);
}

TEST(AttentionLayers, BlocksLeaveTheLargestWindowOrNone) {
  const LayersRun full(alternating("torch_sdpa"));
  EXPECT_FALSE(full.shot.has_null_block);
  EXPECT_EQ(full.engine->scheduler().find(0)->num_computed, 61);
  std::vector<AttentionCall> calls(kLayers);
  for (size_t layer = 0; layer < calls.size(); ++layer)
    calls[layer].sliding_window = layer == 2 ? 21 : 9;
  const LayersRun windows(alternating("torch_sdpa"), calls);
  EXPECT_TRUE(windows.shot.has_null_block);
  std::vector<TraceEvent> events;
  windows.recorder.read(0, events);
  std::vector<uint32_t> left;  // logical blocks of request 0
  for (const TraceEvent& event : events)
    if (event.kind == EventKind::kBlockLeftWindow && event.b == 0) left.push_back(event.c);
  // The last query, at position 60, sees keys from 40 on.
  EXPECT_THAT(left, testing::UnorderedElementsAre(0u, 1u, 2u, 3u, 4u));
  expect_rules(windows);
}

TEST(AttentionLayers, TheSameBitsHoweverTheCacheIsUsed) {
  for (const char* backend : {"torch_sdpa", "unified"}) {
    SCOPED_TRACE(backend);
    const LayersRun expected(alternating(backend));
    const auto expect_same = [&](const LayersRun& run) {
      for (size_t request = 0; request < 2; ++request) {
        ASSERT_EQ(run.tokens(request), expected.tokens(request));
        for (int64_t layer = 0; layer < kLayers; ++layer)
          ASSERT_EQ(run.weights(request, layer, 3), expected.weights(request, layer, 3)) << layer;
      }
      expect_rules(run);
    };
    Scenario crowded = alternating(backend);
    crowded.engine.num_blocks = 12;  // the requests want 8 + 6
    const LayersRun again(crowded);
    EXPECT_GT(again.sum(&StepRecord::preemptions), 0);
    expect_same(again);
    crowded.engine.preemption = PreemptionMode::kSwap;
    crowded.engine.num_swap_blocks = 16;
    const LayersRun swapped(crowded);
    EXPECT_GT(swapped.sum(&StepRecord::swapped_out_blocks), 0);
    expect_same(swapped);
    Scenario planned = alternating(backend);
    planned.engine.use_captured_plan = true;
    const LayersRun replayed(planned);
    EXPECT_GT(replayed.sum(&StepRecord::captured_rows), 0);
    expect_same(replayed);
    Scenario small_blocks = alternating(backend);
    small_blocks.engine.block_size = 1;
    small_blocks.engine.num_blocks = 128;
    expect_same(LayersRun(small_blocks));
  }
}

TEST(AttentionLayers, TheSameBitsWithSharedPrefixesAndChunks) {
  const LayersRun whole(alternating("unified"));
  Scenario shared = alternating("unified");
  shared.engine.enable_prefix_caching = true;
  shared.engine.extended = true;
  shared.engine.max_num_seqs = 1;
  const LayersRun hit(shared);
  EXPECT_GT(hit.sum(&StepRecord::hit_tokens), 0);
  for (size_t request = 0; request < 2; ++request)
    EXPECT_EQ(hit.tokens(request), whole.tokens(request));
  expect_rules(hit);
  Scenario chunked = alternating("unified");
  chunked.engine.policy = SchedulingPolicy::kChunkedPrefill;
  chunked.engine.extended = true;
  chunked.engine.max_num_batched_tokens = 13;
  const LayersRun parts(chunked);
  for (size_t request = 0; request < 2; ++request)
    for (int64_t layer = 0; layer < kLayers; ++layer)
      EXPECT_EQ(parts.weights(request, layer, 1), whole.weights(request, layer, 1));
}

TEST(AttentionLayers, CompareGoesByTheRuleOfTheLayer) {
  CompareSpec spec;
  spec.scenario = alternating("torch_sdpa");
  spec.backends = {"torch_sdpa", "xformers", "unified", "pallas"};
  spec.against_reference = true;
  const CompareResult result = run_compare(spec);
  for (size_t column = 0; column < 3; ++column) {
    EXPECT_GT(result.columns[column].out.compared, 0);
    EXPECT_EQ(result.columns[column].out.outside, 0) << result.columns[column].name;
    EXPECT_EQ(result.columns[column].lse.outside, 0) << result.columns[column].name;
  }
  EXPECT_THAT(result.columns[3].refusals, testing::Contains(HasSubstr("no sliding window")));
  EXPECT_EQ(result.attention, "L0, L2: decoder, sliding window 11 tokens; L1, L3: decoder");
  double pairs = 0;
  for (const CompareRequest& request : result.requests)
    for (int64_t q = 0; q < request.rows; ++q)
      pairs += static_cast<double>(2 * (q + 1) + 2 * std::min(q + 1, kWindow));
  EXPECT_EQ(result.needed_pairs, pairs * kHeads);
  for (int64_t layer = 0; layer < kLayers; ++layer) {
    const DifferenceMap map = weight_differences(result, 0, 0, layer, 2);
    ASSERT_GT(map.rows, 50);
    EXPECT_LT(map.max_abs, 2e-5);
    EXPECT_EQ(map.masked(40, 40 - kWindow), layer % 2 == 0);
    EXPECT_FALSE(map.masked(40, 41 - kWindow));
  }
}

TEST(AttentionLayers, ReportsHaveTheRuleOfEachLayer) {
  const LayersRun run(alternating("torch_sdpa"));
  ReportInputs inputs;
  inputs.snapshot = &run.shot;
  const auto layers = nlohmann::json::parse(manifest_json(inputs, {}))["attention"]["layers"];
  ASSERT_EQ(layers.size(), static_cast<size_t>(kLayers));
  EXPECT_EQ(layers[2]["sliding_window_tokens"], kWindow);
  EXPECT_FALSE(layers[3].contains("sliding_window_tokens"));
  const auto columns = [&](int64_t layer) {
    const std::string csv = heatmap_csv(run.shot.requests[0], layer, 0);
    return csv.substr(0, csv.find('\n'));
  };
  EXPECT_TRUE(columns(0).ends_with(",sliding_window,alibi_slope,soft_cap,sink"));
  EXPECT_TRUE(columns(1).ends_with(",weight_key_60"));
}

TEST(AttentionLayers, AScenarioGivesNoSecondWindow) {
  Scenario scenario = alternating("torch_sdpa");
  scenario.attention.sliding_window = 4;
  EXPECT_THROW(validate(scenario), Error);
  scenario.attention.sliding_window = 0;
  scenario.attention.type = AttentionType::kEncoderOnly;
  for (ScenarioRequest& request : scenario.requests) request.max_tokens = 1;
  EXPECT_THROW(validate(scenario), Error);
}

}  // namespace
}  // namespace attn
