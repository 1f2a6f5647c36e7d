// SPDX-License-Identifier: GPL-3.0-or-later
// WeightMatrix, which keeps weights in the type of their file: its numbers, its memory, and errors
// of the function that reads it. Also blocks with numbers that are not finite.
#include "engine/model/weights/weight_matrix.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>

#include "engine/core/error.h"
#include "engine/model/not_finite.h"
#include "tests/engine/model/weights/random_matrix.h"

namespace attn {
namespace {

TEST(WeightMatrix, GivesTheNumbersOfItsBytes) {
  for (const WeightType type : kWeightTypes)
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
  for (const WeightType type : kWeightTypes)
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
