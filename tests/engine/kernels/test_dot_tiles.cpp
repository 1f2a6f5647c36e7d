// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/tiles/dot_tiles.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/kernels/bf16_products.h"

namespace attn {
namespace {

class DotTiles : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_bf16_unit(Bf16Unit::kDotProducts))
      GTEST_SKIP() << "this machine has no dot products of bf16 numbers (AVX-512 BF16 of AMD)";
    AlignedBuffer::guard_allocations(true);
  }
  void TearDown() override { AlignedBuffer::guard_allocations(false); }
};

TEST_F(DotTiles, ProductsOfEveryTypeAndLayoutAsOneByOne) {
  for (const int64_t head_size : {2, 16, 48, 64, 80, 128, 256})
    for (const auto& [layout, block_size] :
         {std::pair{0, 1}, {1, 16}, {1, 32}, {1, 8}, {1, 5}, {2, 16}, {2, 8}}) {
      if (layout == 2 && head_size % 16 != 0) continue;
      expect_products<BFloat16>(Bf16Unit::kDotProducts, layout, block_size, head_size);
      expect_products<int8_t>(Bf16Unit::kDotProducts, layout, block_size, head_size);
    }
  for (const int64_t head_size : {1, 17, 31, 511})
    expect_products<BFloat16>(Bf16Unit::kDotProducts, 0, 1, head_size);
  expect_products<int8_t>(Bf16Unit::kDotProducts, 1, 16, 31);
  expect_products<int8_t>(Bf16Unit::kDotProducts, 1, 5, 30);
}

TEST_F(DotTiles, WeightsTimesValues) {
  for (const int64_t head_size : {1, 16, 31, 64, 80})
    expect_value_products(Bf16Unit::kDotProducts, head_size);
}

TEST_F(DotTiles, RoundsWeightsAsBf16Does) {
  AlignedBuffer weights(64 * 4), rounded(64 * 2);
  auto* weight = reinterpret_cast<float*>(weights.data());
  auto* found = reinterpret_cast<BFloat16*>(rounded.data());
  Rng rng(5);
  for (int i = 0; i < 64; ++i) weight[i] = std::exp(-static_cast<float>(rng.below(30)) / 7);
  dot_round_weights(weight, 64, found);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(found[i].bits, to_bf16(weight[i]).bits) << weight[i];
}

TEST_F(DotTiles, PagesInPlaceAsPacked) {
  for (const int64_t head_size : {16, 80, 128})
    for (const int64_t block_size : {8, 16, 32, 48})
      for (const int64_t rows : {1, 4, 6, 7, 16}) {
        SCOPED_TRACE(
            fmt::format("{} rows, blocks of {}, head size {}", rows, block_size, head_size));
        const Keys keys = make_keys<BFloat16>(1, block_size, head_size, 11);
        constexpr int64_t kCount = 64;
        AlignedBuffer packed(static_cast<size_t>(matrix_key_bytes(kCount, head_size)));
        matrix_pack_keys(keys.source, kHead, 0, kCount, head_size, packed.data());
        Rng rng(3);
        std::vector<float> query(static_cast<size_t>(rows * head_size));
        for (float& x : query) x = to_f32(to_bf16(rng.normal()));
        AlignedBuffer bf16(static_cast<size_t>(matrix_query_bytes(rows, head_size)));
        matrix_pack_query(query.data(), rows, head_size, bf16.data());
        const int64_t run = block_size % 16 == 0 ? 16 : 8;
        const BFloat16 *runs[8] = {}, *values[8] = {};
        for (int64_t k = 0; k < kCount; k += run)
          runs[k / run] = values[k / run] =
              static_cast<const BFloat16*>(keys.source.base) + keys.source.row(k, kHead);
        const DotPages pages{runs, values, run, keys.source.chunk_stride};
        for (const auto& [from, to] : {std::pair<int64_t, int64_t>{0, 64}, {16, 64}, {32, 48}}) {
          std::vector<float> expected(static_cast<size_t>(rows * kCount), -1.0f), found = expected;
          dot_scores(bf16.data(), rows, packed.data(), from / 16, to / 16, head_size,
                     expected.data(), kCount);
          dot_page_scores(bf16.data(), rows, pages, from, to, head_size, found.data(), kCount);
          EXPECT_EQ(found, expected) << from << " to " << to;
        }
      }
}

TEST_F(DotTiles, NumbersBelowTheSmallestNormalCountAsZero) {
  expect_tiny_numbers_count_as_zero(Bf16Unit::kDotProducts);
}

}  // namespace
}  // namespace attn
