// SPDX-License-Identifier: GPL-3.0-or-later
// Masks, biases, ALiBi slopes and the soft cap. Whole masks are compared with their rules cell by
// cell.
#include "engine/attention/attention_bias.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "engine/core/error.h"

namespace attn {
namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();

using Lens = std::vector<int32_t>;
// Whether query row i sees key j of the same sequence, which has q_len queries and k_len keys.
using Sees = std::function<bool(int64_t i, int64_t j, int64_t q_len, int64_t k_len)>;

const Sees kAll = [](int64_t, int64_t, int64_t, int64_t) { return true; };
const Sees kTopLeft = [](int64_t i, int64_t j, int64_t, int64_t) { return j <= i; };
const Sees kBottomRight = [](int64_t i, int64_t j, int64_t q, int64_t k) { return j <= i + k - q; };
Sees local(int64_t window, bool bottom_right) {
  return [=](int64_t i, int64_t j, int64_t q, int64_t k) {
    const int64_t p = i + (bottom_right ? k - q : 0);
    return j <= p && j > p - window;
  };
}
Sees around(int64_t left, int64_t right) {
  return [=](int64_t i, int64_t j, int64_t q, int64_t k) {
    const int64_t p = i + k - q;
    return p - left <= j && j <= p + right;
  };
}

std::vector<float> brute(const Lens& q, const std::vector<int64_t>& key_starts, const Lens& k,
                         int64_t num_keys, const Sees& sees) {
  std::vector<float> cells;
  for (size_t s = 0; s < q.size(); ++s)
    for (int64_t i = 0; i < q[s]; ++i)
      for (int64_t column = 0; column < num_keys; ++column) {
        const int64_t j = column - key_starts[s];
        const bool own = j >= 0 && j < k[s];
        cells.push_back(own && sees(i, j, q[s], k[s]) ? 0.0f : kMasked);
      }
  return cells;
}

std::vector<int64_t> packed(const Lens& lens) {
  std::vector<int64_t> starts;
  int64_t total = 0;
  for (const int32_t length : lens) {
    starts.push_back(total);
    total += length;
  }
  return starts;
}
int64_t total(const Lens& lens) {
  int64_t sum = 0;
  for (const int32_t length : lens) sum += length;
  return sum;
}

void expect_mask(const AttentionBias& mask, std::string_view name,
                 const std::vector<float>& wanted) {
  EXPECT_EQ(mask.name(), name);
  const Tensor cells = mask.materialize();
  ASSERT_EQ(cells.size(), static_cast<int64_t>(wanted.size())) << name;
  for (int64_t i = 0; i < cells.size(); ++i)
    ASSERT_EQ(cells.data<float>()[i], wanted[static_cast<size_t>(i)])
        << name << " row " << i / mask.num_keys() << " key " << i % mask.num_keys();
  for (int64_t row = 0; row < mask.num_queries(); ++row) {
    const KeySpan span = mask.visible(row);
    if (span.empty()) continue;
    EXPECT_NE(mask.value(0, row, span.begin), kMasked) << name;
    EXPECT_NE(mask.value(0, row, span.end - 1), kMasked) << name;
  }
}

TEST(AttentionBias, MasksOfOneBlock) {
  for (const auto& [q, k] : {std::pair{5, 5}, {3, 7}, {7, 3}, {1, 9}, {4, 0}, {0, 4}}) {
    const Lens ql{q}, kl{k};
    const std::vector<int64_t> at{0};
    expect_mask(LowerTriangularMask(q, k), "LowerTriangularMask", brute(ql, at, kl, k, kTopLeft));
    expect_mask(LowerTriangularFromBottomRightMask(q, k), "LowerTriangularFromBottomRightMask",
                brute(ql, at, kl, k, kBottomRight));
    expect_mask(NoMask(q, k), "NoMask", brute(ql, at, kl, k, kAll));
    for (const int64_t window : {1, 2, 4, 100}) {
      expect_mask(LowerTriangularFromBottomRightLocalAttentionMask(q, k, window),
                  "LowerTriangularFromBottomRightLocalAttentionMask",
                  brute(ql, at, kl, k, local(window, true)));
      expect_mask(LocalAttentionFromBottomRightMask(q, k, window, 2),
                  "LocalAttentionFromBottomRightMask", brute(ql, at, kl, k, around(window, 2)));
    }
  }
}

TEST(AttentionBias, BlockDiagonalMasks) {
  const std::vector<std::pair<Lens, Lens>> batches{
      {{3, 1, 5}, {3, 1, 5}}, {{2, 0, 4}, {5, 3, 4}}, {{1, 1}, {9, 0}}, {{0, 0, 2}, {1, 2, 2}}};
  for (const auto& [q, k] : batches) {
    const auto at = packed(k);
    const int64_t n = total(k);
    expect_mask(BlockDiagonalMask(q, k), "BlockDiagonalMask", brute(q, at, k, n, kAll));
    expect_mask(BlockDiagonalCausalMask(q, k), "BlockDiagonalCausalMask",
                brute(q, at, k, n, kTopLeft));
    for (const int64_t window : {1, 3}) {
      expect_mask(BlockDiagonalCausalLocalAttentionMask(q, k, window),
                  "BlockDiagonalCausalLocalAttentionMask",
                  brute(q, at, k, n, local(window, false)));
      expect_mask(BlockDiagonalCausalLocalAttentionFromBottomRightMask(q, k, window),
                  "BlockDiagonalCausalLocalAttentionFromBottomRightMask",
                  brute(q, at, k, n, local(window, true)));
    }
  }
  const Lens q{2, 4}, k{5, 4};
  expect_mask(BlockDiagonalCausalFromBottomRightMask(q, k),
              "BlockDiagonalCausalFromBottomRightMask", brute(q, packed(k), k, 9, kBottomRight));
}

TEST(AttentionBias, KeysWithPaddingAndGaps) {
  const Lens q{2, 3, 1}, k{5, 3, 0}, starts{7, 1, 12};
  const std::vector<int64_t> padded{0, 6, 12}, gappy{7, 1, 12};
  expect_mask(BlockDiagonalPaddedKeysMask(q, k, 6), "BlockDiagonalPaddedKeysMask",
              brute(q, padded, k, 18, kAll));
  expect_mask(BlockDiagonalCausalWithOffsetPaddedKeysMask(q, k, 6),
              "BlockDiagonalCausalWithOffsetPaddedKeysMask", brute(q, padded, k, 18, kBottomRight));
  expect_mask(BlockDiagonalCausalLocalAttentionPaddedKeysMask(q, k, 6, 2),
              "BlockDiagonalCausalLocalAttentionPaddedKeysMask",
              brute(q, padded, k, 18, local(2, true)));
  expect_mask(BlockDiagonalLocalAttentionPaddedKeysMask(q, k, 6, 1, 1),
              "BlockDiagonalLocalAttentionPaddedKeysMask", brute(q, padded, k, 18, around(1, 1)));
  expect_mask(BlockDiagonalGappyKeysMask(q, starts, k, 14), "BlockDiagonalGappyKeysMask",
              brute(q, gappy, k, 14, kAll));
  expect_mask(BlockDiagonalCausalWithOffsetGappyKeysMask(q, starts, k, 14),
              "BlockDiagonalCausalWithOffsetGappyKeysMask", brute(q, gappy, k, 14, kBottomRight));
}

TEST(AttentionBias, PagedMasksGoThroughTheTable) {
  const Lens q{2, 3}, k{5, 3}, tables{4, 0, -1, 2, 1, -1};
  const int64_t pages = 3, page = 2, slots = 10;
  const auto through_table = [&](const Sees& sees) {
    std::vector<float> cells;
    for (int64_t s = 0; s < 2; ++s)
      for (int64_t i = 0; i < q[static_cast<size_t>(s)]; ++i) {
        std::vector<float> row(static_cast<size_t>(slots), kMasked);
        const int64_t k_len = k[static_cast<size_t>(s)];
        for (int64_t j = 0; j < k_len; ++j) {
          const int32_t block = tables[static_cast<size_t>(s * pages + j / page)];
          if (block >= 0 && sees(i, j, q[static_cast<size_t>(s)], k_len))
            row[static_cast<size_t>(block * page + j % page)] = 0.0f;
        }
        cells.insert(cells.end(), row.begin(), row.end());
      }
    return cells;
  };
  expect_mask(PagedBlockDiagonalPaddedKeysMask(q, k, tables, pages, page),
              "PagedBlockDiagonalPaddedKeysMask", through_table(kAll));
  expect_mask(PagedBlockDiagonalCausalWithOffsetPaddedKeysMask(q, k, tables, pages, page),
              "PagedBlockDiagonalCausalWithOffsetPaddedKeysMask", through_table(kBottomRight));
  expect_mask(PagedBlockDiagonalCausalLocalPaddedKeysMask(q, k, tables, pages, page, 2),
              "PagedBlockDiagonalCausalLocalPaddedKeysMask", through_table(local(2, true)));
}

TEST(AttentionBias, AlibiCountsFromTheDiagonal) {
  const std::vector<float> slopes{0.5f, 0.25f, 3.0f};
  const auto mask = std::make_shared<LowerTriangularFromBottomRightMask>(3, 5);
  const Tensor cells = AlibiBias(mask, slopes).materialize();
  ASSERT_EQ(cells.shape(), (Shape{3, 3, 5}));
  for (int64_t h = 0; h < 3; ++h)
    for (int64_t i = 0; i < 3; ++i)
      for (int64_t j = 0; j < 5; ++j)
        EXPECT_EQ(
            cells.data<float>()[(h * 3 + i) * 5 + j],
            j <= i + 2 ? slopes[static_cast<size_t>(h)] * static_cast<float>(j - i - 2) : kMasked);
}

TEST(AttentionBias, TensorOnATriangle) {
  auto bias = std::make_shared<Tensor>(DType::kF32, Shape{2, 3, 4});
  for (int64_t i = 0; i < bias->size(); ++i) bias->data<float>()[i] = static_cast<float>(i) + 1;
  bias->data<float>()[4] = kMasked;
  const LowerTriangularMaskWithTensorBias with(bias);
  EXPECT_EQ(with.name(), "LowerTriangularMaskWithTensorBias");
  const Tensor cells = with.materialize();
  for (int64_t h = 0; h < 2; ++h)
    for (int64_t i = 0; i < 3; ++i)
      for (int64_t j = 0; j < 4; ++j) {
        const int64_t at = (h * 3 + i) * 4 + j;
        EXPECT_EQ(cells.data<float>()[at], j <= i ? bias->data<float>()[at] : kMasked);
      }
  EXPECT_THROW(TensorBias(std::make_shared<NoMask>(3, 5), bias), Error);
  EXPECT_THROW(TensorBias(std::make_shared<NoMask>(2, 4), bias), Error);
}

TEST(AttentionBias, SlopesOfPowersOfTwoAndTheRest) {
  EXPECT_EQ(standard_alibi_slopes(8),
            (std::vector<float>{0.5f, 0.25f, 0.125f, 0.0625f, 0x1p-5f, 0x1p-6f, 0x1p-7f, 0x1p-8f}));
  EXPECT_EQ(standard_alibi_slopes(1), std::vector<float>{0x1p-8f});
  // The last 4 of 12 heads have the slopes 1, 3, 5 and 7 of 16 heads.
  const auto slopes = standard_alibi_slopes(12);
  ASSERT_EQ(slopes.size(), 12u);
  for (size_t i = 0; i < 4; ++i)
    EXPECT_FLOAT_EQ(slopes[8 + i], std::exp2(-0.5f * static_cast<float>(2 * i + 1)));
  EXPECT_EQ(standard_alibi_slopes(40).size(), 40u);
  EXPECT_THROW(standard_alibi_slopes(0), Error);
}

TEST(AttentionBias, SoftCapBoundsAndKeepsSmallScores) {
  const SoftCap cap{30.0};
  EXPECT_NEAR(cap(0.01), 0.01, 1e-8);
  EXPECT_DOUBLE_EQ(cap(30.0), 30.0 * std::tanh(1.0));
  EXPECT_LE(cap(1e9), 30.0);
  EXPECT_EQ(SoftCap{}(1e9), 1e9);
}

TEST(AttentionBias, BlockSparseLocalAndVertical) {
  const BlockSparse sparse{2, 3, 4, 1};
  for (int64_t head = 0; head < 3; ++head)
    for (int64_t query = 0; query < 40; ++query)
      for (int64_t key = 0; key <= query; ++key) {
        const int64_t i = query / 4, j = key / 4;
        EXPECT_EQ(sees_key(sparse, head, query, key), i - j < 2 || (j + head + 1) % 3 == 0);
      }
}

TEST(AttentionBias, OfASequenceByItsConfig) {
  AttentionConfig config;
  config.num_heads = config.num_kv_heads = 2;
  EXPECT_EQ(make_sequence_bias(config, 3, 5)->name(), "LowerTriangularFromBottomRightMask");
  config.sliding_window = 2;
  EXPECT_EQ(make_sequence_bias(config, 3, 5)->visible(0), (KeySpan{1, 3}));
  config.alibi_slopes = {{0.5f, 0.25f}};
  EXPECT_EQ(make_sequence_bias(config, 3, 5)->value(1, 0, 1), -0.25f);
  config.alibi_slopes.reset();
  config.attn_type = AttentionType::kEncoder;
  EXPECT_EQ(make_sequence_bias(config, 5, 5)->visible(3), (KeySpan{2, 5}));
  config.sliding_window.reset();
  EXPECT_EQ(make_sequence_bias(config, 5, 5)->visible(0), (KeySpan{0, 5}));
}

TEST(AttentionBias, RefusesWhatDoesNotFit) {
  const Lens one{3}, two{3, 4}, negative{-1}, tables{0, 1};
  EXPECT_THROW(BlockDiagonalMask(one, two), Error);
  EXPECT_THROW(BlockDiagonalMask(negative, one), Error);
  EXPECT_THROW(BlockDiagonalCausalFromBottomRightMask(two, Lens{3, 3}), Error);
  EXPECT_THROW(BlockDiagonalPaddedKeysMask(one, one, 2), Error);
  EXPECT_THROW(BlockDiagonalGappyKeysMask(one, Lens{2}, one, 4), Error);
  EXPECT_THROW(BlockDiagonalCausalLocalAttentionMask(one, one, 0), Error);
  EXPECT_THROW(LocalAttentionFromBottomRightMask(2, 2, -1, 0), Error);
  EXPECT_THROW(PagedBlockDiagonalPaddedKeysMask(one, one, tables, 3, 2), Error);
}

}  // namespace
}  // namespace attn
