// SPDX-License-Identifier: GPL-3.0-or-later
// Captured decode plans: a replay gives the bits of an ordinary call, replays allocate no buffers
// after the first one, and what fits no plan is computed without one. Also, without plans: counts
// of saturated numbers, and padded heads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "backends/register_all.h"
#include "engine/attention/pad_heads.h"
#include "tests/support/attention_case.h"

namespace attn::testing {
namespace {

class CapturedPlans : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { register_all_backends(); }
  static CaseSpec decodes(int64_t count, DType dtype = DType::kF32) {
    CaseSpec spec;
    spec.config = make_config(4, 2, 64);
    spec.is_prefill = false;
    spec.dtype = dtype;
    for (int64_t i = 0; i < count; ++i)
      spec.sequences.push_back({1, 3 + i * 211 % 1200, static_cast<uint64_t>(i)});
    return spec;
  }
  static CaptureSpec capture_spec(const CaseSpec& spec) {
    CaptureSpec capture;
    capture.config = spec.config;
    capture.dtype = spec.dtype;
    capture.max_blocks_per_seq = 100;
    capture.block_size = spec.block_size;
    capture.max_cross_blocks = spec.config.attn_type == AttentionType::kEncoderDecoder ? 10 : 0;
    return capture;
  }
  ThreadPool pool_{2};
  Execution execution_{&pool_};
};

class CapturedPlansOf : public CapturedPlans, public ::testing::WithParamInterface<const char*> {
 protected:
  static const AttentionBackend& backend() { return backend_named(GetParam()); }

  void expect_same_bits(AttentionCase& c, int64_t max_batch, const RunOptions& options = {}) {
    const RunResult expected = run_case(c, backend(), options);
    const auto state = backend().make_state();
    state->capture(max_batch, capture_spec(c.spec), execution_);
    c.metadata.use_captured_plan = true;
    state->begin_forward(c.metadata);
    RunOptions replaying = options;
    replaying.state = state.get();
    const RunResult found = run_case(c, backend(), replaying);
    EXPECT_TRUE(bits_equal(found.out, expected.out)) << describe(c.spec);
    EXPECT_TRUE(bits_equal(found.lse, expected.lse)) << describe(c.spec);
    const auto count = static_cast<size_t>(c.metadata.num_decode_tokens);
    const AttentionMetadata& replayed =
        state->metadata_for_batch(AttentionState::padded_batch(c.metadata.num_decode_tokens));
    EXPECT_EQ(replayed.max_decode_seq_len, c.metadata.max_decode_seq_len);
    EXPECT_EQ(replayed.max_encoder_seq_len, c.metadata.max_encoder_seq_len);
    for (size_t row = count; row < replayed.seq_lens.size(); ++row) {
      EXPECT_EQ(replayed.seq_lens[row], 0);
      EXPECT_EQ(replayed.slot_mapping[row], kPaddingSlot);
    }
  }

  int64_t buffers_of_replays(const CaseSpec& spec, AttentionState& state, int steps) {
    AttentionCase c = make_case(spec);
    c.metadata.use_captured_plan = true;
    Tensor storage(DType::kF32, backend().kv_cache_shape(c.num_blocks, 16, 2, 64));
    Tensor out(DType::kF32, c.query.shape());
    Tensor lse(DType::kF32, {c.metadata.num_decode_tokens, 4});
    const auto impl = backend().make_impl(spec.config);
    const AttentionInputs inputs{&c.query,    &c.key, &c.value, {&storage, c.num_blocks, 16, 2, 64},
                                 spec.scales, &state};
    const int64_t before = AlignedBuffer::allocations();
    for (int i = 0; i < steps; ++i) {
      state.begin_forward(c.metadata);
      EXPECT_TRUE(impl->forward(inputs, c.metadata, {&out, &lse, nullptr}, execution_));
    }
    return AlignedBuffer::allocations() - before;
  }
};
INSTANTIATE_TEST_SUITE_P(Backends, CapturedPlansOf,
                         ::testing::Values("torch_sdpa", "xformers", "unified"),
                         [](const auto& name) { return std::string(name.param); });

TEST_P(CapturedPlansOf, ReplayGivesTheSameBits) {
  for (const int64_t count : {1, 2, 3, 5, 8, 11})
    for (const DType dtype : {DType::kF32, DType::kBF16, DType::kF16}) {
      AttentionCase c = make_case(decodes(count, dtype));
      expect_same_bits(c, 16);
    }
}

TEST_P(CapturedPlansOf, ReplayOfCrossAttentionGivesTheSameBits) {
  CaseSpec spec = decodes(3);
  spec.config.attn_type = AttentionType::kEncoderDecoder;
  for (CaseSequence& s : spec.sequences) s.encoder_len = 20 + static_cast<int64_t>(s.seed) * 31;
  AttentionCase c = make_case(spec);
  EXPECT_EQ(c.metadata.max_encoder_seq_len, 82);
  expect_same_bits(c, 4, {.without_new_keys = true});
}

TEST_P(CapturedPlansOf, WhatDoesNotFitRunsWithoutAPlan) {
  const CaseSpec spec = decodes(5);
  AttentionCase c = make_case(spec);
  const RunResult expected = run_case(c, backend());
  c.metadata.use_captured_plan = true;
  const auto state = backend().make_state();
  state->capture(4, capture_spec(spec), execution_);
  EXPECT_EQ(state->prepare_input_buffers(c.metadata), nullptr);
  const RunResult found = run_case(c, backend(), {.state = state.get()});
  EXPECT_TRUE(bits_equal(found.out, expected.out));
}

TEST_P(CapturedPlansOf, ReplayMakesNoBuffers) {
  for (const DType dtype : {DType::kF32, DType::kBF16}) {
    CaseSpec spec = decodes(6);
    spec.dtype = dtype;
    const auto state = backend().make_state();
    state->capture(8, capture_spec(spec), execution_);
    buffers_of_replays(spec, *state, 1);  // the first replay enlarges scratch of the workers
    EXPECT_EQ(buffers_of_replays(spec, *state, 10), 0) << name_of(dtype);
  }
}

// Partial results of long sequences go to memory that was allocated at the capture.
TEST_P(CapturedPlansOf, TheLongestReplayMakesNoBuffers) {
  for (const auto& [count, dtype] :
       {std::pair<int64_t, DType>{1, DType::kF32}, {8, DType::kF32}, {8, DType::kBF16}}) {
    CaseSpec spec = decodes(count);
    spec.dtype = dtype;
    const auto state = backend().make_state();
    state->capture(count, capture_spec(spec), execution_);
    for (CaseSequence& s : spec.sequences) s.context_len = 3;
    buffers_of_replays(spec, *state, 1);  // the first replay enlarges scratch of the workers
    for (CaseSequence& s : spec.sequences) s.context_len = 100 * spec.block_size - 1;
    EXPECT_EQ(buffers_of_replays(spec, *state, 1), 0) << count;
    AttentionCase c = make_case(spec);
    expect_same_bits(c, count, {.threads = 2});
  }
}

class CapturedPlansOfUnified : public CapturedPlansOf {};
INSTANTIATE_TEST_SUITE_P(Backends, CapturedPlansOfUnified, ::testing::Values("unified"),
                         [](const auto& name) { return std::string(name.param); });

TEST_P(CapturedPlansOfUnified, ReplayOfEveryFeatureGivesTheSameBits) {
  const auto expect_with = [&](const std::function<void(CaseSpec&)>& change) {
    CaseSpec spec = decodes(5);
    change(spec);
    ASSERT_THAT(backend().not_supported_reasons(spec.config), ::testing::IsEmpty());
    AttentionCase c = make_case(spec);
    expect_same_bits(c, 8, {.threads = 2});
  };
  expect_with([](CaseSpec& spec) { spec.config.sliding_window = 70; });
  expect_with([](CaseSpec& spec) { spec.config.alibi_slopes = standard_alibi_slopes(4); });
  expect_with([](CaseSpec& spec) { spec.config.logits_soft_cap = 5.0f; });
  expect_with([](CaseSpec& spec) { spec.config.sinks = {0.5f, -1.0f, 3.0f, 0.0f}; });
  expect_with([](CaseSpec& spec) { spec.cache_dtype = DType::kF8E4M3; });
  expect_with([](CaseSpec& spec) { spec.config.head_size = 72; });
  // Block-sparse patterns: first the same blocks for all heads, then different ones for each head.
  for (const int64_t step : {0, 1})
    expect_with([&](CaseSpec& spec) { spec.config.blocksparse = BlockSparse{1, 4, 16, step}; });
}

TEST_F(CapturedPlans, PlannedOnceForAllLayersOfAStep) {
  const CaseSpec spec = decodes(3);
  AttentionCase c = make_case(spec);
  const auto state = backend_named("torch_sdpa").make_state();
  state->capture(4, capture_spec(spec), execution_);
  Recorder recorder(3);
  RunClock clock(ClockKind::kReal, 3);
  Execution run = execution_;
  run.recorder = &recorder;
  run.clock = &clock;
  state->begin_forward(c.metadata);
  CapturedPlan* first = state->replay(c.metadata, run);
  EXPECT_EQ(state->replay(c.metadata, run), first);
  state->begin_forward(c.metadata);
  EXPECT_EQ(state->replay(c.metadata, run), first);
  recorder.drain();
  int replays = 0;
  for (const TraceEvent& event : recorder.sorted())
    if (event.kind == EventKind::kPlanReplayed) {
      ++replays;
      EXPECT_EQ(event.a, 4u);
      EXPECT_EQ(event.b, 1u);
    }
  EXPECT_EQ(replays, 2);
}

TEST_F(CapturedPlans, SaturatedValuesAreCounted) {
  CaseSpec spec;
  spec.config = make_config(2, 1, 64);
  spec.config.extended = true;
  spec.sequences = {{70, 0, 5}};
  spec.cache_dtype = DType::kF8E4M3;
  AttentionCase c = make_case(spec);
  c.key.data<float>()[3] = 1e6f;
  c.key.data<float>()[40 * 64] = -465.0f;
  c.value.data<float>()[69 * 64 + 63] = 464.0f;  // rounds to 448 and is not saturated
  for (const char* name : {"reference", "torch_sdpa"}) {
    const auto state = backend_named(name).make_state();
    run_case(c, backend_named(name), {.threads = 3, .state = state.get()});
    EXPECT_EQ(state->cache_rounding().saturated(), 2) << name;
  }
}

TEST_F(CapturedPlans, PaddedHeadsGiveTheSameNumbers) {
  CaseSpec spec;
  spec.config = make_config(4, 2, 48);
  spec.config.pad_head_size = true;
  spec.sequences = {{20, 0, 1}, {5, 0, 2}};
  const AttentionBackend& backend = backend_named("torch_sdpa");
  EXPECT_THAT(backend.not_supported_reasons(spec.config), ::testing::IsEmpty());
  EXPECT_EQ(cache_head_size(backend, spec.config), 64);
  const auto impl = backend.make_impl(spec.config);
  EXPECT_THAT(impl->warnings(),
              ::testing::ElementsAre("Heads are padded with zeros to 64 elements, also in the "
                                     "cache, because TORCH_SDPA does not take heads of 48. The "
                                     "output stays the same, so nothing needs to be done."));
  const AttentionCase c = make_case(spec);
  const RunResult expected = run_case(c, backend_named("reference"));
  Tensor storage(DType::kF32, backend.kv_cache_shape(c.num_blocks, 16, 2, 64));
  Tensor out(DType::kF32, c.query.shape()), lse(DType::kF32, {25, 4});
  ASSERT_TRUE(impl->forward({&c.query, &c.key, &c.value, {&storage, c.num_blocks, 16, 2, 64}, {}},
                            c.metadata, {&out, &lse, nullptr}, execution_));
  EXPECT_EQ(compare(out, expected.out, tolerance_for(DType::kF32, 0)), "");
  EXPECT_EQ(compare(lse, expected.lse, {1e-5, 1e-5}), "");
}

}  // namespace
}  // namespace attn::testing
