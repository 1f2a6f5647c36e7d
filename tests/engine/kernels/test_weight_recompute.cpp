// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/weight_recompute.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "engine/core/rng.h"

namespace attn {
namespace {

struct Operands {
  int64_t rows, keys, head_size;
  std::vector<float> query, key, lse;
};

// Operands of causal attention; the log-sum-exp is computed in fp64.
Operands make_operands(int64_t length, int64_t head_size, float scale) {
  Operands o{length, length, head_size, {}, {}, {}};
  Rng rng(static_cast<uint64_t>(length * 1000 + head_size));
  for (int64_t i = 0; i < length * head_size; ++i) {
    o.query.push_back(rng.normal());
    o.key.push_back(rng.normal());
  }
  for (int64_t q = 0; q < length; ++q) {
    double sum = 0;
    for (int64_t k = 0; k <= q; ++k) {
      double dot = 0;
      for (int64_t d = 0; d < head_size; ++d)
        dot += double{o.query[static_cast<size_t>(q * head_size + d)]} *
               o.key[static_cast<size_t>(k * head_size + d)];
      sum += std::exp(dot * scale);
    }
    o.lse.push_back(static_cast<float>(std::log(sum)));
  }
  return o;
}

std::vector<float> weights_of(const Operands& o, int64_t q, int64_t qn, int64_t k, int64_t kn,
                              float scale) {
  WeightTile tile;
  tile.query = o.query.data() + q * o.head_size;
  tile.query_stride = tile.key_stride = tile.head_size = o.head_size;
  tile.key = o.key.data() + k * o.head_size;
  tile.lse = o.lse.data() + q;
  tile.q_begin = q;
  tile.q_count = qn;
  tile.k_begin = k;
  tile.k_count = kn;
  tile.scale = scale;
  std::vector<float> weights(static_cast<size_t>(qn * kn), -1.0f);
  recompute_weights(tile, weights.data(), kn);
  return weights;
}

TEST(WeightRecompute, RowsSumToOneAndMaskedCellsAreZero) {
  for (const int64_t head_size : {32, 48, 64, 120}) {
    const float scale = 1.0f / std::sqrt(static_cast<float>(head_size));
    const Operands o = make_operands(150, head_size, scale);
    const std::vector<float> weights = weights_of(o, 0, 150, 0, 150, scale);
    for (int64_t q = 0; q < 150; ++q) {
      double sum = 0;
      for (int64_t k = 0; k < 150; ++k) {
        const float w = weights[static_cast<size_t>(q * 150 + k)];
        if (k > q) {
          EXPECT_EQ(w, 0.0f);
        }
        sum += w;
      }
      EXPECT_NEAR(sum, 1.0, 1e-5);
    }
  }
}

TEST(WeightRecompute, BitsDoNotDependOnTheTile) {
  const float scale = 0.125f;
  const Operands o = make_operands(200, 64, scale);
  const std::vector<float> whole = weights_of(o, 0, 200, 0, 200, scale);
  Rng rng(5);
  for (int round = 0; round < 100; ++round) {
    const auto q = static_cast<int64_t>(rng.below(200)), k = static_cast<int64_t>(rng.below(200));
    const auto qn = static_cast<int64_t>(1 + rng.below(static_cast<uint64_t>(200 - q)));
    const auto kn = static_cast<int64_t>(1 + rng.below(static_cast<uint64_t>(200 - k)));
    const std::vector<float> part = weights_of(o, q, qn, k, kn, scale);
    for (int64_t i = 0; i < qn; ++i)
      for (int64_t j = 0; j < kn; ++j)
        ASSERT_EQ(part[static_cast<size_t>(i * kn + j)],
                  whole[static_cast<size_t>((q + i) * 200 + k + j)]);
  }
}

TEST(WeightRecompute, RowsWithoutResult) {
  Operands o = make_operands(8, 32, 0.2f);
  o.lse[3] = std::numeric_limits<float>::quiet_NaN();
  o.lse[5] = -std::numeric_limits<float>::infinity();
  const std::vector<float> weights = weights_of(o, 0, 8, 0, 8, 0.2f);
  for (int64_t k = 0; k < 8; ++k) {
    EXPECT_TRUE(std::isnan(weights[static_cast<size_t>(3 * 8 + k)]));
    EXPECT_EQ(weights[static_cast<size_t>(5 * 8 + k)], 0.0f);
  }
}

}  // namespace
}  // namespace attn
