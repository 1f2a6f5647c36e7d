// SPDX-License-Identifier: GPL-3.0-or-later
// Matrices that keep the bytes of their files: numbers and products have the bits of the same
// numbers as f32.
#include "engine/model/weights/weight_matrix.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/rng.h"
#include "engine/model/layers/linear.h"
#include "engine/model/not_finite.h"

namespace attn {
namespace {

constexpr WeightType kTypes[] = {
    WeightType::kF32,  WeightType::kF16,  WeightType::kBF16,  WeightType::kQ8_0, WeightType::kQ4_0,
    WeightType::kQ4_K, WeightType::kQ6_K, WeightType::kQ4_1,  WeightType::kQ5_1, WeightType::kQ2_K,
    WeightType::kQ3_K, WeightType::kQ5_K, WeightType::kIQ4_XS};

struct Matrix {
  WeightType type = WeightType::kF32;
  Shape shape;
  Tensor bytes;

  StoredMatrix stored() const { return {type, shape, convert(bytes, bytes.dtype())}; }
  const std::byte* row(int64_t row) const {
    return static_cast<const std::byte*>(bytes.raw()) + row * row_bytes(type, shape[1]);
  }
};

template <class Fn>
void for_scales(Matrix& matrix, Fn&& fn) {
  const WeightLayout& layout = layout_of(matrix.type);
  auto* bytes = static_cast<std::byte*>(matrix.bytes.raw());
  for (size_t at = 0; at < matrix.bytes.bytes();)
    for (const BlockSection& section : layout.sections)
      for (int64_t i = 0; i < section.count; ++i, at += static_cast<size_t>(section.element_bytes))
        if (section.element_bytes == 2) fn(bytes + at);
}

// Of f32, f16 and bf16 random numbers, of a quantised type random bytes with finite scales.
Matrix random_matrix(WeightType type, int64_t rows, int64_t columns, uint64_t seed) {
  Rng rng(seed);
  Tensor numbers(DType::kF32, {rows, columns});
  for (float& number : numbers.span<float>()) number = rng.normal();
  for (const DType dtype : {DType::kF32, DType::kF16, DType::kBF16})
    if (weight_type_of(dtype) == type) return {type, {rows, columns}, convert(numbers, dtype)};
  Matrix matrix;
  matrix.type = type;
  matrix.shape = {rows, columns};
  matrix.bytes = Tensor(DType::kU8, {rows, row_bytes(type, columns)});
  for (uint8_t& byte : matrix.bytes.span<uint8_t>()) byte = static_cast<uint8_t>(rng.below(256));
  for_scales(matrix, [&](std::byte* scale) {
    const Float16 number = to_f16(rng.normal() / 16);
    std::memcpy(scale, &number, sizeof(number));
  });
  return matrix;
}

// The same numbers as f32.
Tensor widened(const Matrix& matrix) {
  Tensor wide(DType::kF32, matrix.shape);
  if (matrix.bytes.dtype() != DType::kU8) return convert(matrix.bytes, DType::kF32);
  for (int64_t row = 0; row < matrix.shape[0]; ++row)
    widen_blocks(matrix.type, matrix.row(row), matrix.shape[1] / layout_of(matrix.type).block,
                 wide.data<float>() + row * matrix.shape[1]);
  return wide;
}

std::vector<std::pair<int64_t, int64_t>> sizes_of(WeightType type) {
  const int64_t block = layout_of(type).block;
  if (block < 32) return {{1, 1}, {64, 5}, {70, 63}, {130, 129}};
  return {{1, block}, {70, 3 * block}, {128, 2 * block}};
}

TEST(WeightMatrix, GivesTheNumbersOfItsBytes) {
  for (const WeightType type : kTypes)
    for (const auto& [rows, columns] : sizes_of(type)) {
      const Matrix stored = random_matrix(type, rows, columns, 1);
      const Tensor wide = widened(stored);
      const WeightMatrix matrix(stored.stored());
      for (int64_t row = 0; row < rows; ++row) {
        const float* const expected = wide.data<float>() + row * columns;
        int64_t next = 0;
        matrix.for_row(row, [&](int64_t first, const float* numbers, int64_t count) {
          EXPECT_EQ(first, next);
          next = first + count;
          EXPECT_EQ(std::memcmp(numbers, expected + first, static_cast<size_t>(count) * 4), 0);
        });
        EXPECT_EQ(next, columns) << layout_of(type).name;
        EXPECT_EQ(matrix.at(row, columns - 1), expected[columns - 1]);
      }
    }
}

class WeightProducts : public testing::TestWithParam<int64_t> {
 protected:
  void SetUp() override { hwy::SetSupportedTargetsForTest(GetParam()); }
  void TearDown() override { hwy::SetSupportedTargetsForTest(0); }
};

TEST_P(WeightProducts, HaveTheBitsOfTheNumbersAsF32) {
  ThreadPool pool(2);
  Execution execution;
  execution.pool = &pool;
  Rng rng(5);
  for (const WeightType type : kTypes)
    for (const auto& sizes : sizes_of(type)) {
      const int64_t out = sizes.first, in = sizes.second;
      const Matrix stored = random_matrix(type, out, in, 2);
      const WeightMatrix kept(stored.stored());
      constexpr int64_t kRows = 15;
      std::vector<float> x(static_cast<size_t>(kRows * in));
      for (float& value : x) value = rng.normal();
      const auto product = [&](const StoredMatrix& weights, int64_t first, int64_t rows) {
        Linear linear;
        linear.add(weights, WeightOrder::kOutIn);
        std::vector<float> y(static_cast<size_t>(rows * out));
        EXPECT_TRUE(linear.forward(x.data() + first * in, rows, y.data(), false, KernelId::kLinear,
                                   execution));
        return y;
      };
      const std::vector<float> expected = product(StoredMatrix(widened(stored)), 0, kRows);
      for (int64_t n = 0; n < out; ++n) {
        double sum = 0, size = 1e-6;
        for (int64_t k = 0; k < in; ++k) {
          const double term = double{x[static_cast<size_t>(k)]} * double{kept.at(n, k)};
          sum += term;
          size += std::abs(term);
        }
        ASSERT_NEAR(expected[static_cast<size_t>(n)], sum, 1e-5 * size) << layout_of(type).name;
        if (n > 3) break;  // a few are enough
      }
      for (const int64_t rows : {1, 2, 3, 4, 5, 7, 15}) {
        const std::vector<float> y = product(stored.stored(), kRows - rows, rows);
        ASSERT_EQ(std::memcmp(y.data(), expected.data() + (kRows - rows) * out, y.size() * 4), 0)
            << layout_of(type).name << " [" << out << ", " << in << "], " << rows << " rows";
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Targets, WeightProducts,
                         testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         [](const auto& target) { return hwy::TargetName(target.param); });

TEST(WeightMatrix, PassesOnWhatReadingThrows) {
  ThreadPool pool(2);
  std::atomic<int> reads{0};
  const auto read = [&](int64_t first, int64_t /*count*/, std::byte* /*to*/) {
    ++reads;
    if (first >= 2 * kPanelRows) throw Error(ErrorCode::kCancelled, {"enough", "", "", "", ""});
  };
  EXPECT_THROW(WeightMatrix(WeightType::kQ8_0, 100 * kPanelRows, 32, read, &pool), Error);
  EXPECT_LT(reads, 10);
}

TEST(WeightMatrix, TakesTheMemoryOfItsFile) {
  for (const WeightType type : kTypes)
    EXPECT_EQ(WeightMatrix::bytes(type, 640, 512), 640 * row_bytes(type, 512));
  EXPECT_EQ(row_bytes(WeightType::kBF16, 7), 14);
  EXPECT_EQ(row_bytes(WeightType::kQ4_0, 64), 36);
}

TEST(WeightMatrix, NumbersThatAreNotFiniteAreFoundByTheirScales) {
  for (const WeightType type :
       {WeightType::kQ8_0, WeightType::kQ4_0, WeightType::kQ4_K, WeightType::kQ6_K}) {
    const int64_t block = layout_of(type).block;
    Matrix matrix = random_matrix(type, 3, 2 * block, 3);
    const auto* const blocks = static_cast<const std::byte*>(matrix.bytes.raw());
    const int64_t numbers = 3 * 2 * block;
    EXPECT_EQ(first_not_finite(type, blocks, numbers), -1);
    EXPECT_EQ(count_not_finite(type, blocks, numbers), 0);
    int64_t scale_number = 0;
    const int64_t scales = type == WeightType::kQ4_K ? 2 : 1;
    for_scales(matrix, [&](std::byte* scale) {
      const Float16 nan{0x7E00};
      if (scale_number++ / scales == 4) std::memcpy(scale, &nan, sizeof(nan));
    });
    EXPECT_EQ(first_not_finite(type, blocks, numbers), 4 * block);
    EXPECT_EQ(count_not_finite(type, blocks, numbers), block);
  }
}

}  // namespace
}  // namespace attn
