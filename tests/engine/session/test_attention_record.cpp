// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/record/attention_record.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <thread>

#include "backends/register_all.h"
#include "engine/core/rng.h"
#include "tests/support/dense.h"
#include "tests/support/print_dtype.h"

namespace attn {
namespace {

constexpr int64_t kRecordLayers = 2, kRecordHeads = 4, kRecordKvHeads = 2, kWidth = 32,
                  kBlockSize = 8;

// A sequence of `rows` tokens in scattered blocks, with its own copy of queries and keys, from
// which the expected log-sum-exps and weights follow.
class Sequence {
 public:
  Sequence(const std::string& backend, int64_t rows_in, DType dtype = DType::kF32) : rows(rows_in) {
    register_all_backends();
    KvStorageSpec spec;
    spec.num_layers = kRecordLayers;
    spec.num_blocks = 2 * ((rows + kBlockSize - 1) / kBlockSize) + 1;
    spec.block_size = kBlockSize;
    spec.num_kv_heads = kRecordKvHeads;
    spec.head_size = kWidth;
    spec.dtype = dtype;
    cache = std::make_shared<KvStorage>(backend_named(backend), spec);
    for (int64_t b = 0; b * kBlockSize < rows; ++b)
      blocks.push_back(static_cast<int32_t>(spec.num_blocks - 1 - 2 * b));
    Rng rng(7);
    const auto fill = [&](std::vector<float>& values, int64_t count) {
      values.resize(static_cast<size_t>(count));
      for (float& x : values) x = to_f32(to_bf16(rng.normal()));  // exact in both cache dtypes
    };
    fill(query, kRecordLayers * rows * kRecordHeads * kWidth);
    fill(key, kRecordLayers * rows * kRecordKvHeads * kWidth);
    for (int64_t layer = 0; layer < kRecordLayers; ++layer) {
      std::vector<int64_t> slots;
      for (int64_t i = 0; i < rows; ++i)
        slots.push_back(blocks[static_cast<size_t>(i / kBlockSize)] * kBlockSize + i % kBlockSize);
      const float* keys = key.data() + layer * rows * kRecordKvHeads * kWidth;
      cache->backend().write_rows(cache->layer(layer), slots, keys, keys);
    }
    record = std::make_shared<AttentionRecord>(
        3, AttentionRecord::Shape{kRecordLayers, kRecordHeads, kRecordKvHeads, kWidth, kScale},
        cache);
  }

  double score(int64_t layer, int64_t head, int64_t q, int64_t k) const {
    const float* a = query.data() + ((layer * rows + q) * kRecordHeads + head) * kWidth;
    const float* b =
        key.data() +
        ((layer * rows + k) * kRecordKvHeads + head / (kRecordHeads / kRecordKvHeads)) * kWidth;
    return kScale * test::dot({a, kWidth}, {b, kWidth});
  }
  double lse(int64_t layer, int64_t head, int64_t q) const {
    double sum = 0;
    for (int64_t k = 0; k <= q; ++k) sum += std::exp(score(layer, head, q, k));
    return std::log(sum);
  }
  double weight(int64_t layer, int64_t head, int64_t q, int64_t k) const {
    return k > q ? 0.0 : std::exp(score(layer, head, q, k) - lse(layer, head, q));
  }
  void keep(int64_t begin, int64_t count) {
    record->grow(begin + count);
    record->set_blocks(TableKind::kOwn, blocks);
    for (int64_t layer = 0; layer < kRecordLayers; ++layer)
      record->keep_queries(layer, begin, count,
                           query.data() + (layer * rows + begin) * kRecordHeads * kWidth,
                           kRecordHeads * kWidth);
  }
  void publish(int64_t begin, int64_t count) {
    for (int64_t layer = 0; layer < kRecordLayers; ++layer)
      for (int64_t head = 0; head < kRecordHeads; ++head)
        for (int64_t q = begin; q < begin + count; ++q) {
          const auto value = static_cast<float>(lse(layer, head, q));
          record->publish_lse(layer, head, q, 1, &value, 1);
        }
  }
  void add(int64_t begin, int64_t count) {
    keep(begin, count);
    publish(begin, count);
  }

  static constexpr float kScale = 0.17677669f;
  int64_t rows;
  std::shared_ptr<KvStorage> cache;
  std::vector<int32_t> blocks;
  std::vector<float> query, key;
  std::shared_ptr<AttentionRecord> record;
};

void expect_all_weights(const Sequence& sequence, int64_t rows) {
  std::vector<float> tile(static_cast<size_t>(rows * rows));
  for (int64_t layer = 0; layer < kRecordLayers; ++layer)
    for (int64_t head = 0; head < kRecordHeads; ++head) {
      sequence.record->weights(layer, head, 0, rows, 0, rows, tile.data());
      double worst = 0, worst_sum = 0;
      for (int64_t q = 0; q < rows; ++q) {
        const double row_lse = sequence.lse(layer, head, q);
        double sum = 0;
        for (int64_t k = 0; k < rows; ++k) {
          const float weight = tile[static_cast<size_t>(q * rows + k)];
          sum += weight;
          if (k > q) {
            ASSERT_EQ(weight, 0.0f) << q << "," << k;
          }
          const double expected =
              k > q ? 0.0 : std::exp(sequence.score(layer, head, q, k) - row_lse);
          worst = std::max(worst, std::abs(weight - expected));
        }
        worst_sum = std::max(worst_sum, std::abs(sum - 1));
      }
      EXPECT_LT(worst, 1e-6) << "layer " << layer << " head " << head;
      EXPECT_LT(worst_sum, 1e-5);
    }
}

class AttentionRecordTest : public testing::TestWithParam<std::tuple<std::string, DType>> {};

TEST_P(AttentionRecordTest, WeightsAreTheSoftmaxLiveAndArchived) {
  Sequence sequence(std::get<0>(GetParam()), 83, std::get<1>(GetParam()));
  sequence.add(0, 40);
  for (int64_t row = 40; row < 83; ++row) sequence.add(row, 1);
  expect_all_weights(sequence, 83);
  std::vector<float> before(83 * 83), after(83 * 83);
  sequence.record->weights(1, 2, 0, 83, 0, 83, before.data());
  sequence.record->archive_keys();
  sequence.record->weights(1, 2, 0, 83, 0, 83, after.data());
  EXPECT_EQ(before, after);
  EXPECT_EQ(sequence.record->operands(0, 0, 5, 3).block, -1);
  for (int64_t layer = 0; layer < kRecordLayers; ++layer) {
    Tensor& storage = *sequence.cache->layer(layer).storage;
    std::memset(storage.raw(), 0xff, storage.bytes());
  }
  expect_all_weights(sequence, 83);
}

// Blocks leave the cache one by one, then all; from the fourth on they come back elsewhere.
TEST_P(AttentionRecordTest, BlocksAreArchivedAndMovedOneByOne) {
  constexpr int64_t kRows = 61, kLeft = 3;
  Sequence sequence(std::get<0>(GetParam()), kRows, std::get<1>(GetParam()));
  sequence.add(0, kRows);
  const auto wreck = [&](int32_t block, float with) {
    std::vector<int64_t> slots(kBlockSize);
    std::iota(slots.begin(), slots.end(), int64_t{block} * kBlockSize);
    const std::vector<float> values(kBlockSize * kRecordKvHeads * kWidth, with);
    for (int64_t layer = 0; layer < kRecordLayers; ++layer)
      sequence.cache->backend().write_rows(sequence.cache->layer(layer), slots, values.data(),
                                           values.data());
  };
  for (const int64_t logical : {int64_t{0}, int64_t{1}, int64_t{2}, int64_t{5}}) {
    sequence.record->archive_blocks(TableKind::kOwn, logical, logical + 1);
    wreck(sequence.blocks[static_cast<size_t>(logical)], 7.0f);
    EXPECT_EQ(sequence.record->operands(0, 0, 60, logical * kBlockSize).block, -1);
    expect_all_weights(sequence, kRows);
  }
  EXPECT_EQ(sequence.record->operands(0, 0, 60, 3 * kBlockSize).block, sequence.blocks[3]);

  sequence.record->archive_keys();
  std::vector<int32_t> moved(sequence.blocks.size(), 0);
  for (auto j = static_cast<size_t>(kLeft); j < moved.size(); ++j) {
    moved[j] = sequence.blocks[j] - 1;
    for (int64_t layer = 0; layer < kRecordLayers; ++layer) {
      std::vector<int64_t> slots;
      const int64_t begin = static_cast<int64_t>(j) * kBlockSize;
      const int64_t count = std::min(kBlockSize, kRows - begin);
      for (int64_t i = 0; i < count; ++i) slots.push_back(int64_t{moved[j]} * kBlockSize + i);
      const float* keys = sequence.key.data() + (layer * kRows + begin) * kRecordKvHeads * kWidth;
      sequence.cache->backend().write_rows(sequence.cache->layer(layer), slots, keys, keys);
    }
    wreck(sequence.blocks[j], 7.0f);
  }
  sequence.record->set_blocks(TableKind::kOwn, moved, kLeft);
  expect_all_weights(sequence, kRows);
  EXPECT_EQ(sequence.record->operands(0, 0, 60, 2 * kBlockSize).block, -1);
  EXPECT_EQ(sequence.record->operands(0, 0, 60, 5 * kBlockSize).block, moved[5]);
}

TEST(AttentionRecord, AForkGoesOnFromWhatThereIs) {
  Sequence sequence("torch_sdpa", 150);
  sequence.add(0, 100);
  sequence.record->archive_blocks(TableKind::kOwn, 0, 1);
  const std::shared_ptr<AttentionRecord> parent = sequence.record;
  sequence.record = parent->fork(9);
  EXPECT_EQ(sequence.record->request(), 9u);
  EXPECT_EQ(sequence.record->num_rows(), 100);
  expect_all_weights(sequence, 100);
  sequence.add(100, 50);
  EXPECT_EQ(parent->num_rows(), 100);
  parent->forget_rows();
  expect_all_weights(sequence, 150);
  EXPECT_FALSE(parent->row_done(0, 0, 3));
}

INSTANTIATE_TEST_SUITE_P(Backends, AttentionRecordTest,
                         testing::Combine(testing::Values("reference", "torch_sdpa"),
                                          testing::Values(DType::kF32, DType::kBF16)),
                         [](const auto& test) {
                           return std::get<0>(test.param) + "_" +
                                  std::string(name_of(std::get<1>(test.param)));
                         });

TEST(AttentionRecord, CellsDoNotDependOnTheTile) {
  Sequence sequence("torch_sdpa", 600);
  sequence.add(0, 600);
  std::vector<float> all(600 * 600);
  sequence.record->weights(0, 1, 0, 600, 0, 600, all.data());
  Rng rng(3);
  for (int i = 0; i < 200; ++i) {
    const auto q = static_cast<int64_t>(rng.below(600)), k = static_cast<int64_t>(rng.below(600));
    const auto q_count = 1 + static_cast<int64_t>(rng.below(static_cast<uint64_t>(600 - q)));
    const auto k_count = 1 + static_cast<int64_t>(rng.below(static_cast<uint64_t>(600 - k)));
    std::vector<float> tile(static_cast<size_t>(q_count * k_count));
    sequence.record->weights(0, 1, q, q_count, k, k_count, tile.data());
    for (int64_t r = 0; r < q_count; ++r)
      for (int64_t c = 0; c < k_count; ++c)
        ASSERT_EQ(tile[static_cast<size_t>(r * k_count + c)],
                  all[static_cast<size_t>((q + r) * 600 + k + c)]);
    const WeightOperands one = sequence.record->operands(0, 1, q, k);
    ASSERT_EQ(one.masked, k > q);
    ASSERT_EQ(one.weight, all[static_cast<size_t>(q * 600 + k)]);
    if (!one.masked) {
      ASSERT_NEAR(one.dot * one.scale, one.score, 1e-6);
      ASSERT_NEAR(one.score, sequence.score(0, 1, q, k), 1e-5);
      ASSERT_EQ(one.slot,
                sequence.blocks[static_cast<size_t>(k / kBlockSize)] * kBlockSize + k % kBlockSize);
    }
  }
}

TEST(AttentionRecord, RowsAppearWhenPublishedAndAreForgotten) {
  Sequence sequence("reference", 20);
  sequence.keep(0, 20);
  const uint64_t version = sequence.record->version();
  EXPECT_EQ(sequence.record->num_rows(), 20);
  EXPECT_FALSE(sequence.record->row_done(0, 0, 4));
  EXPECT_FALSE(sequence.record->operands(0, 0, 4, 1).computed);
  const auto lse = static_cast<float>(sequence.lse(0, 0, 4));
  sequence.record->publish_lse(0, 0, 4, 1, &lse, 1);
  EXPECT_GT(sequence.record->version(), version);
  EXPECT_TRUE(sequence.record->row_done(0, 0, 4));
  EXPECT_EQ(sequence.record->lse(0, 0, 4), lse);
  EXPECT_FALSE(sequence.record->row_done(0, 1, 4));
  std::vector<float> tile(20 * 20);
  sequence.record->weights(0, 0, 0, 20, 0, 20, tile.data());
  for (int64_t q = 0; q < 20; ++q)
    for (int64_t k = 0; k < 20; ++k) {
      const float weight = tile[static_cast<size_t>(q * 20 + k)];
      if (q == 4) {
        EXPECT_NEAR(weight, sequence.weight(0, 0, q, k), 1e-6);
      } else {
        EXPECT_TRUE(std::isnan(weight));
      }
    }
  sequence.record->forget_rows(5);
  EXPECT_TRUE(sequence.record->row_done(0, 0, 4));
  sequence.record->forget_rows();
  EXPECT_FALSE(sequence.record->row_done(0, 0, 4));
  sequence.add(0, 20);
  expect_all_weights(sequence, 20);
  sequence.record->archive_keys();
  sequence.record->forget_rows();
  sequence.add(0, 20);
  expect_all_weights(sequence, 20);
}

TEST(AttentionRecord, AComputedNanIsDone) {
  Sequence sequence("reference", 12);
  sequence.add(0, 12);
  sequence.record->forget_rows(6);
  const float nan = std::bit_cast<float>(0x7fc0a77eu);
  sequence.record->publish_lse(0, 0, 6, 1, &nan, 1);
  EXPECT_TRUE(sequence.record->row_done(0, 0, 6));
  EXPECT_TRUE(std::isnan(sequence.record->lse(0, 0, 6)));
  EXPECT_FALSE(sequence.record->row_done(0, 0, 7));
  std::vector<float> tile(12 * 12);
  for (const int64_t width : {12, 5, 1}) {
    for (int64_t k = 0; k < 12; k += width) {
      const int64_t count = std::min<int64_t>(width, 12 - k);
      sequence.record->weights(0, 0, 0, 12, k, count, tile.data());
      for (int64_t i = 0; i < count; ++i) {
        EXPECT_EQ(std::isnan(tile[static_cast<size_t>(6 * count + i)]), k + i <= 6) << k + i;
        EXPECT_FALSE(std::isnan(tile[static_cast<size_t>(5 * count + i)]));
      }
    }
  }
  EXPECT_TRUE(sequence.record->operands(0, 0, 6, 2).computed);
  EXPECT_TRUE(std::isnan(sequence.record->operands(0, 0, 6, 2).weight));
}

TEST(AttentionRecord, OutOfRangeIsNotComputed) {
  Sequence sequence("reference", 9);
  sequence.add(0, 9);
  EXPECT_FALSE(sequence.record->row_done(0, 0, 9));
  EXPECT_FALSE(sequence.record->row_done(0, 0, -1));
  EXPECT_FALSE(sequence.record->operands(0, 0, 9, 0).computed);
  EXPECT_FALSE(sequence.record->operands(0, 0, 0, -1).computed);
}

TEST(AttentionRecord, ReadersNeverSeeHalfARow) {
  constexpr int64_t kRows = 160;
  Sequence sequence("torch_sdpa", kRows);
  std::vector<double> expected(kRows * kRows);
  for (int64_t q = 0; q < kRows; ++q)
    for (int64_t k = 0; k <= q; ++k)
      expected[static_cast<size_t>(q * kRows + k)] = sequence.weight(1, 3, q, k);
  std::vector<float> lse(kRecordHeads * kRows);
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0}, seen{0};
  const auto read = [&] {
    std::vector<float> tile(kRows * kRows);
    while (!stop.load()) {
      sequence.record->weights(1, 3, 0, kRows, 0, kRows, tile.data());
      for (size_t i = 0; i < tile.size(); ++i) {
        if (std::isnan(tile[i])) continue;
        ++seen;
        if (std::abs(tile[i] - expected[i]) > 1e-6) ++wrong;
      }
    }
  };
  sequence.record->grow(kRows);
  sequence.record->set_blocks(TableKind::kOwn, sequence.blocks);
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; ++i) readers.emplace_back(read);
  for (int round = 0; round < 6; ++round) {
    sequence.record->forget_rows();
    for (int64_t row = 0; row < kRows; row += 16) sequence.add(row, 16);
    if (round % 2) sequence.record->archive_keys();
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(wrong.load(), 0);
  EXPECT_GT(seen.load(), 0);
}

}  // namespace
}  // namespace attn
