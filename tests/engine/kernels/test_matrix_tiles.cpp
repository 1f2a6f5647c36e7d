// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/tiles/matrix_tiles.h"

#include <gtest/gtest.h>

#include "tests/engine/kernels/bf16_products.h"

namespace attn {
namespace {

class MatrixTiles : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_bf16_unit(Bf16Unit::kMatrix))
      GTEST_SKIP() << "this machine has no matrix unit (Intel AMX)";
    AlignedBuffer::guard_allocations(true);
  }
  void TearDown() override { AlignedBuffer::guard_allocations(false); }
};

TEST_F(MatrixTiles, ProductsOfEveryTypeAndLayoutAsOneByOne) {
  for (const int64_t head_size : {2, 16, 48, 64, 80, 128, 256})
    for (const auto& [layout, block_size] :
         {std::pair{0, 1}, {1, 16}, {1, 32}, {1, 8}, {1, 5}, {2, 16}, {2, 8}}) {
      if (layout == 2 && head_size % 16 != 0) continue;
      expect_products<BFloat16>(Bf16Unit::kMatrix, layout, block_size, head_size);
      expect_products<int8_t>(Bf16Unit::kMatrix, layout, block_size, head_size);
    }
  expect_products<BFloat16>(Bf16Unit::kMatrix, 0, 1, 31);
  expect_products<int8_t>(Bf16Unit::kMatrix, 1, 16, 31);
}

TEST_F(MatrixTiles, WeightsTimesValues) {
  for (const int64_t head_size : {1, 16, 31, 64, 80})
    expect_value_products(Bf16Unit::kMatrix, head_size);
}

TEST_F(MatrixTiles, NumbersBelowTheSmallestNormalCountAsZero) {
  const volatile float tiny = 0x1p-127f, one = 1.0f;
  {
    const SubnormalsAreZero scope;
    EXPECT_EQ(tiny * one, 0.0f);
  }
  EXPECT_NE(tiny * one, 0.0f);
  expect_tiny_numbers_count_as_zero(Bf16Unit::kMatrix);
}

}  // namespace
}  // namespace attn
