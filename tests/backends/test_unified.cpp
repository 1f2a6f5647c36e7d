// SPDX-License-Identifier: GPL-3.0-or-later
// That unified gives a token the same bits in a prompt, in a chunk and in a decode. With exactness
// fast: that its numbers agree with the reference, also where a value that a row does not see is
// NaN.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/backend_test.h"

namespace attn::testing {
namespace {

class Unified : public BackendTest, public ::testing::WithParamInterface<DType> {
 public:
  static CaseSpec spec_of(DType cache, int feature) {
    CaseSpec spec;
    spec.config = make_config(6, 2, feature % 2 ? 96 : 64);
    if (is_quantised(cache) || cache != DType::kF32) spec.cache_dtype = cache;
    if (cache == DType::kI8) {
      spec.scales.k_head_scales = {0.03f, 0.05f};
      spec.scales.v_head_scales = {0.02f, 0.04f};
    } else if (is_quantised(cache)) {
      spec.scales.k_scale = 0.5f;
      spec.scales.v_scale = 0.25f;
    }
    if (feature == 1) spec.config.sliding_window = 100;
    if (feature == 2) spec.config.logits_soft_cap = 20.0f;
    if (feature == 3) spec.config.alibi_slopes = std::vector<float>{.5f, .25f, .1f, .05f, .02f, 1};
    if (feature == 4) spec.config.sinks = std::vector<float>{0, 1, 2, -1, 3, -30};
    if (feature == 5) spec.config.blocksparse = BlockSparse{2, 3, 32, 0};
    if (feature == 6) spec.config.blocksparse = BlockSparse{1, 4, 16, 1};
    if (feature == 7) spec.config.relative_bias = random_relative_bias(6, 130, 0);
    return spec;
  }

 protected:
  static void expect_same_row(const RunResult& found, int64_t at, const RunResult& expected,
                              int64_t row) {
    const auto bytes = [](const Tensor& tensor, int64_t i) {
      const size_t size = tensor.bytes() / static_cast<size_t>(tensor.dim(0));
      return std::string(static_cast<const char*>(tensor.raw()) + static_cast<size_t>(i) * size,
                         size);
    };
    EXPECT_EQ(bytes(found.out, at), bytes(expected.out, row)) << "row " << row;
    EXPECT_EQ(bytes(found.lse, at), bytes(expected.lse, row)) << "row " << row;
  }
};

TEST_P(Unified, PrefillChunkAndDecodeHaveTheSameBits) {
  const AttentionBackend& backend = backend_named("unified");
  constexpr int64_t kLength = 600;
  for (int feature = 0; feature <= 7; ++feature) {
    SCOPED_TRACE(feature);
    CaseSpec whole = spec_of(GetParam(), feature);
    whole.sequences = {{kLength, 0, 7}};
    const RunResult expected = run_case(make_case(whole), backend, {.threads = 2});
    for (const int64_t cut : {1, 255, 300, 599}) {
      CaseSpec chunk = whole;
      chunk.sequences = {{kLength - cut, cut, 7}};
      const RunResult found = run_case(make_case(chunk), backend);
      expect_same_row(found, 0, expected, cut);
      expect_same_row(found, kLength - cut - 1, expected, kLength - 1);
    }
    for (const int64_t block_size : {1, 5, 8, 16, 64, 256}) {
      CaseSpec decode = whole;
      decode.block_size = block_size;
      decode.is_prefill = false;
      decode.sequences = {{1, 10, 3}, {1, 599, 7}, {1, 256, 7}, {1, 63, 7}};
      decode.placement_seed = static_cast<uint64_t>(block_size);
      const RunResult found =
          run_case(make_case(decode), backend, {.threads = static_cast<int>(1 + block_size % 3)});
      expect_same_row(found, 1, expected, 599);
      expect_same_row(found, 2, expected, 256);
      expect_same_row(found, 3, expected, 63);
    }
  }
}

CaseSpec fast_spec(uint64_t seed) {
  Rng rng(seed);
  CaseSpec spec = Unified::spec_of(DType::kBF16, static_cast<int>(seed % 8));
  spec.dtype = DType::kBF16;
  spec.config.head_size = pick<int64_t>(rng, {16, 40, 64, 128});
  spec.config.scale = 1 / std::sqrt(static_cast<float>(spec.config.head_size));
  spec.config.backend_options["exactness"] = "fast";
  spec.block_size = pick<int64_t>(rng, {5, 8, 16, 64});
  spec.is_prefill = rng.below(2) == 0;
  if (rng.below(3) == 0) spec.query_factor = 4;
  for (const int64_t length : {300, 17, 520, 1})
    spec.sequences.push_back({spec.is_prefill ? length : 1, spec.is_prefill ? 0 : length, seed});
  spec.sequences.push_back({spec.is_prefill ? 3 : 1, 1000, seed});
  return spec;
}

TEST_F(Unified, FastAgreesWithTheReferenceOnEveryTarget) {
  expect_agreement_on_every_target(backend_named("unified"), fast_spec, 16);
}

// A key that a row does not see has the weight 0, but 0 times a value of NaN would be NaN.
TEST_F(Unified, FastKeepsUnseenNaNAway) {
  CaseSpec spec = spec_of(DType::kBF16, 0);
  spec.dtype = DType::kBF16;
  spec.config.backend_options["exactness"] = "fast";
  spec.sequences = {{300, 0, 7}};
  AttentionCase c = make_case(spec);
  const int64_t row = c.value.dim(1) * c.value.dim(2);
  for (const int64_t token : {100, 299})
    std::fill_n(c.value.data<BFloat16>() + token * row, row, BFloat16{0x7fc0});
  expect_agreement(run_case(c, backend_named("unified")), run_case(c, backend_named("reference")),
                   DType::kBF16);
}

INSTANTIATE_TEST_SUITE_P(Caches, Unified,
                         ::testing::Values(DType::kF32, DType::kBF16, DType::kF16, DType::kF8E4M3,
                                           DType::kF8E5M2, DType::kI8),
                         [](const auto& test) { return std::string(name_of(test.param)); });

}  // namespace
}  // namespace attn::testing
