// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of scenarios whose layers are not those of a plain decoder: the records show what the
// kernels computed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/rng.h"
#include "engine/session/compare/compare.h"
#include "engine/session/report/report.h"
#include "engine/session/run/layer_configs.h"
#include "engine/session/scenario/attention_rule.h"
#include "tests/engine/session/session_support.h"
#include "tests/support/dense.h"

namespace attn {
namespace {

using testing::Contains;
using testing::HasSubstr;

struct Case {
  const char* name;
  ScenarioAttention attention;
};

std::vector<Case> cases() {
  ScenarioAttention window, cap, alibi, sinks, all, encoder, wide_encoder, alibi_window, sparse;
  window.sliding_window = all.sliding_window = 13;
  cap.logits_soft_cap = all.logits_soft_cap = 1.5;
  alibi.alibi = all.alibi = true;
  sinks.sinks = {1.25};
  all.sinks = {0.5, -1, 2, 3};
  encoder.type = wide_encoder.type = AttentionType::kEncoderOnly;
  wide_encoder.sliding_window = 21;
  wide_encoder.alibi = true;
  wide_encoder.logits_soft_cap = 2;
  wide_encoder.sinks = {1, 2, 0, -3};
  alibi_window.sliding_window = 13;
  alibi_window.alibi = true;
  sparse.blocksparse = {
      .local_blocks = 2, .vert_stride = 3, .block_size = 5, .head_sliding_step = 0};
  return {{"window", window},
          {"cap", cap},
          {"alibi", alibi},
          {"sinks", sinks},
          {"all", all},
          {"encoder", encoder},
          {"encoder with all", wide_encoder},
          {"ALiBi and a window", alibi_window},
          {"block-sparse", sparse}};
}

Scenario scenario_of(const ScenarioAttention& attention, const std::string& backend) {
  const bool encoder = attention.type == AttentionType::kEncoderOnly;
  Scenario scenario = test::synthetic_scenario({70, 33}, encoder ? 1 : 9);
  scenario.source.synthetic->kind = SyntheticKind::kRandom;
  scenario.source.synthetic->sharpness = 2;
  scenario.attention = attention;
  scenario.engine.backend = backend;
  scenario.engine.block_size = 8;
  return scenario;
}

bool accepts(const Scenario& scenario) {
  const AttentionBackend& backend = backend_named(scenario.engine.backend);
  const SourceShape shape = load_source(scenario)->shape();
  return not_supported_reasons(backend, layer_configs(scenario, shape)).empty();
}

std::vector<std::string> accepting(const ScenarioAttention& attention) {
  std::vector<std::string> names;
  for (const char* name : {"torch_sdpa", "xformers", "pallas", "reference", "unified"})
    if (accepts(scenario_of(attention, name))) names.emplace_back(name);
  return names;
}

struct RunOf {
  explicit RunOf(Scenario scenario_in) : scenario(std::move(scenario_in)), recorder(2) {
    EngineOptions options;
    options.recorder = &recorder;
    options.history_bytes = size_t{1} << 20;
    engine = std::make_unique<Engine>(scenario, options);
    engine->run_to_end();
    recorder.drain();
    shot = engine->snapshot(EnginePhase::kFinished);
  }
  const AttentionRecord& record(size_t request) const { return *shot.requests[request].attention; }
  Scenario scenario;
  Recorder recorder;
  std::unique_ptr<Engine> engine;
  EngineSnapshot shot;
};

bool sees(const ScenarioAttention& attention, int64_t q, int64_t k) {
  if (attention.type == AttentionType::kDecoder && k > q) return false;
  if (const auto& sparse = attention.blocksparse;
      sparse && !sees_block(*sparse, 0, q / sparse->block_size, k / sparse->block_size))
    return false;
  return attention.sliding_window == 0 || k > q - attention.sliding_window;
}

double score(const ScenarioAttention& attention, const WeightOperands& cell, int64_t head,
             int64_t heads, int64_t q, int64_t k) {
  double value =
      test::dot(cell.query, cell.key) / std::sqrt(static_cast<double>(cell.query.size()));
  if (attention.logits_soft_cap > 0)
    value = attention.logits_soft_cap * std::tanh(value / attention.logits_soft_cap);
  if (attention.alibi)  // heads are a power of two here
    value += std::exp2(-8.0 * static_cast<double>(head + 1) / static_cast<double>(heads)) *
             static_cast<double>(k - q);
  return value;
}

// The rule by which the backend computes a row. A backend may ignore the soft cap, have causal
// masks in encoders with ALiBi or a window, or ignore a window beside ALiBi in a prompt.
ScenarioAttention computed_by(ScenarioAttention attention, const std::string& backend,
                              bool in_prompt) {
  const BackendCapabilities can = backend_named(backend).capabilities();
  if (can.ignores_soft_cap) attention.logits_soft_cap = 0;
  if (can.causal_masks && attention.type == AttentionType::kEncoderOnly &&
      (attention.alibi || attention.sliding_window > 0))
    attention.type = AttentionType::kDecoder;
  if (in_prompt && attention.alibi && (backend == "torch_sdpa" || backend == "xformers"))
    attention.sliding_window = 0;
  return attention;
}

void expect_row(const ScenarioAttention& attention, const AttentionRecord& record, int64_t layer,
                int64_t head, int64_t q) {
  const int64_t keys = record.num_keys(layer), heads = record.shape().num_heads;
  std::vector<float> weights(static_cast<size_t>(keys));
  record.weights(layer, head, q, 1, 0, keys, weights.data());
  double sum = 0, shown = 0;
  std::vector<double> expected(static_cast<size_t>(keys), 0);
  for (int64_t k = 0; k < keys; ++k) {
    if (!sees(attention, q, k)) continue;
    const WeightOperands cell = record.operands(layer, head, q, k);
    expected[static_cast<size_t>(k)] = std::exp(score(attention, cell, head, heads, q, k));
    sum += expected[static_cast<size_t>(k)];
  }
  double sink = 0;
  if (!attention.sinks.empty())
    sink = std::exp(attention.sinks[attention.sinks.size() == 1 ? 0 : static_cast<size_t>(head)]);
  ASSERT_NEAR(record.lse(layer, head, q), std::log(sum + sink), 2e-5) << layer << ' ' << head;
  for (int64_t k = 0; k < keys; ++k) {
    const float found = weights[static_cast<size_t>(k)];
    ASSERT_NEAR(found, expected[static_cast<size_t>(k)] / (sum + sink), 2e-5) << q << ' ' << k;
    if (!sees(attention, q, k)) {
      ASSERT_EQ(found, 0.0f) << q << ' ' << k;
    }
    shown += double{found};
  }
  ASSERT_NEAR(shown, sum / (sum + sink), 2e-5);
}

TEST(AttentionScenarios, WeightsAreThoseOfTheRule) {
  for (const Case& c : cases()) {
    for (const std::string& backend : accepting(c.attention)) {
      SCOPED_TRACE(std::string(c.name) + " on " + backend);
      const RunOf run(scenario_of(c.attention, backend));
      for (size_t request = 0; request < 2; ++request)
        for (int64_t layer = 0; layer < 2; ++layer)
          for (int64_t head = 0; head < 4; ++head)
            for (int64_t q = 0; q < run.record(request).num_rows(); q += 3)
              expect_row(
                  computed_by(c.attention, backend, q < run.shot.requests[request].prompt_len),
                  run.record(request), layer, head, q);
    }
  }
}

TEST(AttentionScenarios, EveryRuleRunsSomewhere) {
  using testing::ElementsAre;
  const std::vector<Case> all = cases();
  EXPECT_THAT(accepting(all[0].attention),
              ElementsAre("torch_sdpa", "xformers", "reference", "unified"));     // window
  EXPECT_THAT(accepting(all[1].attention), ElementsAre("reference", "unified"));  // soft cap
  EXPECT_THAT(accepting(all[2].attention),
              ElementsAre("torch_sdpa", "xformers", "reference", "unified"));     // ALiBi
  EXPECT_THAT(accepting(all[3].attention), ElementsAre("reference", "unified"));  // sinks
  EXPECT_THAT(accepting(all[5].attention),
              ElementsAre("torch_sdpa", "xformers", "reference", "unified"));     // encoder
  EXPECT_THAT(accepting(all[8].attention), ElementsAre("reference", "unified"));  // block-sparse
}

// Checks 200 random cells of each rule.
TEST(AttentionScenarios, CellsHaveTheSameBitsEverywhere) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const RunOf run(scenario_of(c.attention, "unified"));
    const AttentionRecord& record = run.record(0);
    const int64_t rows = record.num_rows();
    std::vector<float> whole(static_cast<size_t>(rows * rows)), row(static_cast<size_t>(rows));
    record.weights(1, 2, 0, rows, 0, rows, whole.data());
    Rng rng(17);
    for (int i = 0; i < 200; ++i) {
      const auto q = static_cast<int64_t>(rng.below(static_cast<uint64_t>(rows)));
      const auto k = static_cast<int64_t>(rng.below(static_cast<uint64_t>(rows)));
      const float expected = whole[static_cast<size_t>(q * rows + k)];
      record.weights(1, 2, q, 1, 0, rows, row.data());
      ASSERT_EQ(row[static_cast<size_t>(k)], expected) << q << ' ' << k;
      const WeightOperands cell = record.operands(1, 2, q, k);
      ASSERT_EQ(cell.masked, !sees(c.attention, q, k));
      ASSERT_EQ(cell.weight, expected) << q << ' ' << k;
      if (cell.masked) continue;
      ASSERT_EQ(cell.dot, score_dot(cell.query.data(), cell.key.data(), 32));
      ASSERT_NEAR(std::exp(double{cell.score} - double{cell.lse}), cell.weight,
                  1e-6 * cell.weight + 1e-12);
    }
  }
}

TEST(AttentionScenarios, EncodersKeepNoCacheAndDecodeNothing) {
  Scenario scenario = scenario_of(cases()[5].attention, "unified");
  const RunOf run(scenario);
  for (const RequestView& request : run.shot.requests) {
    EXPECT_EQ(request.state, RequestState::kFinishedLengthCapped);
    EXPECT_EQ(request.num_computed, request.prompt_len);
    EXPECT_EQ(request.attention->num_rows(), request.prompt_len);
    EXPECT_EQ(request.tokens->size(), static_cast<size_t>(request.prompt_len) + 1);
  }
  ASSERT_EQ(run.shot.steps->size(), 1u);
  EXPECT_EQ(run.shot.steps->front().decode_tokens, 0);
  // While the step computes, its requests hold 9 + 5 blocks of 8 slots.
  ASSERT_TRUE(run.shot.history);
  const auto held = run.shot.history->restore_held(run.shot, 1);
  ASSERT_TRUE(held);
  EXPECT_EQ(std::ranges::count(held->blocks, 1, &BlockView::ref_count), 14);
  for (const BlockView& block : held->blocks) {
    EXPECT_EQ(block.filled, 0);
    EXPECT_EQ(block.last_write_step, 0u);
    EXPECT_EQ(block.last_read_step, 0u);
  }
  std::vector<int64_t> slots(static_cast<size_t>(run.engine->cache().spec().num_blocks * 8));
  for (size_t i = 0; i < slots.size(); ++i) slots[i] = static_cast<int64_t>(i);
  std::vector<float> keys(slots.size() * 2 * 32, 1.0f);
  run.engine->cache().backend().read_keys(run.engine->cache().layer(0), slots, keys.data());
  for (const float key : keys) ASSERT_EQ(key, 0.0f);
  EXPECT_THAT(run.recorder.messages(), Contains(HasSubstr("Encoder attention has no KV cache")));

  scenario.engine.max_num_batched_tokens = 70;  // one request per step
  const RunOf split(scenario);
  EXPECT_EQ(split.shot.steps->size(), 2u);
  for (size_t request = 0; request < 2; ++request) {
    const int64_t rows = run.record(request).num_rows();
    std::vector<float> one(static_cast<size_t>(rows * rows)), two(one);
    run.record(request).weights(1, 3, 0, rows, 0, rows, one.data());
    split.record(request).weights(1, 3, 0, rows, 0, rows, two.data());
    EXPECT_EQ(one, two);
  }
  EXPECT_THROW(run.engine->add_request(test::synthetic_scenario({9}, 4).requests[0]), Error);
}

TEST(AttentionScenarios, ADecoderOfOneCacheTypeOrAnotherShowsWhatItComputed) {
  for (const char* dtype : {"bf16", "f16"}) {
    for (const size_t which : {size_t{0}, size_t{2}, size_t{5}}) {
      SCOPED_TRACE(std::string(cases()[which].name) + " " + dtype);
      Scenario scenario = scenario_of(cases()[which].attention, "unified");
      scenario.engine.kv_cache_dtype = dtype;
      const RunOf run(scenario);
      for (int64_t q = 0; q < run.record(1).num_rows(); q += 5)
        expect_row(cases()[which].attention, run.record(1), 1, 3, q);
    }
  }
}

TEST(AttentionScenarios, BackendsRefuseWithTheirSentences) {
  for (const auto& [which, backend, sentence] :
       {std::tuple{size_t{0}, "pallas", "no sliding window"},
        std::tuple{size_t{1}, "xformers", "no logits soft cap"},
        std::tuple{size_t{2}, "pallas", "no ALiBi"},
        std::tuple{size_t{3}, "torch_sdpa", "no attention sinks"},
        std::tuple{size_t{5}, "pallas", "DECODER attention only"},
        std::tuple{size_t{8}, "torch_sdpa", "TORCH_SDPA has no block-sparse attention."},
        std::tuple{size_t{8}, "xformers", "XFORMERS has no block-sparse attention"},
        std::tuple{size_t{8}, "pallas", "PALLAS has no block-sparse attention"}}) {
    Scenario scenario = scenario_of(cases()[which].attention, backend);
    scenario.source.synthetic->head_size = 128;
    try {
      const RunOf run(scenario);
      FAIL() << backend;
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), 3);
      EXPECT_THAT(error.sentences(), Contains(HasSubstr(sentence)));
    }
  }
}

TEST(AttentionScenarios, AModelRunsWithAWarning) {
  Scenario scenario = test::model_scenario({"Once upon a time, there was a dog."}, 4);
  scenario.attention.sliding_window = 5;
  const RunOf run(scenario);
  EXPECT_THAT(run.recorder.messages(),
              Contains(HasSubstr("was not trained with a sliding window of 5 tokens")));
  for (int64_t q = 0; q < run.record(0).num_rows(); ++q)
    expect_row(scenario.attention, run.record(0), 2, 1, q);
  scenario.attention = {};
  scenario.attention.blocksparse = BlockSparse{};
  EXPECT_THAT(attention_warnings(scenario, true),
              Contains(HasSubstr("was not trained with block-sparse attention")));
  scenario.attention = {};
  EXPECT_TRUE(attention_warnings(scenario, true).empty());
  scenario.attention.sinks = {1, 2, 3};
  EXPECT_NO_THROW(validate(scenario));
  EXPECT_THROW(RunOf{scenario}, Error);
}

TEST(AttentionScenarios, ComparisonsGoByTheRule) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    CompareSpec spec;
    spec.scenario = scenario_of(c.attention, "unified");
    spec.backends = {"unified", "reference"};
    const CompareResult result = run_compare(spec);
    ASSERT_EQ(result.baseline, "UNIFIED");
    EXPECT_EQ(result.columns[1].out.outside, 0);
    EXPECT_EQ(result.attention, attention_text(c.attention, result.shape));
    EXPECT_THAT(compare_csv(result), HasSubstr("unified,UNIFIED,attention,,"));
    double pairs = 0;
    for (const CompareRequest& request : result.requests)
      for (int64_t q = 0; q < request.rows; ++q)
        for (int64_t k = 0; k < request.rows; ++k) pairs += sees(c.attention, q, k) ? 1 : 0;
    EXPECT_EQ(result.needed_pairs, pairs * 2 * 4);
    const RunOf run(spec.scenario);
    const DifferenceMap map = weight_differences(result, 1, 0, 1, 2);
    ASSERT_EQ(map.rows, run.record(0).num_rows());
    EXPECT_LT(map.max_abs, 2e-5);
    for (int64_t q = 0; q < map.rows; ++q)
      for (int64_t k = 0; k < map.columns; ++k) {
        ASSERT_EQ(map.masked(q, k), !sees(c.attention, q, k)) << q << ' ' << k;
        if (map.masked(q, k)) {
          ASSERT_EQ(map.values[static_cast<size_t>(q * map.columns + k)], 0.0f);
        }
      }
  }
}

// TORCH_SDPA ignores the cap.
TEST(AttentionScenarios, AComparisonShowsWhatIgnoringTheCapDoes) {
  CompareSpec spec;
  spec.scenario = scenario_of(cases()[1].attention, "reference");
  spec.scenario.engine.extended = true;
  spec.backends = {"torch_sdpa", "unified"};
  spec.against_reference = true;
  const CompareResult result = run_compare(spec);
  EXPECT_GT(result.columns[0].out.outside, 0);
  EXPECT_EQ(result.columns[1].out.outside, 0);
  spec.scenario.engine.backend = "torch_sdpa";
  const RunOf ignoring(spec.scenario);
  spec.scenario.engine.backend = "reference";
  const RunOf capped(spec.scenario);
  const DifferenceMap map = weight_differences(result, 0, 1, 0, 3);
  EXPECT_GT(map.max_abs, 0.01);
  const int64_t rows = 33;
  std::vector<float> with(static_cast<size_t>(rows * rows)), without(with);
  ignoring.record(1).weights(0, 3, 0, rows, 0, rows, without.data());
  capped.record(1).weights(0, 3, 0, rows, 0, rows, with.data());
  for (int64_t q = 0; q < rows; ++q)
    for (int64_t k = 0; k < rows; ++k) {
      const auto at = static_cast<size_t>(q * rows + k);
      ASSERT_EQ(map.values[static_cast<size_t>(q * map.columns + k)], without[at] - with[at]);
    }
}

TEST(AttentionScenarios, ReportsCarryTheRule) {
  const RunOf run(scenario_of(cases()[4].attention, "unified"));
  const std::string csv = heatmap_csv(run.shot.requests[0], 1, 2);
  const std::string head = csv.substr(0, csv.find('\n'));
  EXPECT_TRUE(head.ends_with(",first_key,last_key,sliding_window,alibi_slope,soft_cap,sink"));
  EXPECT_TRUE(csv.ends_with(",65,77,13,0.015625,1.5,2\n")) << csv.substr(csv.size() - 60);
  ReportInputs inputs;
  inputs.snapshot = &run.shot;
  const auto manifest = nlohmann::json::parse(manifest_json(inputs, {}));
  EXPECT_EQ(manifest["attention"]["sliding_window_tokens"], 13);
  EXPECT_EQ(manifest["attention"]["logits_soft_cap"], 1.5);
  EXPECT_EQ(manifest["attention"]["alibi_slopes"].size(), 4u);
  EXPECT_EQ(manifest["attention"]["sinks"], nlohmann::json({0.5, -1, 2, 3}));
  Scenario ignores = scenario_of(cases()[1].attention, "torch_sdpa");
  ignores.engine.extended = true;
  const RunOf ignoring(ignores);
  inputs.snapshot = &ignoring.shot;
  EXPECT_FALSE(
      nlohmann::json::parse(manifest_json(inputs, {}))["attention"].contains("logits_soft_cap"));
}

}  // namespace
}  // namespace attn
