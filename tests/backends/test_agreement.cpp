// SPDX-License-Identifier: GPL-3.0-or-later
// Compares torch_sdpa with the fp64 reference on random cases, some of them on each instruction set
// of this machine that the kernels have. Also the weights that `reference` and the kernel `math`
// give.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/backend_test.h"

namespace attn::testing {
namespace {

CaseSpec random_spec(uint64_t seed) {
  Rng rng(seed);
  CaseSpec spec;
  const int64_t kv_heads = pick<int64_t>(rng, {1, 2, 3});
  spec.config = make_config(kv_heads * pick<int64_t>(rng, {1, 2, 3, 4, 6, 8}), kv_heads,
                            pick<int64_t>(rng, {32, 64, 80, 96, 112, 120, 128, 192, 256}));
  spec.block_size = pick<int64_t>(rng, {1, 5, 8, 16, 32, 64, 128, 256});
  spec.dtype = rng.below(2) ? DType::kBF16 : DType::kF32;
  // About one case in four has a sharp softmax. Long heads get a smaller factor: the error of a
  // score grows with the factor and with the head size.
  if (rng.below(4) == 0) spec.query_factor = spec.config.head_size > 96 ? 2.0f : 4.0f;
  spec.is_prefill = rng.below(2) == 0;
  spec.placement_seed = rng.next();
  if (rng.below(4) == 0) spec.config.sliding_window = pick<int64_t>(rng, {1, 3, 16, 43, 111, 256});
  if (rng.below(4) == 0) {
    spec.config.alibi_slopes.emplace();
    for (int64_t h = 0; h < spec.config.num_heads; ++h)
      spec.config.alibi_slopes->push_back(
          std::exp2(-8.0f * static_cast<float>(h + 1) / static_cast<float>(spec.config.num_heads)));
  }
  const auto batch = pick<int64_t>(rng, {1, 2, 5, 7});
  for (int64_t i = 0; i < batch; ++i) {
    CaseSequence sequence;
    sequence.query_len =
        spec.is_prefill ? pick<int64_t>(rng, {1, 2, 3, 15, 17, 64, 97, 127, 300}) : 1;
    sequence.context_len =
        spec.is_prefill && rng.below(2) ? 0 : pick<int64_t>(rng, {0, 1, 7, 16, 52, 129, 511, 513});
    if (!spec.is_prefill && rng.below(6) == 0) sequence.context_len = 1100;
    sequence.seed = rng.next();
    spec.sequences.push_back(sequence);
  }
  return spec;
}

class Agreement : public BackendTest, public ::testing::WithParamInterface<int> {};

TEST_P(Agreement, WithReference) {
  constexpr int kCasesPerPart = 25;
  for (int i = 0; i < kCasesPerPart; ++i) {
    CaseSpec spec = random_spec(static_cast<uint64_t>(GetParam() * kCasesPerPart + i));
    const AttentionCase c = make_case(spec);
    const RunResult expected = reference_of(c, backend_named("torch_sdpa"));
    for (const std::string kernel : {"flash", "math"}) {
      if (kernel == "math" && !spec.is_prefill) continue;
      SCOPED_TRACE(describe(spec) + " " + kernel);
      AttentionCase with_kernel = make_case(spec);
      with_kernel.spec.config.backend_options["sdpa_kernel"] = kernel;
      const RunOptions options{.threads = 1 + i % 3};
      const RunResult found = run_case(with_kernel, backend_named("torch_sdpa"), options);
      expect_agreement(found, expected, spec.dtype);
      const RunResult again = run_case(with_kernel, backend_named("torch_sdpa"), options);
      EXPECT_TRUE(bits_equal(found.out, again.out));
      EXPECT_TRUE(bits_equal(found.lse, again.lse));
    }
    if (HasFailure()) return;
  }
}
INSTANTIATE_TEST_SUITE_P(Sample, Agreement, ::testing::Range(0, 10));

TEST_F(Agreement, OnEveryTarget) {
  expect_agreement_on_every_target(backend_named("torch_sdpa"), random_spec, 12);
}

TEST_F(Agreement, MathWeightsAreTheReferenceWeights) {
  CaseSpec spec;
  spec.config = make_config(4, 2, 64);
  spec.config.backend_options["sdpa_kernel"] = "math";
  spec.sequences = {{37, 0, 3}, {130, 0, 4}};
  const AttentionCase c = make_case(spec);
  const RunResult expected = run_case(c, backend_named("reference"), {.weights = true});
  const RunResult found = run_case(c, backend_named("torch_sdpa"), {.weights = true});
  ASSERT_EQ(found.weights.size(), 2u);
  for (size_t i = 0; i < 2; ++i)
    EXPECT_EQ(compare(found.weights[i], expected.weights[i], {1e-6, 1e-5}), "");
}

TEST_F(Agreement, APrefillWithoutRowsHasWeightsToo) {
  CaseSpec spec;
  spec.config = make_config(4, 2, 64);
  spec.config.backend_options["sdpa_kernel"] = "math";
  spec.sequences = {{37, 0, 3}, {0, 16, 4}, {5, 0, 6}};
  const AttentionCase c = make_case(spec);
  for (const char* backend : {"reference", "torch_sdpa"}) {
    SCOPED_TRACE(backend);
    const RunResult found = run_case(c, backend_named(backend), {.weights = true});
    ASSERT_EQ(found.weights.size(), 3u);
    EXPECT_EQ(found.weights[0].shape(), (Shape{4, 37, 37}));
    EXPECT_EQ(found.weights[1].shape(), (Shape{4, 0, 16}));
    EXPECT_EQ(found.weights[2].shape(), (Shape{4, 5, 5}));
  }
}

TEST_F(Agreement, DecodesHaveNoWeights) {
  CaseSpec spec;
  spec.config = make_config(4, 2, 64);
  spec.config.backend_options["sdpa_kernel"] = "math";
  spec.is_prefill = false;
  spec.sequences = {{1, 37, 3}};
  const AttentionCase c = make_case(spec);
  for (const char* backend : {"reference", "torch_sdpa"})
    EXPECT_EQ(run_case(c, backend_named(backend), {.weights = true}).weights.size(), 0u) << backend;
}

}  // namespace
}  // namespace attn::testing
