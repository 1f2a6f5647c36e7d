// SPDX-License-Identifier: GPL-3.0-or-later
// AttentionRecords of layers that are not plain causal attention, filled without a run: weights and
// operands are compared with sums in f64.
#include <gtest/gtest.h>

#include <cmath>

#include "backends/register_all.h"
#include "engine/attention/attention_bias.h"
#include "engine/core/rng.h"
#include "engine/session/record/attention_record.h"
#include "tests/support/dense.h"

namespace attn {
namespace {

constexpr int64_t kRuleHeads = 4, kRuleKvHeads = 2, kRuleWidth = 32, kRuleBlockSize = 8;
constexpr float kScale = 0.17677669f;

struct Filled {
  Filled(const WeightRule& rule_in, int64_t rows_in, int64_t keys_in, int64_t encoder_keys)
      : rule(rule_in), rows(rows_in), keys(keys_in) {
    register_all_backends();
    KvStorageSpec spec{
        1, 2 * keys / kRuleBlockSize + 3, kRuleBlockSize, kRuleKvHeads, kRuleWidth, DType::kF32};
    cache = std::make_shared<KvStorage>(backend_named("torch_sdpa"), spec);
    std::vector<int32_t> blocks;
    for (int64_t b = 0; b * kRuleBlockSize < keys; ++b)
      blocks.push_back(static_cast<int32_t>(spec.num_blocks - 1 - 2 * b));
    Rng rng(11);
    for (int64_t i = 0; i < rows * kRuleHeads * kRuleWidth; ++i) query.push_back(rng.normal());
    for (int64_t i = 0; i < keys * kRuleKvHeads * kRuleWidth; ++i) key.push_back(rng.normal());
    std::vector<int64_t> slots;
    for (int64_t i = 0; i < keys; ++i)
      slots.push_back(blocks[static_cast<size_t>(i / kRuleBlockSize)] * kRuleBlockSize +
                      i % kRuleBlockSize);
    cache->backend().write_rows(cache->layer(0), slots, key.data(), key.data());
    AttentionRecord::Shape shape{1, kRuleHeads, kRuleKvHeads, kRuleWidth, kScale};
    shape.rules = rule;
    shape.encoder_keys = encoder_keys;
    record = std::make_shared<AttentionRecord>(0, shape, cache);
    record->grow(rows);
    record->set_blocks(rule.cross ? TableKind::kCross : TableKind::kOwn, blocks);
    record->keep_queries(0, 0, rows, query.data(), kRuleHeads * kRuleWidth);
    for (int64_t head = 0; head < kRuleHeads; ++head)
      for (int64_t q = 0; q < rows; ++q) {
        const auto value = static_cast<float>(lse(head, q));
        record->publish_lse(0, head, q, 1, &value, 1);
      }
  }

  bool sees(int64_t head, int64_t q, int64_t k) const {
    if (rule.causal && k > q) return false;
    if (rule.sliding_window > 0 && k <= q - rule.sliding_window) return false;
    if (!rule.blocksparse) return true;
    const BlockSparse& sparse = *rule.blocksparse;
    return sees_block(sparse, head, q / sparse.block_size, k / sparse.block_size);
  }
  double score(int64_t head, int64_t q, int64_t k) const {
    const auto row = static_cast<size_t>((q * kRuleHeads + head) * kRuleWidth);
    const auto key_row = static_cast<size_t>((k * kRuleKvHeads + head / 2) * kRuleWidth);
    double sum = kScale * test::dot(std::span(query).subspan(row, kRuleWidth),
                                    std::span(key).subspan(key_row, kRuleWidth));
    if (rule.soft_cap > 0) sum = rule.soft_cap * std::tanh(sum / rule.soft_cap);
    if (!rule.alibi_slopes.empty())
      sum += rule.alibi_slopes[static_cast<size_t>(head)] * static_cast<double>(k - q);
    return sum;
  }
  double lse(int64_t head, int64_t q) const {
    double sum = 0;
    for (int64_t k = 0; k < keys; ++k)
      if (sees(head, q, k)) sum += std::exp(score(head, q, k));
    return std::log(sum);
  }
  void expect_right() const {
    std::vector<float> tile(static_cast<size_t>(rows * keys));
    for (int64_t head = 0; head < kRuleHeads; ++head) {
      record->weights(0, head, 0, rows, 0, keys, tile.data());
      for (int64_t q = 0; q < rows; ++q) {
        const double row_lse = lse(head, q);
        for (int64_t k = 0; k < keys; ++k) {
          const float found = tile[static_cast<size_t>(q * keys + k)];
          const double expected = sees(head, q, k) ? std::exp(score(head, q, k) - row_lse) : 0.0;
          ASSERT_NEAR(found, expected, 1e-5) << head << ' ' << q << ' ' << k;
          if (!sees(head, q, k)) {
            ASSERT_EQ(found, 0.0f);
          }
        }
      }
    }
    for (const auto& [q, k] :
         {std::pair<int64_t, int64_t>{rows - 1, 3}, {rows / 2, keys - 1}, {5, 5}, {0, keys - 2}}) {
      const WeightOperands cell = record->operands(0, 3, q, k);
      EXPECT_EQ(cell.masked, !sees(3, q, k)) << q << ' ' << k;
      EXPECT_TRUE(cell.computed);
      if (cell.masked) continue;
      EXPECT_NEAR(cell.score, score(3, q, k), 1e-5);
      EXPECT_EQ(cell.weight, tile[static_cast<size_t>(q * keys + k)]);
      EXPECT_NEAR(std::exp(double{cell.score} - cell.lse), cell.weight, 1e-5);
    }
  }

  WeightRule rule;
  int64_t rows, keys;
  std::shared_ptr<KvStorage> cache;
  std::vector<float> query, key;
  std::shared_ptr<AttentionRecord> record;
};

TEST(AttentionRules, DecodersWithEveryMaskAndBias) {
  WeightRule window, alibi, cap, sparse, all;
  window.sliding_window = all.sliding_window = 21;
  alibi.alibi_slopes = all.alibi_slopes = standard_alibi_slopes(kRuleHeads);
  cap.soft_cap = all.soft_cap = 1.25f;
  sparse.blocksparse = all.blocksparse = BlockSparse{1, 3, 4, 1};
  for (const WeightRule& rule : {WeightRule{}, window, alibi, cap, sparse, all})
    Filled(rule, 300, 300, 0).expect_right();
}

TEST(AttentionRules, EncodersSeeLaterKeys) {
  WeightRule rule;
  rule.causal = false;
  Filled(rule, 70, 70, 0).expect_right();
  rule.sliding_window = 9;  // limits past keys only
  rule.alibi_slopes = standard_alibi_slopes(kRuleHeads);
  const Filled filled(rule, 70, 70, 0);
  filled.expect_right();
  float weight = 0;
  filled.record->weights(0, 3, 0, 1, 69, 1, &weight);
  EXPECT_GT(weight, 0.0f);
}

TEST(AttentionRules, CrossAttentionHasTheEncodersKeys) {
  WeightRule rule;
  rule.causal = false;
  rule.cross = true;
  for (const int64_t keys : {13, 40, 300}) {
    const Filled filled(rule, 40, keys, keys);
    filled.expect_right();
    EXPECT_EQ(filled.record->num_rows(), 40);
    EXPECT_EQ(filled.record->num_keys(0), keys);
    filled.record->archive_keys();
    filled.expect_right();
  }
}

TEST(AttentionRules, SpansAreWhatIsSeen) {
  WeightRule rule;
  EXPECT_EQ(rule.span(5, 100), (KeySpan{0, 6}));
  EXPECT_EQ(rule.span(5, 3), (KeySpan{0, 3}));
  rule.sliding_window = 4;
  EXPECT_EQ(rule.span(5, 100), (KeySpan{2, 6}));
  EXPECT_EQ(rule.span(200, 100), (KeySpan{100, 100}));
  rule.causal = false;
  EXPECT_EQ(rule.span(5, 100), (KeySpan{2, 100}));
  EXPECT_TRUE(rule.sees(0, 5, 99));
  EXPECT_FALSE(rule.sees(0, 5, 1));
  EXPECT_FALSE(rule.is_plain());
  AttentionConfig config;
  EXPECT_TRUE(weight_rule(config).is_plain());
  config.attn_type = AttentionType::kEncoderDecoder;
  EXPECT_FALSE(weight_rule(config).is_plain());
}

}  // namespace
}  // namespace attn
