// SPDX-License-Identifier: GPL-3.0-or-later
// Paged decode, called directly: the choice between v1 and v2, the equality of their bits, their
// tiles, and how they stop. Agreement with the reference is in tests/backends.
#include "engine/kernels/decode/paged_decode.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "tests/engine/kernels/kernel_operands.h"

namespace attn::testing {
namespace {

// Sequences of the given lengths, all reading the same dense keys and values.
struct Decode {
  explicit Decode(const std::vector<int64_t>& lengths)
      : operands(static_cast<int64_t>(lengths.size()), 1500, 4, 2, 64) {
    for (size_t i = 0; i < lengths.size(); ++i)
      sequences.push_back({static_cast<uint32_t>(i), static_cast<int64_t>(i), lengths[i],
                           operands.key_source(), operands.value_source()});
    args.query = &operands.query;
    args.out = &operands.out;
    args.lse = operands.lse.data<float>();
    args.num_heads = 4;
    args.num_kv_heads = 2;
    args.head_size = 64;
    args.scale = operands.scale();
    args.sequences = sequences;
  }
  KernelOperands operands;
  std::vector<DecodeSequence> sequences;
  DecodeArgs args;
  Workspace workspace;
};

TEST(PagedDecode, ChoosesV1LikeTheOriginal) {
  EXPECT_TRUE(use_paged_decode_v1(512, 1, 1));    // one partition
  EXPECT_FALSE(use_paged_decode_v1(513, 1, 8));   // few rows: partitions share the work
  EXPECT_FALSE(use_paged_decode_v1(513, 64, 8));  // 64 * 8 = 512 rows are not more than 512
  EXPECT_TRUE(use_paged_decode_v1(8192, 65, 8));
  EXPECT_FALSE(use_paged_decode_v1(8193, 65, 8));  // too long for one pass
  EXPECT_TRUE(use_paged_decode_v1(0, 1, 1));
}

TEST(PagedDecode, V1AndV2GiveTheSameBits) {
  const std::vector<int64_t> lengths{1, 255, 256, 257, 511, 512, 513, 1024, 1500};
  Decode v1(lengths), v2(lengths);
  Traced one(1), three(3);
  ASSERT_TRUE(paged_decode_v1(v1.args, v1.workspace, one.execution));
  ASSERT_TRUE(paged_decode_v2(v2.args, v2.workspace, three.execution));
  EXPECT_EQ(std::memcmp(v1.operands.out.raw(), v2.operands.out.raw(), v1.operands.out.bytes()), 0);
  EXPECT_EQ(std::memcmp(v1.operands.lse.raw(), v2.operands.lse.raw(), v1.operands.lse.bytes()), 0);
}

TEST(PagedDecode, TilesCoverEveryKeyOfEveryHeadOnce) {
  for (const auto kernel : {&paged_decode_v1, &paged_decode_v2}) {
    Decode decode({1, 300, 1500});
    Traced traced(2);
    CountingSink sink;
    traced.execution.rows = &sink;
    ASSERT_TRUE(kernel(decode.args, decode.workspace, traced.execution));
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> keys;
    for (const TileEvent& tile : traced.tiles()) {
      EXPECT_EQ(tile.q_count, 1u);
      EXPECT_EQ(tile.q_begin, decode.sequences[tile.request].seq_len - 1);
      keys[{tile.request, tile.head}] += tile.k_count;
    }
    EXPECT_EQ(keys.size(), 3u * 4u);
    for (const auto& [place, count] : keys) EXPECT_EQ(count, decode.sequences[place.first].seq_len);
    EXPECT_EQ(sink.rows, 3 * 4);
  }
}

TEST(PagedDecode, StopsWhenTheGateIsCancelled) {
  for (const auto kernel : {&paged_decode_v1, &paged_decode_v2}) {
    Decode decode({1500});
    Traced traced(1);
    RunGate gate;
    traced.execution.gate = &gate;
    gate.cancel();
    EXPECT_FALSE(kernel(decode.args, decode.workspace, traced.execution));
  }
}

}  // namespace
}  // namespace attn::testing
