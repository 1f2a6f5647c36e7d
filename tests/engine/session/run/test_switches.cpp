// SPDX-License-Identifier: GPL-3.0-or-later
// Runs with the engine's options for backends: padding of heads, captured plans, scales of
// quantised caches and what they round or saturate, and the modelled TPU.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>

#include "backends/pallas/tpu/tpu_model.h"
#include "engine/core/error.h"
#include "engine/session/compare/compare.h"
#include "engine/session/report/report.h"
#include "engine/session/run/parts/run_rounding.h"
#include "engine/session/run/parts/run_trace.h"
#include "engine/session/run/run_memory.h"
#include "tests/engine/session/session_support.h"

namespace attn {
namespace {

using test::model_scenario;
using test::synthetic_scenario;
using ::testing::HasSubstr;

const std::vector<std::string> kSwitchedPrompts = {
    "Once upon a time, there was a little girl named Lily.", "Tom and his dog went to the beach.",
    "The"};

struct Ran {
  explicit Ran(const Scenario& scenario, std::shared_ptr<Source> source = nullptr)
      : recorder(num_workers(scenario)),
        engine(scenario, source ? source : load_source(scenario), options()) {
    engine.run_to_end();
    recorder.drain();
  }
  EngineOptions options() {
    EngineOptions options;
    options.recorder = &recorder;
    return options;
  }
  std::vector<std::vector<int32_t>> tokens() const {
    std::vector<std::vector<int32_t>> tokens;
    for (const auto& request : engine.scheduler().requests()) tokens.push_back(request->output_ids);
    return tokens;
  }
  int64_t events(EventKind kind) {
    return std::ranges::count_if(recorder.sorted(),
                                 [&](const TraceEvent& event) { return event.kind == kind; });
  }
  int64_t spans(EventKind kind, KernelId kernel) {
    return std::ranges::count_if(recorder.sorted(), [&](const TraceEvent& event) {
      return event.kind == kind && event.lane == kEngineLane &&
             event.a == static_cast<uint32_t>(kernel);
    });
  }
  int64_t kernels(KernelId kernel) { return spans(EventKind::kKernel, kernel); }
  int64_t plans(KernelId kernel) { return spans(EventKind::kTask, kernel); }
  std::string messages() const {
    std::string all;
    for (const std::string& message : recorder.messages()) all += message + "\n";
    return all;
  }
  Recorder recorder;
  Engine engine;
};

void expect_whole_rows(const Engine& engine, double tolerance, uint32_t request = 0) {
  const auto record = engine.attention(request);
  const int64_t rows = record->num_rows();
  std::vector<float> row(static_cast<size_t>(rows));
  for (int64_t layer = 0; layer < record->shape().num_layers; ++layer)
    for (int64_t head = 0; head < record->shape().num_heads; ++head)
      for (int64_t query = 0; query < rows; ++query) {
        ASSERT_TRUE(record->row_done(layer, head, query));
        record->weights(layer, head, query, 1, 0, rows, row.data());
        double sum = 0;
        for (const float weight : row) sum += static_cast<double>(weight);
        ASSERT_NEAR(sum, 1, tolerance) << layer << ' ' << head << ' ' << query;
      }
}

TEST(Switches, PallasRunsTheBundledModelWithPaddedHeads) {
  Scenario scenario = model_scenario(kSwitchedPrompts, 12);
  const auto source = load_source(scenario);
  const Ran plain(scenario, source);
  scenario.engine.backend = "pallas";
  EXPECT_THROW(Ran(scenario, source), Error);  // heads of 64 are refused
  scenario.engine.pad_head_size = true;
  Ran padded(scenario, source);
  EXPECT_EQ(padded.tokens(), plain.tokens());
  EXPECT_GT(padded.kernels(KernelId::kPallasFlash), 0);
  EXPECT_GT(padded.kernels(KernelId::kPallasPagedDecode), 0);
  EXPECT_EQ(source->shape().head_size, 64);
  const EngineSnapshot shot = padded.engine.snapshot(EnginePhase::kFinished);
  EXPECT_EQ(shot.cache_head_size, 128);
  EXPECT_EQ(shot.cache_bytes, 2 * plain.engine.cache().spec().num_layers * 64 * 16 *
                                  source->shape().num_kv_heads * 64 * 2 * 4);
  EXPECT_THAT(padded.messages(),
              HasSubstr("because PALLAS does not take heads of 64. The output stays the same, so "
                        "nothing needs to be done. The KV cache is 2 times as large"));
  EXPECT_EQ(plain.messages().find("times as large"), std::string::npos);
  expect_whole_rows(padded.engine, 2e-5);
}

TEST(Switches, WeightsOfPaddedHeadsAreThoseOfPlainOnes) {
  Scenario scenario = synthetic_scenario({40}, 4);
  scenario.source.synthetic->head_size = 48;  // torch_sdpa pads it to 64
  scenario.engine.pad_head_size = true;
  const auto source = load_source(scenario);
  Engine padded(scenario, source, {});
  scenario.engine.backend = "reference";
  Engine plain(scenario, source, {});
  const auto expect_same = [&](int64_t rows) {
    std::vector<float> found(static_cast<size_t>(rows * rows)), expected(found.size());
    for (int64_t head = 0; head < 4; ++head) {
      padded.attention(0)->weights(1, head, 0, rows, 0, rows, found.data());
      plain.attention(0)->weights(1, head, 0, rows, 0, rows, expected.data());
      for (size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], 1e-5) << i;
    }
    EXPECT_GT(found[0], 0.99f);
  };
  ASSERT_TRUE(padded.step());
  ASSERT_TRUE(plain.step());
  EXPECT_EQ(padded.cache().spec().head_size, 64);
  expect_same(40);
  padded.run_to_end();
  plain.run_to_end();
  expect_same(43);
}

TEST(Switches, CapturedPlansGiveTheSameTokensAndAreSeen) {
  Scenario scenario = model_scenario(kSwitchedPrompts, 10);
  const auto source = load_source(scenario);
  for (const char* backend : {"torch_sdpa", "xformers", "unified"}) {
    scenario.engine.backend = backend;
    scenario.engine.use_captured_plan = false;
    Ran plain(scenario, source);
    scenario.engine.use_captured_plan = true;
    Ran captured(scenario, source);
    EXPECT_EQ(captured.tokens(), plain.tokens()) << backend;
    EXPECT_EQ(plain.events(EventKind::kPlanReplayed), 0);
    EXPECT_EQ(plain.plans(KernelId::kPlanReplay), 0);
    const auto& steps = captured.engine.steps();
    int64_t decodes = 0;
    for (const StepRecord& step : steps) {
      const bool decode = step.prefill_tokens == 0 && step.sequences > 0;
      decodes += decode;
      EXPECT_EQ(step.captured_rows, decode ? AttentionState::padded_batch(step.sequences) : 0)
          << backend;
      EXPECT_GT(step.plan_ns, 0u);
    }
    EXPECT_GT(decodes, 5);
    // One replay per decode step, whatever the number of layers.
    EXPECT_EQ(captured.events(EventKind::kPlanReplayed), decodes) << backend;
    EXPECT_EQ(captured.plans(KernelId::kPlanReplay), decodes);
    EXPECT_EQ(captured.plans(KernelId::kPlan), static_cast<int64_t>(steps.size()) - decodes);
    EXPECT_GT(captured.events(EventKind::kPlanCaptured), 0);
    expect_whole_rows(captured.engine, 2e-5);
    EXPECT_EQ(plain.plans(KernelId::kPlan), static_cast<int64_t>(plain.engine.steps().size()));
  }
}

// A plan of four rows is replayed with four requests and then with three. Its last row is then
// padding and belongs to no request.
TEST(Switches, PaddingRowsOfACapturedPlanAreNotRecorded) {
  Scenario scenario = synthetic_scenario({20, 9, 7, 5}, 8);
  scenario.requests[3].max_tokens = 4;
  scenario.engine.use_captured_plan = true;
  for (const char* backend : {"torch_sdpa", "xformers", "unified"}) {
    scenario.engine.backend = backend;
    Ran ran(scenario);
    EXPECT_TRUE(std::ranges::any_of(ran.engine.steps(), [](const StepRecord& step) {
      return step.captured_rows == 4 && step.sequences == 3;
    }));
    for (uint32_t request = 0; request < 4; ++request) expect_whole_rows(ran.engine, 2e-5, request);
  }
}

TEST(Switches, CapturedPlansWithPaddedHeadsAndWithoutPlans) {
  Scenario scenario = synthetic_scenario({20, 9}, 6);
  scenario.source.synthetic->head_size = 48;
  scenario.engine.pad_head_size = scenario.engine.use_captured_plan = true;
  Ran padded(scenario);
  EXPECT_GT(padded.events(EventKind::kPlanReplayed), 0);
  expect_whole_rows(padded.engine, 2e-5);
  scenario.engine.backend = "reference";
  Ran without(scenario);
  EXPECT_EQ(without.events(EventKind::kPlanReplayed), 0);
  EXPECT_THAT(without.messages(), HasSubstr("has no captured plans"));
}

TEST(Switches, CapturedPlansAreCountedInTheMemoryOfARun) {
  Scenario scenario = model_scenario(kSwitchedPrompts, 10);
  const auto source = load_source(scenario);
  const auto bytes_of_engine = [&] {
    const int64_t before = AlignedBuffer::bytes_alive();
    const Engine engine(scenario, source, {});
    return AlignedBuffer::bytes_alive() - before;
  };
  const int64_t plain = bytes_of_engine();
  scenario.engine.use_captured_plan = true;
  const auto plans = static_cast<double>(bytes_of_engine() - plain);
  EXPECT_GT(plans, 0);
  const KvStorageSpec spec =
      storage_spec(scenario, source->shape(), backend_named(scenario.engine.backend));
  const std::vector<int64_t> prompts(kSwitchedPrompts.size(), 20);
  const RunMemory need = run_memory(scenario, source->shape(), spec, prompts, {.attention = true});
  EXPECT_GE(need.plan_bytes, plans);
  EXPECT_LE(need.plan_bytes, 2 * plans);
  scenario.engine.use_captured_plan = false;
  EXPECT_EQ(run_memory(scenario, source->shape(), spec, prompts, {.attention = true}).plan_bytes,
            0);
}

// The weights of a row add up to 1 only if they are computed again with the scale that the kernel
// used.
TEST(Switches, QuantisedCachesKeepTheirScales) {
  Scenario scenario = synthetic_scenario({40}, 6);
  const auto source = load_source(scenario);
  const auto messages = [&](const char* dtype, double scale, std::vector<double> head_scales = {}) {
    scenario.engine.backend = "unified";
    scenario.engine.kv_cache_dtype = dtype;
    scenario.engine.k_scale = scenario.engine.v_scale = scale;
    scenario.engine.k_head_scales = std::move(head_scales);
    return Ran(scenario, source).messages();
  };
  for (const char* dtype : {"fp8_e4m3", "fp8_e5m2", "int8"}) {
    SCOPED_TRACE(dtype);
    scenario.engine.backend = "unified";
    scenario.engine.kv_cache_dtype = dtype;
    scenario.engine.k_scale = 0.0625;
    scenario.engine.v_scale = 0.125;
    const Ran run(scenario, source);
    EXPECT_EQ(run.messages(), "");  // nothing saturated
    ASSERT_EQ(run.engine.cache().layer(0).scales->k_scale, 0.0625f);
    expect_whole_rows(run.engine, 2e-5);
  }
  EXPECT_THAT(messages("fp8_e4m3", 1e-4), HasSubstr("outside the range of the fp8_e4m3 cache"));
  EXPECT_THAT(messages("int8", 1e-3), HasSubstr("outside the range of the int8 cache"));
  // The first step, a prompt of 40 tokens, has its own sentence; the sum includes the 5 steps after
  // it.
  const std::string all = messages("int8", 1e-12);
  static const std::regex first(
      "([0-9]+) numbers among the keys and values of step 1 were outside the range of the int8 "
      "cache "
      "and became the nearest number in it");
  static const std::regex sum(
      "In total, ([0-9]+) numbers among the keys and values of 6 steps were outside the range of "
      "the int8 cache");
  std::smatch of_first, of_all;
  ASSERT_TRUE(std::regex_search(all, of_first, first)) << all;
  ASSERT_TRUE(std::regex_search(all, of_all, sum)) << all;
  EXPECT_EQ(std::stoll(of_all[1]) * 40, std::stoll(of_first[1]) * 45) << all;
  EXPECT_EQ(std::ranges::count(all, '\n'), 2) << all;
  for (const char* dtype : {"fp8_e4m3", "fp8_e5m2", "int8"}) {
    const std::string text = messages(dtype, 1e30);
    EXPECT_THAT(text, HasSubstr("the scale of the keys (k_scale) is too large"));
    EXPECT_THAT(text, HasSubstr("the scale of the values (v_scale) is too large"));
    EXPECT_EQ(text.find("k_scale"), text.rfind("k_scale")) << text;
  }
  EXPECT_EQ(messages("int8", 0.125, {0.0625, 0.125}), "");
  EXPECT_THAT(messages("int8", 0.125, {0.0625, 1e-4}),
              HasSubstr("outside the range of the int8 cache"));
}

TEST(Switches, SaturatedNumbersAreCountedByLayerAndHead) {
  Scenario scenario = synthetic_scenario({40}, 6);
  scenario.engine.backend = "unified";
  EXPECT_EQ(Ran(scenario).engine.snapshot(EnginePhase::kFinished).rounding, nullptr);
  scenario.engine.kv_cache_dtype = "int8";
  scenario.engine.k_head_scales = {0.0625, 1e-12};
  scenario.engine.v_scale = 0.125;
  const Ran run(scenario);
  const EngineSnapshot shot = run.engine.snapshot(EnginePhase::kFinished);
  ASSERT_NE(shot.rounding, nullptr);
  const SourceShape& shape = shot.source;
  ASSERT_EQ(shape.num_kv_heads, 2);
  std::string expected = "layer,kv_head,part,nonzero,saturated,became_zero\n";
  for (int64_t layer = 0; layer < shape.num_layers; ++layer)
    for (int64_t head = 0; head < 2; ++head) {
      const auto at = static_cast<size_t>(2 * layer + head);
      const RoundingCounts &keys = shot.rounding->keys[at], &values = shot.rounding->values[at];
      EXPECT_EQ(keys.saturated, head == 0 ? 0 : keys.nonzero()) << layer << ' ' << head;
      EXPECT_LE(keys.nonzero(), 45 * shape.head_size);
      EXPECT_GT(keys.nonzero(), 44 * shape.head_size);
      EXPECT_EQ(values.saturated, 0);
      for (const bool is_key : {true, false}) {
        const RoundingCounts& counts = is_key ? keys : values;
        expected += fmt::format("{},{},{},{},{},{}\n", layer, head, is_key ? "keys" : "values",
                                counts.nonzero(), counts.saturated, counts.vanished);
      }
    }
  EXPECT_EQ(rounding_csv(*shot.rounding), expected);
}

TEST(Switches, KeysAndValuesThatBecomeZeroAreEachToldOnce) {
  Recorder recorder(1);
  RunClock clock(ClockKind::kVirtual, 1);
  const uint32_t step = 1;
  const RunTrace trace(&recorder, clock, step, true);
  RunRounding rounding(DType::kI8, 1, 1);
  const auto run_step = [&](float key, float value) {
    Tensor keys(DType::kF32, {1, 1, 1}), values(DType::kF32, {1, 1, 1});
    keys.data<float>()[0] = key;
    values.data<float>()[0] = value;
    rounding.begin_step();
    rounding.round_rows(0, {}, keys, values);
    rounding.warn_of_step(trace);
    return recorder.messages().size();
  };
  constexpr float kLarge = 1, kSmall = 0.01f;  // int8 with scale 1 rounds only kSmall to 0
  EXPECT_EQ(run_step(kLarge, kLarge), 0u);
  EXPECT_EQ(run_step(kSmall, kLarge), 1u);
  EXPECT_EQ(run_step(kSmall, kSmall), 2u);
  EXPECT_EQ(run_step(kSmall, kSmall), 2u);
  EXPECT_THAT(recorder.messages().back(), HasSubstr("of the values were rounded to 0"));
}

TEST(Switches, HeadScalesOfAModelAreCounted) {
  Scenario scenario = model_scenario({"The"}, 2);
  scenario.engine.backend = "unified";
  scenario.engine.kv_cache_dtype = "int8";
  scenario.engine.k_head_scales = {1, 1, 1, 1, 1};
  try {
    Engine engine(scenario, {});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.parts().where, "$.engine.k_head_scales");
    EXPECT_EQ(error.parts().found, "5 scales");
  }
  try {
    Engine engine(parse_scenario(to_json(scenario), "five.json"), {});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.parts().where, "five.json, $.engine.k_head_scales");
  }
}

TEST(Switches, ModelledTpuTimeIsThatOfTheModel) {
  using namespace backends::pallas;
  Scenario scenario = synthetic_scenario({300}, 3);
  scenario.source.synthetic->head_size = 128;
  scenario.engine.backend = "pallas";
  const auto source = load_source(scenario);
  const auto modelled = [&](TpuVersion version) {
    scenario.engine.backend_options["tpu"] = name_of(version);
    Ran run(scenario, source);
    // The prefill: one prompt of 300 rows, padded to 304, in each of two layers.
    const auto& chip = tpu_chip(version);
    const double expected = 2 * model_flash(chip, {4, 2, 128, 2}, 0, 304).modelled_ns;
    EXPECT_DOUBLE_EQ(run.engine.steps()[0].modelled_device_ns, expected);
    const EngineSnapshot shot = run.engine.snapshot(EnginePhase::kFinished);
    EXPECT_EQ(shot.modelled_device, "TPU " + std::string(name_of(version)));
    const std::string csv = steps_csv(shot);
    EXPECT_THAT(csv, HasSubstr("modelled_tpu_" + std::string(name_of(version)) + "_us\n"));
    EXPECT_THAT(csv, HasSubstr("," + format_double(1e-3 * expected) + "\n"));
    return run.engine.steps()[0].modelled_device_ns;
  };
  EXPECT_GT(modelled(TpuVersion::kV5e), modelled(TpuVersion::kV6e));
  scenario.engine.backend = "torch_sdpa";
  Ran run(scenario, source);
  EXPECT_EQ(run.engine.steps()[0].modelled_device_ns, 0);
  EXPECT_EQ(steps_csv(run.engine.snapshot(EnginePhase::kFinished)).find("modelled"),
            std::string::npos);
}

TEST(Switches, ComparisonsPadEveryColumnByItself) {
  CompareSpec spec;
  spec.scenario = model_scenario({"Once upon a time, there was a cat."}, 4);
  spec.scenario.engine.pad_head_size = true;
  spec.scenario.engine.backend_options["tpu"] = "v5e";
  spec.backends = {"torch_sdpa", "pallas"};
  for (const bool against_reference : {false, true}) {
    spec.against_reference = against_reference;
    const CompareResult result = run_compare(spec);
    ASSERT_EQ(result.columns.size(), 2u);
    const CompareColumn &torch = result.columns[0], &pallas = result.columns[1];
    ASSERT_TRUE(pallas.ran());
    EXPECT_EQ(pallas.cache_bytes, 2 * torch.cache_bytes);
    EXPECT_EQ(pallas.out.outside, 0);
    EXPECT_LT(pallas.out.max_abs, 1e-4);
    EXPECT_EQ(torch.modelled_device_ns, 0);
    EXPECT_GT(pallas.modelled_device_ns, 0);
    const std::string csv = compare_csv(result);
    EXPECT_THAT(csv, HasSubstr("pallas"));
    EXPECT_THAT(csv, HasSubstr(",modelled_tpu_v5e_us,," +
                               format_double(1e-3 * pallas.modelled_device_ns) + ",us modelled,"));
    const DifferenceMap map = weight_differences(result, 1, 0, 0, 0);
    ASSERT_FALSE(map.values.empty()) << map.why;
    EXPECT_LT(map.max_abs, 1e-5f);
  }
}

}  // namespace
}  // namespace attn
