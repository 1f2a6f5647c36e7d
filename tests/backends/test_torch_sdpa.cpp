// SPDX-License-Identifier: GPL-3.0-or-later
// The torch_sdpa backend: its kernel calls, its masks, the weights that `math` hands out, its
// metadata, and the memory that a prefill needs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "backends/torch_sdpa/masks.h"
#include "backends/torch_sdpa/metadata.h"
#include "engine/kernels/weight_recompute.h"
#include "engine/session/report/report.h"
#include "tests/support/backend_test.h"
#include "tests/support/traced_run.h"

namespace attn::testing {
namespace {

using backends::torch_sdpa::DenseMask;
using backends::torch_sdpa::TorchSdpaMetadata;

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

class TorchSdpa : public BackendTest {
 protected:
  static const AttentionBackend& backend() { return backend_named("torch_sdpa"); }
  static CaseSpec four_prompts() {
    CaseSpec spec;
    spec.config = make_config(4, 2, 64);
    spec.sequences = {{20, 0, 1}, {300, 0, 2}, {1, 0, 3}, {33, 0, 4}};
    return spec;
  }
};

int64_t rows_of_kernel(const std::vector<TraceEvent>& events, const std::string& name) {
  const std::string csv = kernels_csv(events), cell = "," + name + ",";
  int64_t rows = 0;
  for (size_t at = csv.find(cell); at != std::string::npos; at = csv.find(cell, at + 1)) ++rows;
  return rows;
}

TEST_F(TorchSdpa, OneCallPerSequenceAndLayer) {
  constexpr int kLayers = 2;
  CaseSpec spec = four_prompts();
  const AttentionCase plain = make_case(spec);
  EXPECT_EQ(rows_of_kernel(TracedRun(plain, backend(), 2, kLayers).events, "flash_prefill"),
            4 * kLayers);
  const AttentionBackend& xformers = backend_named("xformers");
  const std::string packed = "memory_efficient_prefill";
  EXPECT_EQ(rows_of_kernel(TracedRun(plain, xformers, 2, kLayers).events, packed), kLayers);
  spec.config.alibi_slopes = standard_alibi_slopes(4);
  const AttentionCase alibi = make_case(spec);
  EXPECT_EQ(rows_of_kernel(TracedRun(alibi, xformers, 2, kLayers).events, packed), 4 * kLayers);
  spec.config.alibi_slopes.reset();
  spec.config.backend_options["sdpa_kernel"] = "math";
  const auto math = TracedRun(make_case(spec), backend(), 2, kLayers).events;
  for (const char* kernel : {"math_scores", "math_softmax", "math_values"})
    EXPECT_EQ(rows_of_kernel(math, kernel), 4 * kLayers) << kernel;
}

TEST_F(TorchSdpa, ASequenceHasTheSameBitsInAnyCompany) {
  for (const char* kernel : {"flash", "math"})
    for (const bool alibi : {false, true}) {
      CaseSpec crowd = four_prompts();
      crowd.config.backend_options["sdpa_kernel"] = kernel;
      if (alibi) crowd.config.alibi_slopes = standard_alibi_slopes(4);
      const RunResult together = run_case(make_case(crowd), backend(), {.threads = 2});
      CaseSpec alone = crowd;
      alone.sequences = {{300, 0, 2}};
      alone.block_size = 8;
      const RunResult found = run_case(make_case(alone), backend());
      EXPECT_EQ(rows_of(found.out, 0, 300), rows_of(together.out, 20, 300)) << kernel << alibi;
      EXPECT_EQ(rows_of(found.lse, 0, 300), rows_of(together.lse, 20, 300)) << kernel << alibi;
    }
}

// --- masks ---------------------------------------------------------------------------------------
TEST_F(TorchSdpa, MasksAreBuiltOnceInTheTypeOfTheQuery) {
  for (const DType dtype : {DType::kF32, DType::kBF16, DType::kF16}) {
    CaseSpec spec = four_prompts();
    spec.dtype = dtype;
    spec.config.alibi_slopes = standard_alibi_slopes(4);
    const AttentionCase c = make_case(spec);
    const TracedRun run(c, backend(), 2, 3);
    const auto built = run.of(EventKind::kBiasBuilt);
    ASSERT_EQ(built.size(), 1u);  // three layers build the masks once
    const BiasList* masks = c.metadata.prefill_metadata()->attn_bias_for(AttentionType::kDecoder);
    ASSERT_NE(masks, nullptr);
    ASSERT_EQ(masks->size(), 4u);
    const auto& mask = static_cast<const DenseMask&>(*(*masks)[1]);
    EXPECT_EQ(mask.tensor().dtype(), dtype);
    EXPECT_EQ(mask.tensor().shape(), (Shape{4, 300, 300}));
    EXPECT_EQ(mask.bytes(), 4u * 300 * 300 * size_of(dtype));
    EXPECT_EQ(built[0].d, (20u * 20 + 300 * 300 + 1 + 33 * 33) * 4 * size_of(dtype));
    EXPECT_EQ(mask.value(1, 9, 5), -4 * (*spec.config.alibi_slopes)[1]);
    EXPECT_EQ(mask.value(1, 9, 10), kMinusInfinity);
    EXPECT_EQ(mask.visible(9), (KeySpan{0, 10}));
  }
}

TEST_F(TorchSdpa, AWindowIsOneMaskForAllHeads) {
  CaseSpec spec = four_prompts();
  spec.config.sliding_window = 16;
  const AttentionCase c = make_case(spec);
  run_case(c, backend());
  const BiasList* masks = c.metadata.prefill_metadata()->attn_bias_for(AttentionType::kDecoder);
  ASSERT_NE(masks, nullptr);
  const auto& mask = static_cast<const DenseMask&>(*(*masks)[1]);
  EXPECT_EQ(mask.tensor().shape(), (Shape{1, 300, 300}));
  for (const auto& [key, expected] :
       {std::pair{83, kMinusInfinity}, {84, 0.0f}, {99, 0.0f}, {100, kMinusInfinity}})
    EXPECT_EQ(mask.value(0, 99, key), expected) << key;
}

TEST_F(TorchSdpa, PositionsOfABf16MaskAreRounded) {
  AttentionConfig config = make_config(1, 1, 64);
  config.alibi_slopes = std::vector<float>{0.5f};
  const DenseMask mask(config, 302, DType::kBF16);
  EXPECT_EQ(mask.value(0, 301, 300), 0.0f);  // bf16 rounds 301 to 300
  EXPECT_EQ(mask.value(0, 200, 199), -0.5f);
}

TEST_F(TorchSdpa, CausalWithoutABiasIsAFlag) {
  const AttentionCase c = make_case(four_prompts());
  const TracedRun run(c, backend(), 1);
  EXPECT_TRUE(run.of(EventKind::kBiasBuilt).empty());
  EXPECT_EQ(c.metadata.prefill_metadata()->attn_bias_for(AttentionType::kDecoder), nullptr);
}

TEST_F(TorchSdpa, EncoderOnlyHasItsOwnSlot) {
  CaseSpec spec = four_prompts();
  spec.config.attn_type = AttentionType::kEncoderOnly;
  spec.config.sliding_window = 5;
  const AttentionCase c = make_case(spec);
  run_case(c, backend());
  EXPECT_NE(c.metadata.prefill_metadata()->attn_bias_for(AttentionType::kEncoderOnly), nullptr);
  EXPECT_EQ(c.metadata.prefill_metadata()->attn_bias_for(AttentionType::kEncoder), nullptr);
}

TEST_F(TorchSdpa, AMaskOfAnotherRuleIsNotUsedAgain) {
  CaseSpec spec = four_prompts();
  spec.config.sliding_window = 40;
  AttentionCase c = make_case(spec);
  run_case(c, backend());
  c.spec.config.sliding_window = 3;
  const RunResult found = run_case(c, backend());
  EXPECT_EQ(compare(found.out, run_case(c, backend_named("reference")).out, {1e-5, 5e-6}), "");
}

TEST_F(TorchSdpa, ADenseMaskVisitsEveryTile) {
  CaseSpec spec = four_prompts();
  spec.sequences = {{600, 0, 1}};
  const auto tiles_above = [&](const CaseSpec& of) {
    int64_t count = 0;
    for (const TraceEvent& event : TracedRun(make_case(of), backend(), 1).of(EventKind::kTile)) {
      const TileEvent tile = unpack_tile(event);
      count += tile.k_begin >= tile.q_begin + tile.q_count;
    }
    return count;
  };
  EXPECT_EQ(tiles_above(spec), 0);
  spec.config.sliding_window = 16;
  EXPECT_GT(tiles_above(spec), 0);
}

// --- math ----------------------------------------------------------------------------------------
TEST_F(TorchSdpa, MathHandsOutTheWeightsThatItUsed) {
  for (const bool alibi : {false, true}) {
    CaseSpec spec;
    spec.config = make_config(2, 2, 64);
    spec.config.backend_options["sdpa_kernel"] = "math";
    if (alibi) spec.config.alibi_slopes = standard_alibi_slopes(2);
    spec.sequences = {{37, 0, 3}, {70, 0, 4}};
    AttentionCase c = make_case(spec);
    // The value of key k is the unit vector of coordinate k mod 64. So each coordinate of an output
    // is 0, one weight, or the sum of two.
    auto values = c.value.span<float>();
    std::fill(values.begin(), values.end(), 0.0f);
    for (int64_t row = 0; row < 107; ++row) {
      const int64_t key = row < 37 ? row : row - 37;
      for (int64_t h = 0; h < 2; ++h)
        values[static_cast<size_t>((row * 2 + h) * 64 + key % 64)] = 1;
    }
    const RunResult found = run_case(c, backend(), {.weights = true});
    ASSERT_EQ(found.weights.size(), 2u);
    for (const auto& [sequence, first, len] : {std::tuple{0, 0, 37}, {1, 37, 70}}) {
      const Tensor& weights = found.weights[static_cast<size_t>(sequence)];
      ASSERT_EQ(weights.shape(), (Shape{2, len, len}));
      for (int64_t h = 0; h < 2; ++h)
        for (int64_t q = 0; q < len; ++q)
          for (int64_t k = 0; k < std::min(len, 64); ++k) {
            const float* row = weights.data<float>() + (h * len + q) * len;
            const float expected = row[k] + (k + 64 < len ? row[k + 64] : 0.0f);
            ASSERT_EQ(found.out.data<float>()[((first + q) * 2 + h) * 64 + k], expected)
                << sequence << " " << h << " " << q << " " << k;
          }
    }
  }
}

// --- contract ------------------------------------------------------------------------------------
TEST_F(TorchSdpa, HasItsOwnMetadata) {
  const std::vector<int32_t> table{0, 1};
  const std::vector<SequenceSlice> prompts{{0, 0, 3, true, table}, {1, 0, 2, true, table}},
      decodes{{0, 3, 1, false, table}}, mixed{{0, 0, 3, true, table}, {1, 3, 1, false, table}};
  const auto metadata = backend().make_metadata();
  EXPECT_EQ(metadata->type_name(), "TorchSDPAMetadata");
  const auto& own = dynamic_cast<const TorchSdpaMetadata&>(*metadata);
  build_metadata(prompts, 16, *metadata);
  EXPECT_TRUE(own.is_prompt);
  build_metadata(decodes, 16, *metadata);
  EXPECT_FALSE(own.is_prompt);
  build_metadata(mixed, 16, *metadata);
  EXPECT_FALSE(own.is_prompt);
  const auto* part = dynamic_cast<const TorchSdpaMetadata*>(metadata->prefill_metadata());
  ASSERT_NE(part, nullptr);
  EXPECT_TRUE(part->is_prompt);
  EXPECT_EQ(backend_named("xformers").make_metadata()->type_name(), "XFormersMetadata");
  EXPECT_EQ(backend_named("pallas").make_metadata()->type_name(), "PallasMetadata");
}

TEST_F(TorchSdpa, APrefillPartDoesNotCarryTheCapturedFlag) {
  const std::vector<int32_t> table{0, 1};
  const std::vector<SequenceSlice> mixed{{0, 0, 3, true, table}, {1, 3, 1, false, table}},
      prompts{{0, 0, 3, true, table}};
  AttentionMetadata metadata = build_metadata(mixed, 16);
  metadata.use_captured_plan = true;
  EXPECT_FALSE(metadata.prefill_metadata()->use_captured_plan);
  EXPECT_TRUE(metadata.decode_metadata()->use_captured_plan);
  metadata = build_metadata(prompts, 16);
  metadata.use_captured_plan = true;
  EXPECT_FALSE(metadata.prefill_metadata()->use_captured_plan);
}

TEST_F(TorchSdpa, PrefillMemoryIsThatOfTheMasks) {
  AttentionConfig config = make_config(4, 2, 64);
  EXPECT_EQ(backend().prefill_memory(config, DType::kF32, 30, 30).mask, 0);
  config.sliding_window = 7;
  EXPECT_EQ(backend().prefill_memory(config, DType::kBF16, 30, 30).mask, 30 * 30 * 2);
  config.alibi_slopes = standard_alibi_slopes(4);
  EXPECT_EQ(backend().prefill_memory(config, DType::kF32, 30, 30).mask, 4 * 30 * 30 * 4);
  EXPECT_EQ(backend_named("xformers").prefill_memory(config, DType::kF32, 30, 30).mask,
            4 * 30 * 32 * 4);
  EXPECT_EQ(backend().prefill_memory(config, DType::kF32, 30, 30).scores, 0);
  config.backend_options["sdpa_kernel"] = "math";
  EXPECT_EQ(backend().prefill_memory(config, DType::kF32, 30, 40).scores, 4 * 30 * 40 * 4);
}

}  // namespace
}  // namespace attn::testing
