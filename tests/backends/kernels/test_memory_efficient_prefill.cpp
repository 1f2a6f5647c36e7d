// SPDX-License-Identifier: GPL-3.0-or-later
// Memory-efficient attention: how many calls a batch takes, and which tiles the calls visit.
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "tests/backends/kernels/xformers_test.h"

namespace attn::testing {
namespace {

TEST_F(Xformers, TilesOutsideTheDiagonalBlocksAreNeverVisited) {
  CaseSpec spec;
  spec.config = make_config(2, 1, 64);
  spec.sequences = {{200, 0, 1}, {1, 0, 2}, {300, 0, 3}};
  const auto events = traced_events(make_case(spec));
  EXPECT_EQ(kernels_of(events, KernelId::kMemoryEfficientPrefill), 1);
  EXPECT_EQ(count_of(events, EventKind::kCallSplit), 0);
  std::multiset<std::pair<uint32_t, uint32_t>> tiles;  // (request, first key) of head 0
  for (const TraceEvent& event : events) {
    if (event.kind != EventKind::kTile) continue;
    const TileEvent tile = unpack_tile(event);
    EXPECT_EQ(tile.kernel, KernelId::kMemoryEfficientPrefill);
    EXPECT_LE(tile.k_begin, tile.q_begin + tile.q_count - 1);
    if (tile.head == 0) tiles.insert({tile.request, tile.k_begin});
  }
  EXPECT_EQ(tiles.count({0, 0}), 4u);
  EXPECT_EQ(tiles.count({1, 0}), 1u);
  EXPECT_EQ(tiles.count({2, 0}), 5u);
  EXPECT_EQ(tiles.count({2, 256}), 1u);
  EXPECT_EQ(tiles.size(), 11u);
}

TEST_F(Xformers, AWindowLeavesOutTilesBeforeIt) {
  CaseSpec spec;
  spec.config = make_config(1, 1, 64);
  spec.config.sliding_window = 10;
  spec.sequences = {{700, 0, 1}};
  for (const TraceEvent& event : traced_events(make_case(spec))) {
    if (event.kind != EventKind::kTile) continue;
    const TileEvent tile = unpack_tile(event);
    EXPECT_GT(tile.k_begin + 256 + 10, tile.q_begin);
  }
}

TEST_F(Xformers, AlibiTakesOneCallPerSequence) {
  CaseSpec spec;
  spec.config = make_config(2, 1, 64);
  spec.config.alibi_slopes = standard_alibi_slopes(2);
  spec.sequences = {{20, 0, 1}, {30, 0, 2}, {5, 0, 3}};
  const auto events = traced_events(make_case(spec));
  EXPECT_EQ(kernels_of(events, KernelId::kMemoryEfficientPrefill), 3);
  EXPECT_EQ(count_of(events, EventKind::kCallSplit), 3);
}

}  // namespace
}  // namespace attn::testing
