// SPDX-License-Identifier: GPL-3.0-or-later
// Compares norms and activations with torch and transformers, and norms with their formulas in f64.
// Also rows of embeddings, and how rows are split into heads.
#include <fmt/format.h>

#include "engine/core/rng.h"
#include "engine/model/layers/activation.h"
#include "engine/model/layers/embedding.h"
#include "engine/model/layers/heads.h"
#include "engine/model/layers/norm.h"
#include "tests/engine/model/layers/layer_golden.h"

namespace attn {
namespace {

constexpr size_t kWidth = 40;

// Normalizes one row by the formula. `offset` is added to the weight; if `centred`, the mean is
// subtracted first.
std::vector<float> normalized(std::span<const float> x, std::span<const float> weight,
                              std::span<const float> bias, double offset, bool centred,
                              double epsilon) {
  double mean = 0, square = 0;
  for (const float value : x) mean += value / static_cast<double>(x.size());
  if (!centred) mean = 0;
  for (const float value : x)
    square += (value - mean) * (value - mean) / static_cast<double>(x.size());
  std::vector<float> result;
  for (size_t i = 0; i < x.size(); ++i)
    result.push_back(
        static_cast<float>((x[i] - mean) / std::sqrt(square + epsilon) * (weight[i] + offset) +
                           (bias.empty() ? 0.0 : double{bias[i]})));
  return result;
}

class Norms : public testing::Test, protected LayerRun {
 protected:
  void check(const Norm& norm, const char* name, double offset, bool centred, bool has_bias) {
    const std::vector<float> x = numbers("x"), weight = numbers("norm_weight"),
                             bias = numbers("norm_bias");
    std::vector<float> to(x.size());
    ASSERT_TRUE(
        norm.forward(x.data(), static_cast<int64_t>(x.size() / kWidth), to.data(), execution));
    if (*name != '\0') expect_near(to, numbers(name), 2e-6, centred ? 3e-5 : 1e-6);
    for (size_t row = 0; row < x.size() / kWidth; ++row)
      expect_near(std::span(to).subspan(row * kWidth, kWidth),
                  normalized(std::span(x).subspan(row * kWidth, kWidth), weight,
                             has_bias ? bias : std::vector<float>(), offset, centred, 1e-5),
                  2e-6, centred ? 3e-5 : 1e-6);
    std::vector<float> chosen(3 * kWidth);
    ASSERT_TRUE(norm.forward(x.data(), std::vector<int64_t>{3, 0, 3}, chosen.data(), execution));
    for (size_t i = 0; i < kWidth; ++i) {
      EXPECT_EQ(chosen[i], to[3 * kWidth + i]);
      EXPECT_EQ(chosen[kWidth + i], to[i]);
      EXPECT_EQ(chosen[2 * kWidth + i], chosen[i]);
    }
  }
};

TEST_F(Norms, RmsNorm) {
  RmsNorm norm(1e-5f);
  norm.set(numbers("norm_weight"));
  check(norm, "rms_norm", 0, false, false);
}

TEST_F(Norms, RmsNormWithWeightsAroundZero) {
  RmsNorm norm(1e-5f, 1);
  norm.set(numbers("norm_weight"));
  check(norm, "rms_norm_offset", 1, false, false);
}

TEST_F(Norms, LayerNorm) {
  LayerNorm norm(1e-5f);
  norm.set(numbers("norm_weight"), numbers("norm_bias"));
  check(norm, "layer_norm", 0, true, true);
}

TEST_F(Norms, LayerNormWithoutBias) {
  LayerNorm norm(1e-5f);
  norm.set(numbers("norm_weight"), {});
  check(norm, "", 0, true, false);
}

TEST(Activations, EqualTransformersByName) {
  LayerRun run;
  const std::vector<float> x = run.numbers("activation_x");
  const auto width = static_cast<int64_t>(x.size());
  for (const char* name : {"silu", "gelu", "gelu_new", "gelu_pytorch_tanh", "relu"}) {
    SCOPED_TRACE(name);
    const std::optional<Activation> f = activation_named(name);
    ASSERT_TRUE(f);
    std::vector<float> to(x.size());
    ASSERT_TRUE(activate(*f, x.data(), 1, width, to.data(), run.execution));
    expect_near(to, run.numbers(fmt::format("activation.{}", name)), 1e-6, 1e-6);
    std::vector<float> gate_up, gated(3 * x.size());
    for (int row = 0; row < 3; ++row) {
      gate_up.insert(gate_up.end(), x.begin(), x.end());
      for (size_t i = 0; i < x.size(); ++i)
        gate_up.push_back(static_cast<float>(row) - 0.5f * static_cast<float>(i % 5));
    }
    ASSERT_TRUE(activate_gated(*f, gate_up.data(), 3, width, gated.data(), run.execution));
    for (size_t row = 0; row < 3; ++row)
      for (size_t i = 0; i < x.size(); ++i)
        ASSERT_EQ(gated[row * x.size() + i], to[i] * gate_up[(2 * row + 1) * x.size() + i]);
    std::vector<float> in_place = x;
    ASSERT_TRUE(activate(*f, in_place.data(), 1, width, in_place.data(), run.execution));
    EXPECT_EQ(in_place, to);
  }
  EXPECT_EQ(activation_named("swish"), Activation::kSilu);
  EXPECT_EQ(activation_named("tanh"), std::nullopt);
}

TEST(Embedding, GivesRowsInTheTypeOfTheTable) {
  Rng rng(4);
  Tensor table(DType::kF32, {5, 7});
  for (float& value : table.span<float>()) value = rng.normal();
  for (const DType dtype : {DType::kF32, DType::kF16, DType::kBF16}) {
    const Tensor stored = convert(table, dtype), rounded = convert(stored, DType::kF32);
    Embedding embedding;
    embedding.set(std::make_shared<WeightMatrix>(StoredMatrix(convert(stored, dtype))));
    EXPECT_EQ(embedding.entries(), 5);
    EXPECT_EQ(embedding.width(), 7);
    for (int64_t index = 0; index < 5; ++index) {
      std::vector<float> row(7), sum(7, 0.25f);
      embedding.look_up(index, row.data());
      embedding.add(index, sum.data());
      for (int64_t i = 0; i < 7; ++i) {
        const float expected = rounded.data<float>()[index * 7 + i];
        EXPECT_EQ(row[static_cast<size_t>(i)], expected);
        EXPECT_EQ(sum[static_cast<size_t>(i)], 0.25f + expected);
      }
    }
  }
}

TEST(Heads, AreSplitAndTurned) {
  LayerRun run;
  constexpr int64_t kRows = 3;
  const HeadShape shape{4, 2, 6};
  const Rotary rotary({.size = 4});
  std::vector<float> qkv(static_cast<size_t>(kRows * shape.width())), cosine(kRows * 2),
      sine(kRows * 2);
  for (size_t i = 0; i < qkv.size(); ++i) qkv[i] = static_cast<float>(i);
  for (int64_t row = 0; row < kRows; ++row)
    rotary.angles(static_cast<int32_t>(10 * row), cosine.data() + row * 2, sine.data() + row * 2);
  Tensor query, key, value;
  for (const bool turns : {false, true}) {
    const RowAngles angles{turns ? &rotary : nullptr, cosine.data(), sine.data()};
    ASSERT_TRUE(split_heads(qkv.data(), kRows, shape, angles, query, key, value, run.execution));
    EXPECT_EQ(query.shape(), (Shape{kRows, 4, 6}));
    EXPECT_EQ(key.shape(), (Shape{kRows, 2, 6}));
    EXPECT_EQ(value.shape(), (Shape{kRows, 2, 6}));
    for (int64_t row = 0; row < kRows; ++row)
      for (int64_t h = 0; h < 8; ++h) {
        const float* from = qkv.data() + row * shape.width() + h * 6;
        std::vector<float> expected(from, from + 6);
        if (turns && h < 6)
          rotary.turn(from, cosine.data() + row * 2, sine.data() + row * 2, 6, expected.data());
        const float* got = h < 4   ? query.data<float>() + (row * 4 + h) * 6
                           : h < 6 ? key.data<float>() + (row * 2 + h - 4) * 6
                                   : value.data<float>() + (row * 2 + h - 6) * 6;
        EXPECT_EQ(std::vector<float>(got, got + 6), expected);
      }
  }
}

}  // namespace
}  // namespace attn
