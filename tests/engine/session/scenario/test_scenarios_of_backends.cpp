// SPDX-License-Identifier: GPL-3.0-or-later
// That the runs of the shipped scenarios about backends show what these are about: kernels, calls,
// captured plans, cores, and texts that change with the batch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/session/compare/compare.h"
#include "engine/session/run/engine.h"
#include "tests/support/shipped_scenario.h"

namespace attn {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::SizeIs;

// Runs a shipped scenario by the virtual clock, with at most `max_tokens` new tokens per request.
class ShippedRun {
 public:
  explicit ShippedRun(const std::string& name, int64_t max_tokens = 3)
      : scenario_(shortened(name, max_tokens)),
        recorder_(num_workers(scenario_)),
        engine_(scenario_, options()) {
    engine_.run_to_end();
    recorder_.drain();
    steps_ = *engine_.snapshot(EnginePhase::kFinished).steps;
  }
  // Calls of attention kernels in layer 0 of a step (counted from 1), by kernel; packing does not
  // count.
  std::map<std::string, int> calls(uint32_t step) {
    std::map<std::string, int> calls;
    for (const TraceEvent& event : recorder_.sorted())
      if (event.kind == EventKind::kKernel && event.layer == 0 && event.b == step &&
          kernel_facts(static_cast<KernelId>(event.a)).attention &&
          static_cast<KernelId>(event.a) != KernelId::kPackKv)
        ++calls[std::string(name_of(static_cast<KernelId>(event.a)))];
    return calls;
  }
  std::vector<uint32_t> last_numbers(EventKind kind) {
    std::vector<uint32_t> numbers;
    for (const TraceEvent& event : recorder_.sorted())
      if (event.kind == kind) numbers.push_back(event.d);
    return numbers;
  }
  const std::vector<StepRecord>& steps() const { return steps_; }

 private:
  static Scenario shortened(const std::string& name, int64_t max_tokens) {
    Scenario scenario = test::shipped_virtual(name);
    for (ScenarioRequest& request : scenario.requests)
      request.max_tokens = std::min(request.max_tokens, max_tokens);
    return scenario;
  }
  EngineOptions options() {
    EngineOptions options;
    options.recorder = &recorder_;
    return options;
  }

  Scenario scenario_;
  Recorder recorder_;
  Engine engine_;
  std::vector<StepRecord> steps_;
};

TEST(ScenariosOfBackends, LongContextsAreDecodedInPartitions) {
  for (const char* name : {"torch-partitions", "xformers-partitions"})
    EXPECT_THAT(ShippedRun(name).calls(2),
                ElementsAre(Pair("paged_decode_v2", 1), Pair("paged_reduce", 1)))
        << name;
}

TEST(ScenariosOfBackends, CachedPromptsTakeAnotherKernel) {
  ShippedRun xformers("xformers-cached-prompt", 1), pallas("pallas-cached-prompt", 1);
  EXPECT_THAT(xformers.calls(1), ElementsAre(Pair("memory_efficient_prefill", 1)));
  EXPECT_THAT(xformers.calls(2), ElementsAre(Pair("prefix_prefill", 1)));
  EXPECT_THAT(pallas.calls(1), ElementsAre(Pair("pallas_flash", 1)));
  EXPECT_THAT(pallas.calls(2), ElementsAre(Pair("pallas_multi_query", 1)));
}

TEST(ScenariosOfBackends, ABlockTableLargerThanScalarMemoryIsSplit) {
  ShippedRun run("pallas-split-calls", 2);
  EXPECT_THAT(run.calls(2), ElementsAre(Pair("pallas_paged_decode", 2)));
  EXPECT_THAT(run.last_numbers(EventKind::kCallSplit), ElementsAre(62, 2));
}

TEST(ScenariosOfBackends, TwoCoresShareAnEvenNumberOfSequences) {
  const ShippedRun run("pallas-megacore", 8);
  ASSERT_THAT(run.steps(), SizeIs(8));
  EXPECT_EQ(run.steps()[4].modelled_device_ns, run.steps()[3].modelled_device_ns);
  EXPECT_LT(run.steps()[5].modelled_device_ns, 0.6 * run.steps()[4].modelled_device_ns);
}

TEST(ScenariosOfBackends, DecodesReplayCapturedPlans) {
  const ShippedRun run("captured-plans");
  ASSERT_THAT(run.steps(), SizeIs(3));
  EXPECT_EQ(run.steps()[0].captured_rows, 0);
  EXPECT_EQ(run.steps()[1].captured_rows, 4);
}

TEST(ScenariosOfBackends, BiasesOfThreePromptsTakeThreeCalls) {
  EXPECT_THAT(ShippedRun("xformers-alibi").calls(1),
              ElementsAre(Pair("memory_efficient_prefill", 3)));
}

TEST(ScenariosOfBackends, APackedBatchIsComparedWithOneCallForEachSequence) {
  CompareSpec spec;
  spec.scenario = test::shipped_virtual("xformers-or-torch");
  spec.backends = {"xformers", "torch_sdpa"};
  const CompareResult result = run_compare(spec);
  const auto calls = [&](size_t column, KernelId kernel) {
    const auto& kernels = result.columns[column].kernels;
    const auto found = std::ranges::find(kernels, kernel, &KernelCost::kernel);
    return found == kernels.end() ? 0 : found->calls;
  };
  EXPECT_EQ(calls(0, KernelId::kMemoryEfficientPrefill), 1);
  EXPECT_EQ(calls(1, KernelId::kFlashPrefill), 16);
  EXPECT_TRUE(result.columns[1].ran());
  EXPECT_EQ(result.columns[1].out.outside, 0);
}

TEST(ScenariosOfBackends, ATextChangesWithTheBatchInFastOnly) {
  const auto texts = [](const std::string& exactness) {
    Scenario scenario = test::shipped_virtual("fast-or-invariant");
    EXPECT_EQ(scenario.engine.backend_options["exactness"], "fast");
    if (exactness == "invariant") scenario.engine.backend_options.clear();
    Engine engine(scenario, EngineOptions{});
    engine.run_to_end();
    const EngineSnapshot shot = engine.snapshot(EnginePhase::kFinished);
    EXPECT_EQ(*shot.requests[0].prompt_text, *shot.requests[1].prompt_text);
    return std::pair{*shot.requests[0].output_text, *shot.requests[1].output_text};
  };
  const auto invariant = texts("invariant"), fast = texts("fast");
  EXPECT_EQ(invariant.first, invariant.second);
  EXPECT_NE(fast.first, fast.second);
}

}  // namespace
}  // namespace attn
