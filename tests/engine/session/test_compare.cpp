// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons of backends, some of them with a known fault: times, differences, refusals, CSV, and
// comparisons as a job of the runner.
#include "engine/session/compare/compare.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <sstream>

#include "engine/core/error.h"
#include "engine/session/compare/compare_cache.h"
#include "engine/session/run/engine_runner.h"
#include "tests/engine/model/expect_error.h"
#include "tests/engine/session/session_support.h"

namespace attn {
namespace {

using namespace std::chrono_literals;
using test::model_scenario;
using test::synthetic_scenario;
using test::wait_until;

// torch_sdpa, with a fault applied to what it has written; with refusals it refuses every setup.
class FaultyBackend : public AttentionBackend {
 public:
  using Fault = std::function<void(const AttentionMetadata&, const AttentionOutputs&, int layer)>;
  FaultyBackend(std::string name, Fault fault, std::vector<std::string> refusals = {})
      : name_(std::move(name)), fault_(std::move(fault)), refusals_(std::move(refusals)) {}

  std::string_view name() const override { return name_; }
  std::string_view display_name() const override { return name_; }
  std::string_view description() const override { return "A backend with a known fault."; }
  std::vector<int64_t> supported_head_sizes() const override { return {}; }
  BackendCapabilities capabilities() const override { return base().capabilities(); }
  std::vector<std::string> not_supported_reasons(const AttentionConfig&) const override {
    return refusals_;
  }
  std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig& config) const override {
    return std::make_unique<Impl>(base().make_impl(config), fault_);
  }
  Shape kv_cache_shape(int64_t blocks, int64_t size, int64_t heads, int64_t width) const override {
    return base().kv_cache_shape(blocks, size, heads, width);
  }
  void swap_blocks(const KvCacheView& src, const KvCacheView& dst,
                   std::span<const BlockPair> pairs) const override {
    base().swap_blocks(src, dst, pairs);
  }
  void copy_blocks(std::span<const KvCacheView> caches,
                   std::span<const BlockPair> pairs) const override {
    base().copy_blocks(caches, pairs);
  }
  void read_keys(const KvCacheView& cache, std::span<const int64_t> slots,
                 float* keys) const override {
    base().read_keys(cache, slots, keys);
  }
  void read_values(const KvCacheView& cache, std::span<const int64_t> slots,
                   float* values) const override {
    base().read_values(cache, slots, values);
  }
  void write_rows(const KvCacheView& cache, std::span<const int64_t> slots, const float* keys,
                  const float* values) const override {
    base().write_rows(cache, slots, keys, values);
  }

 private:
  static const AttentionBackend& base() { return backend_named("torch_sdpa"); }
  class Impl final : public AttentionImpl {
   public:
    Impl(std::unique_ptr<AttentionImpl> inner, Fault fault)
        : inner_(std::move(inner)), fault_(std::move(fault)) {}
    bool forward(const AttentionInputs& inputs, const AttentionMetadata& metadata,
                 const AttentionOutputs& outputs, const Execution& execution) override {
      if (!inner_->forward(inputs, metadata, outputs, execution)) return false;
      fault_(metadata, outputs, execution.layer);
      return true;
    }

   private:
    std::unique_ptr<AttentionImpl> inner_;
    Fault fault_;
  };
  std::string name_;
  Fault fault_;
  std::vector<std::string> refusals_;
};

constexpr int64_t kHeads = 4, kWidth = 32;

void register_faulty() {
  static const bool once = [] {
    register_all_backends();
    register_backend(std::make_unique<FaultyBackend>(
        "one_off",
        [](const AttentionMetadata& metadata, const AttentionOutputs& outputs, int layer) {
          if (layer != 1 || metadata.context_lens[0] != 0 || metadata.request(0) != 0) return;
          outputs.out->data<float>()[(5 * kHeads + 2) * kWidth + 7] += 0.25f;
        }));
    register_backend(std::make_unique<FaultyBackend>(
        "half_row",
        [](const AttentionMetadata& metadata, const AttentionOutputs& outputs, int layer) {
          if (layer != 0 || metadata.context_lens[0] != 0) return;
          outputs.lse->data<float>()[3 * kHeads + 1] += std::log(2.0f);
        }));
    for (const char* name : {"not_a_number", "also_not_a_number"})
      register_backend(std::make_unique<FaultyBackend>(
          name, [](const AttentionMetadata&, const AttentionOutputs& outputs, int layer) {
            if (layer == 0) outputs.out->data<float>()[0] = std::nanf("");
          }));
    register_backend(std::make_unique<FaultyBackend>(
        "no_sum", [](const AttentionMetadata&, const AttentionOutputs& outputs, int layer) {
          if (layer == 0) outputs.lse->data<float>()[0] = -INFINITY;
        }));
    // Wrong only in batches without prefills.
    register_backend(std::make_unique<FaultyBackend>(
        "wrong_decode",
        [](const AttentionMetadata& metadata, const AttentionOutputs& outputs, int) {
          if (metadata.num_prefills > 0) return;
          for (float& x : outputs.out->span<float>()) x = -x;
        }));
    register_backend(std::make_unique<FaultyBackend>(
        "refuses", [](const AttentionMetadata&, const AttentionOutputs&, int) {},
        std::vector<std::string>{"REFUSES is closed today.", "REFUSES has no keys."}));
    return true;
  }();
  (void)once;
}

CompareSpec spec_of(std::vector<std::string> backends, int64_t max_tokens = 4) {
  register_faulty();
  CompareSpec spec;
  spec.scenario = synthetic_scenario({20, 9}, max_tokens);
  spec.backends = std::move(backends);
  return spec;
}

TEST(Compare, TimesAreMediansOfSeveralRuns) {
  const RepeatedTime even = repeated_time({30, 10, 100, 20});
  EXPECT_EQ(even.ns, 25u);
  EXPECT_EQ(even.least_ns, 10u);
  EXPECT_EQ(even.most_ns, 100u);
  EXPECT_EQ(repeated_time({7, 9, 8}).ns, 8u);

  CompareSpec spec = spec_of({"torch_sdpa", "reference"});
  const CompareResult once = run_compare(spec);
  EXPECT_EQ(once.repetitions, 1);
  EXPECT_EQ(once.columns[0].total.least_ns, once.columns[0].total.most_ns);
  EXPECT_THAT(times_text(once), testing::HasSubstr("measured once, and can"));
  spec.repetitions = 3;
  spec.repeat_within_s = 1000;
  const CompareResult result = run_compare(spec);
  EXPECT_EQ(result.repetitions, 3);
  EXPECT_THAT(times_text(result), testing::HasSubstr("medians of 3 measured runs"));
  EXPECT_THAT(compare_csv(result), testing::HasSubstr("attention_time_most"));
  EXPECT_THAT(compare_csv(result), testing::HasSubstr(",outside_kernels_time,"));
  EXPECT_EQ(result.steps, once.steps);
  EXPECT_EQ(result.tokens, once.tokens);
  EXPECT_EQ(result.needed_pairs, once.needed_pairs);
  for (size_t i = 0; i < 2; ++i) {
    const CompareColumn &column = result.columns[i], &one = once.columns[i];
    EXPECT_EQ(column.is_baseline, one.is_baseline);
    EXPECT_EQ(column.calls, one.calls);
    EXPECT_EQ(column.tiles, one.tiles);
    EXPECT_EQ(column.workspace_bytes, one.workspace_bytes);
    EXPECT_EQ(column.out.compared, one.out.compared);
    EXPECT_EQ(column.out.max_abs, one.out.max_abs);
    EXPECT_GT(column.total.least_ns, 0u);
    EXPECT_LE(column.total.least_ns, column.total.ns);
    EXPECT_LE(column.total.ns, column.total.most_ns);
    for (size_t k = 0; k < column.kernels.size(); ++k)
      EXPECT_EQ(column.kernels[k].calls, one.kernels[k].calls);
    uint64_t parts = one.outside_kernels.ns;
    for (const KernelCost& cost : one.kernels) parts += cost.time.ns;
    EXPECT_EQ(parts, one.total.ns);
    EXPECT_LE(column.outside_kernels.least_ns, column.outside_kernels.ns);
  }
  spec.repeat_within_s = 0;
  const CompareResult short_of_time = run_compare(spec);
  EXPECT_EQ(short_of_time.repetitions, 1);
  EXPECT_THAT(times_text(short_of_time), testing::HasSubstr("would have taken too long"));
  spec.scenario.engine.clock = ClockKind::kVirtual;
  spec.repeat_within_s = 1000;
  const CompareResult modelled = run_compare(spec);
  EXPECT_EQ(modelled.repetitions, 1);
  EXPECT_THAT(times_text(modelled), testing::HasSubstr("modelled"));
}

// A name with a value stands for the backend with this value of an option.
TEST(Compare, OneBackendInTwoWays) {
  CompareSpec spec = spec_of({"unified/invariant", "unified/fast", "xformers"});
  spec.scenario.engine.kv_cache_dtype = "bf16";
  const CompareResult result = run_compare(spec);
  EXPECT_EQ(result.baseline, "UNIFIED invariant");
  const CompareColumn& fast = result.columns[1];
  EXPECT_EQ(fast.name, "unified/fast");
  EXPECT_EQ(fast.display_name, "UNIFIED fast");
  EXPECT_GT(fast.out.unequal, 0);
  EXPECT_EQ(fast.out.outside, 0);
  EXPECT_EQ(fast.lse.outside, 0);
  EXPECT_THAT(result.columns[2].warnings, testing::IsEmpty());

  // A backend without a value has the scenario's value or else the default.
  const auto named_twice = [&](std::vector<std::string> backends) {
    spec.backends = std::move(backends);
    try {
      run_compare(spec);
    } catch (const Error& error) {
      return error.parts().found;
    }
    return std::string("accepted");
  };
  EXPECT_EQ(named_twice({"unified", "unified/invariant"}), "`unified/invariant`");
  EXPECT_EQ(named_twice({"pallas/v4", "pallas"}), "`pallas`, which is pallas/v4");
  spec.scenario.engine.backend_options["exactness"] = "fast";
  EXPECT_EQ(named_twice({"unified/fast", "UNIFIED/fast"}), "`UNIFIED/fast`, which is unified/fast");
  EXPECT_EQ(named_twice({"unified/fast", "unified"}), "`unified`, which is unified/fast");
  spec.backends = {"unified/invariant", "unified", "xformers"};
  const CompareResult all_fast = run_compare(spec);
  EXPECT_EQ(all_fast.columns[1].out.unequal, fast.out.unequal);
  EXPECT_THAT(all_fast.columns[2].warnings,
              testing::Contains("XFORMERS has no option exactness: fast changes nothing here."));
  for (const auto& [name, allowed] :
       {std::pair{"unified/quick", "unified, unified/invariant, unified/fast"},
        {"reference/fast", "reference"}})
    try {
      compared_backend(name);
      ADD_FAILURE() << name << " accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.parts().allowed, allowed);
    }
}

TEST(Compare, TwoRealBackendsAgreeWithinTheTolerance) {
  const CompareResult result = run_compare(spec_of({"torch_sdpa", "reference"}));
  ASSERT_EQ(result.columns.size(), 2u);
  const CompareColumn &first = result.columns[0], &second = result.columns[1];
  EXPECT_TRUE(first.is_baseline);
  EXPECT_EQ(result.baseline, "TORCH_SDPA");
  EXPECT_EQ(first.out.compared, 0);
  // 29 prompt tokens and 2 x 3 decoded ones, in 2 layers.
  EXPECT_EQ(result.tokens, 35);
  EXPECT_EQ(second.out.compared, 35 * 2 * kHeads * kWidth);
  EXPECT_EQ(second.lse.compared, 35 * 2 * kHeads);
  EXPECT_EQ(second.out.outside, 0);
  EXPECT_GT(second.out.max_abs, 0);
  EXPECT_LT(second.out.max_abs, 1e-5);
  EXPECT_LT(second.lse.max_abs, 1e-5);
  for (const CompareColumn& column : result.columns) {
    EXPECT_EQ(column.calls, result.steps * 2);
    EXPECT_GT(column.total.ns, 0u);
    EXPECT_GT(column.tiles, 0);
    EXPECT_GE(column.pairs, result.needed_pairs);
    EXPECT_GT(column.cache_bytes, 0);
    uint64_t kernels = 0;
    for (const KernelCost& cost : column.kernels) kernels += cost.time.ns;
    EXPECT_LE(kernels, column.total.ns);
    EXPECT_GT(kernels, 0u);
  }
  // Visible pairs: 20 * 21 / 2 + 9 * 10 / 2 in the prompts, then decoded rows with 21 to 23 and 10
  // to 12 keys.
  EXPECT_EQ(result.needed_pairs, 2.0 * kHeads * (210 + 45 + 21 + 22 + 23 + 10 + 11 + 12));
  EXPECT_GT(first.workspace_bytes, 0);
}

TEST(Compare, AFaultIsFoundWhereItIs) {
  const CompareResult result = run_compare(spec_of({"torch_sdpa", "one_off"}));
  const Difference& out = result.columns[1].out;
  EXPECT_EQ(out.unequal, 1);
  EXPECT_EQ(out.outside, 1);
  EXPECT_FLOAT_EQ(static_cast<float>(out.max_abs), 0.25f);
  EXPECT_EQ(out.abs_at.step, 1u);
  EXPECT_EQ(out.abs_at.request, 0u);
  EXPECT_EQ(out.abs_at.layer, 1);
  EXPECT_EQ(out.abs_at.head, 2);
  EXPECT_EQ(out.abs_at.query, 5);
  EXPECT_EQ(out.abs_at.d, 7);
  EXPECT_FLOAT_EQ(out.abs_at.value - out.abs_at.baseline, 0.25f);
  EXPECT_EQ(place_text(result, out.abs_at), "request 0, layer 1, head 2, row 5, d 7");
  EXPECT_EQ(result.columns[1].lse.unequal, 0);

  const DifferenceMap map = output_differences(result, 1, 0, 1);
  ASSERT_EQ(map.columns, kHeads);
  EXPECT_EQ(map.rows, 23);  // 20 prompt tokens + 3 decoded
  EXPECT_EQ(map.max_row, 5);
  EXPECT_EQ(map.max_column, 2);
  EXPECT_FLOAT_EQ(map.max_abs, 0.25f);
  for (int64_t i = 0; i < map.rows * map.columns; ++i)
    EXPECT_EQ(map.values[static_cast<size_t>(i)] != 0, i == 5 * kHeads + 2);
}

TEST(Compare, AnotherLogSumExpIsAnotherWeight) {
  const CompareResult result = run_compare(spec_of({"torch_sdpa", "half_row"}));
  EXPECT_NEAR(result.columns[1].lse.max_abs, std::log(2.0), 1e-6);
  EXPECT_EQ(result.columns[1].lse.abs_at.query, 3);
  EXPECT_EQ(result.columns[1].out.unequal, 0);
  const DifferenceMap map = weight_differences(result, 1, 0, 0, 1);
  ASSERT_EQ(map.rows, 23);
  ASSERT_EQ(map.columns, 23);
  double row = 0;
  for (int64_t q = 0; q < map.rows; ++q)
    for (int64_t k = 0; k < map.columns; ++k) {
      const float value = map.values[static_cast<size_t>(q * map.columns + k)];
      if (q != 3 || k > 3)
        EXPECT_EQ(value, 0) << q << ", " << k;
      else
        row += value;
    }
  EXPECT_NEAR(row, -0.5, 1e-6);
  EXPECT_EQ(map.max_row, 3);

  const WeightDifference& weights = result.columns[1].weights;
  EXPECT_EQ(weights.why, "");
  EXPECT_FLOAT_EQ(static_cast<float>(weights.max_abs), map.max_abs);
  EXPECT_EQ(weights.at.layer, 0);
  EXPECT_EQ(weights.at.head, 1);
  EXPECT_EQ(weights.at.query, 3);
  EXPECT_EQ(weights.key, map.max_column);
  EXPECT_FLOAT_EQ(weights.at.value, weights.at.baseline / 2);
  EXPECT_EQ(place_text(result, weights.at), "request 0, layer 0, head 1, row 3");
  EXPECT_THAT(compare_csv(result),
              testing::HasSubstr(fmt::format("weight_max_abs_key,,{},position,", weights.key)));
  CompareSpec without_maps = spec_of({"torch_sdpa", "half_row"});
  without_maps.keep_bytes = 0;
  const CompareResult none = run_compare(without_maps);
  EXPECT_THAT(none.columns[1].weights.why, testing::HasSubstr("too much memory"));
  EXPECT_THAT(compare_csv(none), testing::Not(testing::HasSubstr("weight_max_abs")));
}

TEST(Compare, NotANumberAgreesWithNothing) {
  for (const char* baseline : {"torch_sdpa", "also_not_a_number"}) {
    SCOPED_TRACE(baseline);
    const CompareResult result = run_compare(spec_of({baseline, "not_a_number"}));
    const Difference& out = result.columns[1].out;
    EXPECT_EQ(out.nan, result.steps);
    EXPECT_EQ(out.outside, out.nan);
    EXPECT_TRUE(std::isinf(out.max_abs));
    EXPECT_EQ(out.abs_at.step, 1u);
    EXPECT_THAT(result.notes,
                ::testing::Contains(::testing::HasSubstr("are NaN in not_a_number or")));
  }
}

TEST(Compare, ANumberDiffersInfinitelyFromInfinity) {
  for (const std::vector<std::string>& names :
       {std::vector<std::string>{"no_sum", "torch_sdpa"}, {"torch_sdpa", "no_sum"}}) {
    SCOPED_TRACE(names.front());
    const Difference lse = run_compare(spec_of(names)).columns[1].lse;
    EXPECT_EQ(lse.nan, 0);
    EXPECT_GT(lse.outside, 0);
    EXPECT_TRUE(std::isinf(lse.max_abs) && std::isinf(lse.max_rel));
    EXPECT_EQ(lse.rel_at.step, lse.abs_at.step);
  }
}

TEST(Compare, LogitsThatAreNoNumbersEndTheRun) {
  for (const int kind : {0, 1, 2}) {
    CompareSpec spec = spec_of({"not_a_number", "torch_sdpa"});
    spec.scenario = test::model_scenario({"One day"}, 4);
    spec.scenario.requests[0].sampling.temperature = kind == 1 ? 1 : 0;
    Scenario scenario = spec.scenario;
    scenario.engine.backend = "not_a_number";
    if (kind == 2) scenario.requests[0].beam_width = 2;
    expect_refused({.what = "the model's logits contain NaN or infinity",
                    .where = "request 0, token",
                    .found = "NaN",
                    .allowed = "finite numbers"},
                   [&] { Engine(scenario, {}).run_to_end(); });
    const auto error = error_of([&] { Engine(scenario, {}).run_to_end(); });
    ASSERT_TRUE(error.has_value());
    EXPECT_THAT(error->parts().advice,
                ::testing::HasSubstr("step 1, layer 0, head 0, at position 0 of request 0"));
  }
}

TEST(Compare, RefusalsAreSentencesInPlaceOfNumbers) {
  const CompareResult result = run_compare(spec_of({"refuses", "torch_sdpa", "reference"}));
  const CompareColumn& refused = result.columns[0];
  EXPECT_EQ(refused.refusals,
            (std::vector<std::string>{"REFUSES is closed today.", "REFUSES has no keys."}));
  EXPECT_FALSE(refused.ran());
  EXPECT_EQ(result.baseline, "TORCH_SDPA");
  EXPECT_GT(result.columns[2].out.compared, 0);
  EXPECT_FALSE(weight_differences(result, 0, 0, 0, 0).why.empty());
  const std::string csv = compare_csv(result);
  EXPECT_NE(csv.find("refuses,TORCH_SDPA,refusal,,REFUSES is closed today."), std::string::npos);
}

TEST(Compare, AllMayBeHeldAgainstTheReference) {
  CompareSpec spec = spec_of({"torch_sdpa", "one_off"});
  spec.against_reference = true;
  const CompareResult result = run_compare(spec);
  ASSERT_EQ(result.columns.size(), 2u);
  EXPECT_EQ(result.baseline, "REFERENCE");
  EXPECT_FALSE(result.columns[0].is_baseline);
  EXPECT_GT(result.columns[0].out.compared, 0);
  EXPECT_EQ(result.columns[0].out.outside, 0);
  EXPECT_EQ(result.columns[1].out.outside, 1);
  EXPECT_EQ(output_differences(result, 1, 0, 1).max_row, 5);
}

TEST(Compare, MapsAndTableHaveTheSameLargestDifference) {
  CompareSpec spec;
  register_faulty();
  spec.scenario = model_scenario({"Once upon a time there was a little girl"}, 6);
  spec.backends = {"torch_sdpa", "reference"};
  const CompareResult result = run_compare(spec);
  float largest = 0;
  for (int64_t layer = 0; layer < result.shape.num_layers; ++layer)
    largest = std::max(largest, output_differences(result, 1, 0, layer).max_abs);
  EXPECT_FLOAT_EQ(largest, static_cast<float>(result.columns[1].out.max_abs));
  float weights = 0;
  for (int64_t layer = 0; layer < result.shape.num_layers; ++layer)
    for (int64_t head = 0; head < result.shape.num_heads; ++head)
      weights = std::max(weights, weight_differences(result, 1, 0, layer, head).max_abs);
  EXPECT_FLOAT_EQ(weights, static_cast<float>(result.columns[1].weights.max_abs));
  EXPECT_GT(weights, 0);
}

TEST(Compare, OneLayerAlone) {
  CompareSpec spec = spec_of({"torch_sdpa", "one_off"});
  spec.layer = 0;
  const CompareResult none = run_compare(spec);
  EXPECT_EQ(none.columns[1].out.unequal, 0);
  EXPECT_EQ(none.columns[0].calls, none.steps);
  EXPECT_EQ(none.columns[1].calls, none.steps);
  EXPECT_FALSE(output_differences(none, 1, 0, 1).why.empty());
  spec.layer = 1;
  EXPECT_EQ(run_compare(spec).columns[1].out.unequal, 1);
}

TEST(Compare, WrongNamesAndCountsAreRefused) {
  register_faulty();
  for (const std::vector<std::string>& names :
       {std::vector<std::string>{"torch_sdpa"},
        {"torch_sdpa", "torch_sdpa"},
        {"torch_sdpa", "nobody"},
        {"torch_sdpa", "reference", "one_off", "half_row", "refuses"}})
    EXPECT_THROW(run_compare(spec_of(names)), Error);
  CompareSpec spec = spec_of({"torch_sdpa", "reference"});
  spec.layer = 2;
  EXPECT_THROW(run_compare(spec), Error);
}

TEST(Compare, TheVirtualClockGivesTheSameBytesTwice) {
  CompareSpec spec = spec_of({"torch_sdpa", "reference"});
  spec.scenario.engine.clock = ClockKind::kVirtual;
  const CompareResult result = run_compare(spec);
  EXPECT_TRUE(result.modelled_time);
  EXPECT_EQ(compare_csv(result), compare_csv(run_compare(spec)));
}

TEST(Compare, CsvReadsBackToTheSameNumbers) {
  const CompareResult result = run_compare(spec_of({"torch_sdpa", "one_off"}));
  std::istringstream lines(compare_csv(result));
  std::string line;
  bool found = false;
  while (std::getline(lines, line)) {
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
    if (line.ends_with(',')) cells.emplace_back();
    EXPECT_EQ(cells.size(), 14u) << line;
    if (cells[0] != "one_off" || cells[2] != "output_max_abs") continue;
    found = true;
    EXPECT_EQ(std::stod(cells[4]), result.columns[1].out.max_abs);
    EXPECT_EQ(cells[10], "5");
    EXPECT_EQ(std::stof(cells[12]), result.columns[1].out.abs_at.value);
  }
  EXPECT_TRUE(found);
}

TEST(Compare, CancelsBetweenCalls) {
  CompareSpec spec = spec_of({"torch_sdpa", "reference"}, 50);
  RunGate gate;
  double last = 0;
  const CompareResult result = run_compare(spec, &gate, [&](double fraction, const std::string&) {
    EXPECT_GE(fraction, last);
    EXPECT_LE(fraction, 1.0);
    last = fraction;
    if (fraction > 0.4) gate.cancel();
  });
  EXPECT_TRUE(result.cancelled);
  EXPECT_GT(result.steps, 0u);
  EXPECT_LT(result.steps, 50u);
}

TEST(Compare, RunsAsAJobOfTheRunner) {
  register_faulty();
  EngineRunner runner;
  runner.start(synthetic_scenario({30}, 6), true);
  ASSERT_GE(wait_until(20s, [&] { return runner.gate().held() > 0; }), 0);
  std::atomic<bool> done{false};
  CompareResult result;
  runner.run_job([&](RunGate& gate) {
    result = run_compare(spec_of({"torch_sdpa", "reference"}), &gate);
    done = true;
  });
  ASSERT_GE(wait_until(20s, [&] { return done.load(); }), 0);
  EXPECT_FALSE(result.cancelled);
  EXPECT_EQ(result.columns[1].out.outside, 0);
  runner.gate().run();
  ASSERT_TRUE(runner.wait_finished(20s));
  EXPECT_EQ(runner.snapshot()->generated_tokens, 6);
}

TEST(Compare, AJobEndsWhenARunStartsOrTheRunnerGoes) {
  register_faulty();
  const auto endless = [] {
    CompareSpec spec = spec_of({"torch_sdpa", "reference"}, 100000);
    spec.scenario.source.synthetic->max_model_len = 1000000;
    spec.scenario.engine.num_blocks = 20000;
    return spec;
  };
  std::atomic<int> begun{0}, cancelled{0};
  {
    EngineRunner runner;
    const auto job = [&](RunGate& gate) {
      ++begun;
      if (run_compare(endless(), &gate).cancelled) ++cancelled;
    };
    runner.run_job(job);
    ASSERT_GE(wait_until(20s, [&] { return begun == 1; }), 0);
    runner.start(synthetic_scenario({30}, 2));
    ASSERT_GE(wait_until(20s, [&] { return cancelled == 1; }), 0);
    ASSERT_TRUE(runner.wait_finished(20s));
    EXPECT_EQ(runner.snapshot()->phase, EnginePhase::kFinished);
    runner.run_job(job);
    ASSERT_GE(wait_until(20s, [&] { return begun == 2; }), 0);
    runner.cancel_job();
    ASSERT_GE(wait_until(20s, [&] { return cancelled == 2; }), 0);
    runner.run_job(job);
    ASSERT_GE(wait_until(20s, [&] { return begun == 3; }), 0);
  }
  EXPECT_EQ(cancelled, 3);
}

TEST(CompareCache, AnAnswerThatDiffersIsSaid) {
  register_faulty();
  CacheCompareSpec spec;
  spec.scenario = model_scenario({"Once upon a time, there was a cat."}, 12);
  spec.scenario.engine.backend = "wrong_decode";
  const CacheCompareResult result = compare_cache(spec);
  const CacheCompareAnswer& answer = result.answers[0];
  EXPECT_FALSE(result.same_answers());
  const auto at = static_cast<size_t>(answer.first_difference);
  ASSERT_GT(at, 0u);
  ASSERT_LT(at, answer.without_cache.size());
  EXPECT_NE(answer.with_cache[at], answer.without_cache[at]);
  EXPECT_EQ(answer.compared_rows, answer.first_difference + 1);
  EXPECT_GT(answer.max_difference, 0.1);
}

}  // namespace
}  // namespace attn
