// SPDX-License-Identifier: GPL-3.0-or-later
// Paged decode, called directly: the choice between v1 and v2, equal bits, the tiles, and that it
// computes nothing once its gate is cancelled.
#include "engine/kernels/decode/paged_decode.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "engine/core/dtype.h"
#include "engine/core/rng.h"
#include "engine/kernels/tiles/bf16_unit.h"
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

struct PagedGroup {
  PagedGroup(DType dtype, int64_t heads, int64_t head_size, int64_t block_size)
      : query(dtype == DType::kBF16 ? DType::kBF16 : DType::kF32, {2, heads, head_size}),
        out(query.dtype(), {2, heads, head_size}),
        lse(DType::kF32, {2, heads}),
        cache(dtype, {2, kKeys / block_size, head_size * block_size}) {
    Rng rng(static_cast<uint64_t>(head_size + block_size));
    fill(query, rng);
    fill(cache, rng);
    for (int64_t i = kKeys / block_size; i > 0; --i) table.push_back(static_cast<int32_t>(i - 1));
    KvSource keys = dense_rows(cache.raw(), dtype, 1, head_size);
    keys.block_table = table.data();
    keys.block_size = block_size;
    keys.block_stride = head_size * block_size;
    KvSource values = keys;
    values.base = static_cast<std::byte*>(cache.raw()) + cache.bytes() / 2;
    keys.token_stride = keys.chunk = keys.fold();
    keys.chunk_stride = block_size * keys.fold();
    sequences = {{0, 0, 300, keys, values}, {1, 1, kKeys, keys, values}};
    args.query = &query;
    args.out = &out;
    args.lse = lse.data<float>();
    args.num_heads = heads;
    args.num_kv_heads = 1;
    args.head_size = head_size;
    args.scale = 0.125f;
    args.sequences = sequences;
    if (query.dtype() == DType::kBF16 && has_bf16_unit(Bf16Unit::kDotProducts))
      args.bf16_unit = Bf16Unit::kDotProducts;
  }
  static void fill(Tensor& tensor, Rng& rng) {
    for (int64_t i = 0; i < tensor.size(); ++i) {
      const float x = rng.normal();
      if (tensor.dtype() == DType::kF32) tensor.data<float>()[i] = x;
      if (tensor.dtype() == DType::kBF16) tensor.data<BFloat16>()[i] = to_bf16(x);
      if (tensor.dtype() == DType::kF16) tensor.data<Float16>()[i] = to_f16(x);
      // A code that is finite and below 16 in both fp8 types.
      if (size_of(tensor.dtype()) == 1)
        static_cast<uint8_t*>(tensor.raw())[i] =
            static_cast<uint8_t>(0x80 * rng.below(2) + rng.below(0x4c));
    }
  }
  static constexpr int64_t kKeys = 512;
  Tensor query, out, lse, cache;
  std::vector<int32_t> table;
  std::vector<DecodeSequence> sequences;
  DecodeArgs args;
  Workspace workspace;
};

TEST(PagedDecode, HeadsOfAGroupHaveTheBitsOfEachAlone) {
  for (const DType dtype :
       {DType::kF32, DType::kBF16, DType::kF16, DType::kF8E4M3, DType::kF8E5M2, DType::kI8})
    for (const auto& [head_size, block_size] : {std::pair{128, 16}, {80, 8}, {48, 32}}) {
      PagedGroup alone(dtype, 13, head_size, block_size), group(dtype, 13, head_size, block_size);
      Traced one(1), three(3);
      ASSERT_TRUE(paged_decode_v1(alone.args, alone.workspace, one.execution));
      ASSERT_TRUE(paged_decode_grouped(group.args, group.workspace, three.execution));
      EXPECT_EQ(std::memcmp(alone.out.raw(), group.out.raw(), alone.out.bytes()), 0)
          << name_of(dtype) << ", head size " << head_size;
      EXPECT_EQ(std::memcmp(alone.lse.raw(), group.lse.raw(), alone.lse.bytes()), 0);
    }
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
