// SPDX-License-Identifier: GPL-3.0-or-later
// What a flash prefill does apart from its numbers: the tiles that it visits and their order, the
// rows that it reports, and that it computes nothing once its gate is cancelled.
#include "engine/kernels/prefill/flash_prefill.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "tests/engine/kernels/prefill_operands.h"

namespace attn::testing {
namespace {

TEST(FlashPrefill, VisitsEveryVisibleTileOnceAndNoOther) {
  Prefill prefill(700, 2, 1, 32);
  Traced traced(2);
  ASSERT_TRUE(flash_prefill(prefill.args, prefill.workspace, traced.execution));
  constexpr uint32_t kRows = kQueryTile / 2;  // with two workers the largest tiles would be too few
  std::set<std::tuple<uint32_t, uint32_t, uint32_t>> expected, found;
  for (uint32_t head = 0; head < 2; ++head)
    for (uint32_t q = 0; q < 700; q += kRows)
      for (uint32_t k = 0; k < std::min<uint32_t>(700, q + kRows); k += kKvTile)
        expected.insert({head, q, k});
  for (const TileEvent& tile : traced.tiles()) {
    EXPECT_EQ(tile.request, 3u);
    EXPECT_EQ(tile.kernel, KernelId::kFlashPrefill);
    EXPECT_TRUE(found.insert({tile.head, tile.q_begin, tile.k_begin}).second);
  }
  EXPECT_EQ(found, expected);
}

TEST(FlashPrefill, SlidingWindowSkipsTilesBehindIt) {
  Prefill prefill(1200, 1, 1, 32);
  prefill.args.sliding_window = 100;
  Traced traced(1);
  ASSERT_TRUE(flash_prefill(prefill.args, prefill.workspace, traced.execution));
  for (const TileEvent& tile : traced.tiles())
    EXPECT_GT(tile.k_begin + tile.k_count + 100, tile.q_begin)
        << tile.q_begin << " " << tile.k_begin;
}

TEST(FlashPrefill, ASlowRunComesFirstRowsFirst) {
  Prefill prefill(50, 2, 2, 32);
  Traced traced(1);
  traced.execution.query_tile_rows = 7;
  ASSERT_TRUE(flash_prefill(prefill.args, prefill.workspace, traced.execution));
  uint32_t last = 0;
  const auto tiles = traced.tiles();
  EXPECT_EQ(tiles.size(), 2u * 8u);
  for (const TileEvent& tile : tiles) {
    EXPECT_LE(tile.q_count, 7u);
    EXPECT_GE(tile.q_begin, last);
    last = tile.q_begin;
  }
}

TEST(FlashPrefill, TellsEveryRowOnce) {
  Prefill prefill(333, 4, 2, 64);
  Traced traced(2);
  CountingSink sink;
  traced.execution.rows = &sink;
  ASSERT_TRUE(flash_prefill(prefill.args, prefill.workspace, traced.execution));
  EXPECT_EQ(sink.rows, 333 * 4);
  EXPECT_EQ(sink.finite, 333 * 4);
}

TEST(FlashPrefill, StopsWhenTheGateIsCancelled) {
  Prefill prefill(300, 2, 2, 32);
  Traced traced(2);
  RunGate gate;
  traced.execution.gate = &gate;
  gate.cancel();
  EXPECT_FALSE(flash_prefill(prefill.args, prefill.workspace, traced.execution));
  EXPECT_TRUE(traced.tiles().empty());
}

}  // namespace
}  // namespace attn::testing
