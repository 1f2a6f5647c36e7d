// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/attention/metadata.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "engine/core/error.h"

namespace attn {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

AttentionMetadata mixed() {
  static const std::vector<int32_t> first{7, 2}, second{4}, third{9, 1, 3};
  const std::vector<SequenceSlice> slices{
      {10, 0, 5, true, first}, {11, 2, 2, true, second}, {12, 8, 1, false, third}};
  return build_metadata(slices, 4);
}

TEST(Metadata, FlatBatchOfTwoPrefillsAndADecode) {
  const AttentionMetadata m = mixed();
  EXPECT_EQ(m.num_prefills, 2);
  EXPECT_EQ(m.num_prefill_tokens, 7);
  EXPECT_EQ(m.num_decode_tokens, 1);
  EXPECT_THAT(m.slot_mapping, ElementsAre(28, 29, 30, 31, 8, 18, 19, 12));
  EXPECT_THAT(m.seq_lens, ElementsAre(5, 4, 9));
  EXPECT_THAT(m.query_start_loc, ElementsAre(0, 5, 7, 8));
  EXPECT_THAT(m.block_tables, ElementsAre(7, 2, -1, 4, -1, -1, 9, 1, 3));
  EXPECT_EQ(m.max_query_len, 5);
  EXPECT_EQ(m.max_prefill_seq_len, 5);
  EXPECT_EQ(m.max_decode_seq_len, 9);
  EXPECT_NO_THROW(validate(m, 10, 4));
}

TEST(Metadata, PartsAreComputedOnceAndKept) {
  const AttentionMetadata m = mixed();
  const AttentionMetadata* prefill = m.prefill_metadata();
  const AttentionMetadata* decode = m.decode_metadata();
  ASSERT_NE(prefill, nullptr);
  ASSERT_NE(decode, nullptr);
  EXPECT_EQ(prefill, m.prefill_metadata());
  EXPECT_THAT(prefill->requests, ElementsAre(10, 11));
  EXPECT_EQ(prefill->num_tokens(), 7);
  EXPECT_THAT(decode->requests, ElementsAre(12));
  EXPECT_THAT(decode->query_start_loc, ElementsAre(0, 1));
  EXPECT_THAT(decode->slot_mapping, ElementsAre(12));
  EXPECT_THAT(decode->block_tables, ElementsAre(9, 1, 3));
  EXPECT_EQ(decode->max_decode_seq_len, 9);
  EXPECT_EQ(prefill->decode_metadata(), nullptr);
}

template <class Break>
void expect_refused(Break&& break_it, const char* text) {
  AttentionMetadata m = mixed();
  break_it(m);
  try {
    validate(m, 10, 4);
    FAIL() << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    EXPECT_THAT(error.what(), HasSubstr(text));
  }
}

TEST(Metadata, RefusesWhatDoesNotFit) {
  expect_refused([](auto& m) { m.slot_mapping[3] = 40; }, "slot_mapping[3]");
  expect_refused([](auto& m) { m.slot_mapping[3] = -2; }, "slot_mapping[3]");
  expect_refused([](auto& m) { m.slot_mapping.pop_back(); }, "`slot_mapping` has the wrong length");
  expect_refused([](auto& m) { m.requests.pop_back(); }, "`requests` has the wrong length");
  expect_refused([](auto& m) { m.block_tables[1] = 10; }, "block_tables[0][1]");
  expect_refused([](auto& m) { m.block_tables[0] = -1; }, "block_tables[0][0]");
  expect_refused([](auto& m) { m.seq_lens[1] = 9; }, "sequence 1");
  expect_refused([](auto& m) { m.context_lens[2] = -1; }, "sequence 2");
  expect_refused([](auto& m) { m.context_lens.pop_back(); }, "`context_lens`");
  expect_refused([](auto& m) { m.query_start_loc[0] = 1; }, "query_start_loc[0]");
  EXPECT_THROW(validate(mixed(), 10, 0), Error);
  EXPECT_THROW(validate(mixed(), 0, 4), Error);
}

TEST(Metadata, RefusesASlotThatIsWrittenTwice) {
  expect_refused([](auto& m) { m.slot_mapping[6] = m.slot_mapping[1]; }, "slot_mapping[6]");
  AttentionMetadata padded = mixed();
  padded.slot_mapping[0] = padded.slot_mapping[1] = kPaddingSlot;
  EXPECT_NO_THROW(validate(padded, 10, 4));
}

TEST(Config, RefusesSlopesThatAreNoNumbers) {
  AttentionConfig config;
  config.num_heads = config.num_kv_heads = 2;
  config.head_size = 32;
  config.scale = 1;
  config.alibi_slopes = {0.5f, 0.25f};
  EXPECT_NO_THROW(validate(config));
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    config.alibi_slopes = {0.5f, bad};
    EXPECT_THROW(validate(config), Error);
  }
}

TEST(Metadata, BuilderRefusesShortTablesAndWrongOrder) {
  const std::vector<int32_t> table{0};
  const std::vector<SequenceSlice> too_long{{1, 0, 5, true, table}};
  EXPECT_THROW(build_metadata(too_long, 4), Error);
  const std::vector<SequenceSlice> wrong_order{{1, 1, 1, false, table}, {2, 0, 2, true, table}};
  EXPECT_THROW(build_metadata(wrong_order, 4), Error);
  const std::vector<SequenceSlice> two_decodes{{1, 1, 2, false, table}};
  EXPECT_THROW(build_metadata(two_decodes, 4), Error);
}

}  // namespace
}  // namespace attn
