// SPDX-License-Identifier: GPL-3.0-or-later
// The operations and bytes of kernels, compared with those that follow from the lengths alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/session/work/kernel_work.h"
#include "engine/trace/recorder.h"
#include "tests/engine/session/session_support.h"

namespace attn {
namespace {

Scenario unified_scenario(const std::vector<int64_t>& prompts, int64_t tokens) {
  Scenario scenario = test::synthetic_scenario(prompts, tokens);
  scenario.engine.backend = "unified";
  return scenario;
}

constexpr double kLayers = 2, kHeads = 4, kKvHeads = 2, kWidth = 32;

struct Traced {
  std::vector<TraceEvent> events;
  EngineSnapshot snapshot;
};

Traced run(const Scenario& scenario) {
  Recorder recorder(num_workers(scenario), 1u << 8);  // small, so it is drained often
  EngineOptions options;
  options.recorder = &recorder;
  Engine engine(scenario, load_source(scenario), std::move(options));
  while (engine.has_work()) EXPECT_TRUE(engine.step());
  recorder.drain();
  Traced traced;
  recorder.read(0, traced.events);
  traced.snapshot = engine.snapshot(EnginePhase::kFinished);
  return traced;
}

KernelWork work_of(const Traced& traced, size_t most = 100) {
  KernelWork work;
  while (!work.take(traced.snapshot, traced.events, most)) {
  }
  EXPECT_EQ(work.waiting(), 0u);
  return work;
}

WorkSum of_step(const KernelWork& work, uint32_t step) {
  WorkSum all;
  for (const KernelSum& one : work.by_step(1000)) {
    if (one.step != step) continue;
    all.calls += one.sum.calls;
    all.operations += one.sum.operations;
    all.bytes += one.sum.bytes;
  }
  return all;
}

// The operations and bytes of all layers. pairs: visible pairs of a query and a key of one head;
// rows: query rows; keys: keys that are read; own: bytes of an element of queries and outputs;
// cached: bytes of an element of keys and values.
double operations(double pairs) {
  return kLayers * kHeads * 4 * pairs * kWidth;
}
double bytes(double rows, double keys, double own = 4, double cached = 4) {
  return kLayers * 2 * kWidth * (rows * kHeads * own + keys * kKvHeads * cached);
}

class WorkOfBackend : public testing::TestWithParam<const char*> {};

// A prompt of 50 tokens in one step, then a token a step.
TEST_P(WorkOfBackend, PromptsAndDecodesAreCountedByTheirLengths) {
  Scenario scenario = unified_scenario({50}, 3);
  scenario.engine.backend = GetParam();
  scenario.engine.pad_head_size = true;  // for pallas; padding does not count
  const KernelWork work = work_of(run(scenario));
  const WorkSum prompt = of_step(work, 1), decode = of_step(work, 2);
  EXPECT_DOUBLE_EQ(prompt.operations, operations(50 * 51 / 2));
  EXPECT_DOUBLE_EQ(prompt.bytes, bytes(50, 50));
  EXPECT_DOUBLE_EQ(decode.operations, operations(51));
  EXPECT_DOUBLE_EQ(decode.bytes, bytes(1, 51));
  // by_kernel(last) sums the steps up to `last`.
  const auto total = [&](uint32_t last) {
    double sum = 0;
    for (const KernelSum& one : work.by_kernel(last)) sum += one.sum.operations;
    return sum;
  };
  EXPECT_DOUBLE_EQ(total(1), prompt.operations);
  EXPECT_DOUBLE_EQ(total(2), prompt.operations + decode.operations);
  for (const KernelSum& one : work.by_kernel(1000)) {
    EXPECT_GT(one.sum.ns, 0);
    const KernelCall& longest = work.calls()[one.sum.longest];
    EXPECT_EQ(longest.kernel, one.kernel);
  }
}
INSTANTIATE_TEST_SUITE_P(All, WorkOfBackend,
                         testing::Values("unified", "torch_sdpa", "xformers", "pallas",
                                         "reference"));

TEST(KernelWork, AWindowLeavesKeysOut) {
  Scenario scenario = unified_scenario({50}, 2);
  scenario.attention.sliding_window = 8;
  const KernelWork work = work_of(run(scenario));
  EXPECT_DOUBLE_EQ(of_step(work, 1).operations, operations(8 * 9 / 2 + 42 * 8));
  EXPECT_DOUBLE_EQ(of_step(work, 1).bytes, bytes(50, 50));
  EXPECT_DOUBLE_EQ(of_step(work, 2).operations, operations(8));
  EXPECT_DOUBLE_EQ(of_step(work, 2).bytes, bytes(1, 8));
}

// Several sequences in one call, and chunks of a prompt that read cached keys.
TEST(KernelWork, SequencesOfABatchAddUp) {
  Scenario scenario = unified_scenario({20, 30}, 3);
  const KernelWork work = work_of(run(scenario));
  EXPECT_DOUBLE_EQ(of_step(work, 2).operations, operations(21 + 31));
  EXPECT_DOUBLE_EQ(of_step(work, 2).bytes, bytes(2, 21 + 31));

  scenario = unified_scenario({48}, 2);
  scenario.engine.policy = SchedulingPolicy::kChunkedPrefill;
  scenario.engine.max_num_batched_tokens = 32;
  const KernelWork chunks = work_of(run(scenario));
  EXPECT_DOUBLE_EQ(of_step(chunks, 1).operations, operations(32 * 33 / 2));
  EXPECT_DOUBLE_EQ(of_step(chunks, 2).operations, operations(48 * 49 / 2 - 32 * 33 / 2));
  EXPECT_DOUBLE_EQ(of_step(chunks, 2).bytes, bytes(16, 48));
}

// Keys and values count in the type in which they are read: in a cache of 8 bits as one byte.
TEST(KernelWork, ANarrowCacheMovesFewerBytes) {
  Scenario scenario = unified_scenario({50}, 2);
  scenario.engine.kv_cache_dtype = "fp8";
  EXPECT_DOUBLE_EQ(of_step(work_of(run(scenario)), 2).bytes, bytes(1, 51, 4, 1));
  EXPECT_DOUBLE_EQ(of_step(work_of(run(scenario)), 1).bytes, bytes(50, 50, 4, 1));
  scenario.engine.backend = "xformers";  // a prompt reads its keys in f32, not from the cache
  EXPECT_DOUBLE_EQ(of_step(work_of(run(scenario)), 1).bytes, bytes(50, 50, 4, 4));
  scenario.engine.backend = "unified";
  scenario.engine.kv_cache_dtype = "bf16";
  EXPECT_DOUBLE_EQ(of_step(work_of(run(scenario)), 2).bytes, bytes(1, 51, 2, 2));
}

// In the kernel `math` the scores go through memory. Its two parts together have the operations of
// a flash kernel.
TEST(KernelWork, ThePartsOfMath) {
  Scenario scenario = unified_scenario({50}, 1);
  scenario.engine.backend = "torch_sdpa";
  scenario.engine.backend_options["sdpa_kernel"] = "math";
  const std::vector<KernelSum> parts = work_of(run(scenario)).by_kernel(1);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].kernel, KernelId::kMathScores);
  EXPECT_EQ(parts[1].kernel, KernelId::kMathValues);
  for (const KernelSum& part : parts) {
    EXPECT_DOUBLE_EQ(part.sum.operations, operations(50 * 51 / 2) / 2);
    EXPECT_DOUBLE_EQ(part.sum.bytes, bytes(50, 50) / 2 + kLayers * kHeads * 50 * 50 * 4);
  }
}

// The order in which lanes were drained, and how many events come at once, change nothing.
TEST(KernelWork, TheOrderOfLanesDoesNotMatter) {
  Traced traced = run(unified_scenario({70, 20}, 3));
  const KernelWork before = work_of(traced, traced.events.size());
  std::ranges::stable_sort(traced.events, {}, &TraceEvent::lane);
  const KernelWork engine_first = work_of(traced, 1);
  std::ranges::stable_sort(traced.events, std::greater(), &TraceEvent::lane);
  const KernelWork engine_last = work_of(traced);
  for (const KernelWork* other : {&engine_first, &engine_last}) {
    ASSERT_EQ(other->calls().size(), before.calls().size());
    for (size_t i = 0; i < before.calls().size(); ++i) {
      EXPECT_EQ(other->calls()[i].operations, before.calls()[i].operations);
      EXPECT_EQ(other->calls()[i].bytes, before.calls()[i].bytes);
    }
  }
}

}  // namespace
}  // namespace attn
