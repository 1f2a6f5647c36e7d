// SPDX-License-Identifier: GPL-3.0-or-later
// What the trace shows of a pallas decode: its calls, when pages are fetched and by which worker,
// and how two cores share the work. Calls that are split give the same bits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/backends/kernels/pallas_test.h"
#include "tests/support/traced_run.h"

namespace attn::testing {
namespace {

using ::testing::ElementsAre;

TEST_F(Pallas, DecodeBatchesThatDoNotFitScalarMemoryAreSplit) {
  CaseSpec spec;
  spec.config = make_config(1, 1, 128);
  spec.is_prefill = false;
  for (uint64_t i = 0; i < 7; ++i) spec.sequences.push_back({1, static_cast<int64_t>(3 * i), i});
  AttentionCase c = make_case(spec);
  const RunResult expected = run_case(c, pallas());
  // The same block tables, but wide: with 25000 entries of 4 bytes, 5 sequences fit in scalar
  // memory, 4 after rounding to an even number.
  AttentionMetadata wide = c.metadata;
  wide.max_blocks_per_seq = 25000;
  wide.block_tables.assign(7 * 25000, -1);
  for (int64_t s = 0; s < 7; ++s)
    std::copy_n(c.metadata.block_table(s).begin(), c.metadata.max_blocks_per_seq,
                wide.block_tables.begin() + s * 25000);
  c.metadata = wide;
  const RunResult found = run_case(c, pallas());
  EXPECT_TRUE(bits_equal(found.out, expected.out));
  EXPECT_TRUE(bits_equal(found.lse, expected.lse));
  const TracedRun run(c, pallas(), 2);
  const auto splits = run.of(EventKind::kCallSplit);
  ASSERT_EQ(splits.size(), 2u);
  EXPECT_EQ(splits[0].a, static_cast<uint32_t>(KernelId::kPallasPagedDecode));
  EXPECT_EQ(splits[0].d, 4u);
  EXPECT_EQ(splits[1].d, 3u);
}

TEST_F(Pallas, PagesOfTheNextBlockAreFetchedBeforeThePresentOneIsComputed) {
  CaseSpec spec;
  spec.config = make_config(2, 1, 128);
  spec.is_prefill = false;
  spec.block_size = 8;  // 128 tokens per compute block
  spec.sequences = {{1, 299, 1}};
  const TracedRun run(make_case(spec), pallas(), 1);
  std::string order;
  std::vector<uint32_t> pages;
  for (const TraceEvent& event : run.events) {
    if (event.kind == EventKind::kPageFetch) {
      order += 'f';
      pages.push_back(event.b);
      pages.push_back(event.c);
      EXPECT_GT(event.duration_ns, 0u);
      EXPECT_EQ(event.a >> 24, static_cast<uint32_t>(KernelId::kPallasPagedDecode));
    } else if (event.kind == EventKind::kTile) {
      order += 't';
    }
  }
  EXPECT_EQ(order,
            "ffttfttt"
            "t");                                         // two query heads per block of keys
  EXPECT_THAT(pages, ElementsAre(0, 16, 16, 16, 32, 6));  // 300 tokens: 16 + 16 + 6 pages
}

TEST_F(Pallas, AnotherWorkerFetchesWhileTheCoreComputes) {
  CaseSpec spec;
  spec.config = make_config(2, 1, 128);
  spec.is_prefill = false;
  spec.block_size = 8;  // 128 tokens per compute block
  spec.sequences = {{1, 699, 1}};
  const AttentionCase c = make_case(spec);
  const TracedRun run(c, pallas(), 2);
  struct Span {
    uint64_t begin, end;
  };
  std::vector<Span> fetches, blocks;
  for (const TraceEvent& event : run.of(EventKind::kPageFetch)) {
    EXPECT_EQ(event.lane, 2);
    fetches.push_back({event.begin_ns, event.begin_ns + event.duration_ns});
  }
  const std::vector<TraceEvent> tiles = run.of(EventKind::kTile);
  ASSERT_EQ(tiles.size(), 12u);  // 700 tokens: 6 blocks, two query heads each
  for (size_t i = 0; i < tiles.size(); i += 2) {
    EXPECT_EQ(tiles[i].lane, 1);
    blocks.push_back({tiles[i].begin_ns, tiles[i + 1].begin_ns + tiles[i + 1].duration_ns});
  }
  ASSERT_EQ(fetches.size(), blocks.size());
  for (size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_GE(blocks[i].begin, fetches[i].end) << "a block is computed after it is fetched";
    if (i + 1 < blocks.size()) {
      EXPECT_LT(fetches[i + 1].begin, blocks[i].end) << "while a block is computed";
    }
    if (i + 2 < blocks.size()) {
      EXPECT_GE(fetches[i + 2].begin, blocks[i].end) << "there are two buffers";
    }
  }
}

// (request, query head) pairs that each lane computed.
std::map<uint8_t, std::set<std::pair<uint32_t, uint32_t>>> work_of_lanes(const TracedRun& run) {
  std::map<uint8_t, std::set<std::pair<uint32_t, uint32_t>>> work;
  for (const TraceEvent& event : run.of(EventKind::kTile)) {
    const TileEvent tile = unpack_tile(event);
    work[event.lane].insert({tile.request, tile.head});
  }
  return work;
}

TEST_F(Pallas, TwoWorkersStandForTwoCores) {
  using Work = std::set<std::pair<uint32_t, uint32_t>>;
  CaseSpec spec;
  spec.is_prefill = false;
  spec.sequences = {{1, 40, 1}, {1, 50, 2}};
  // Even number of KV heads: each core takes every other head.
  spec.config = make_config(2, 2, 128);
  auto work = work_of_lanes(TracedRun(make_case(spec), pallas(), 2));
  EXPECT_EQ(work[1], (Work{{0, 0}, {1, 0}}));
  EXPECT_EQ(work[2], (Work{{0, 1}, {1, 1}}));
  // Odd KV heads, even batch: each core takes every other sequence.
  spec.config = make_config(3, 3, 128);
  work = work_of_lanes(TracedRun(make_case(spec), pallas(), 2));
  EXPECT_EQ(work[1], (Work{{0, 0}, {0, 1}, {0, 2}}));
  EXPECT_EQ(work[2], (Work{{1, 0}, {1, 1}, {1, 2}}));
  spec.sequences.push_back({1, 7, 3});  // both odd: one core does everything
  work = work_of_lanes(TracedRun(make_case(spec), pallas(), 2));
  EXPECT_EQ(work[1].size(), 9u);
  EXPECT_EQ(work.count(2), 0u);
  spec.config = make_config(2, 2, 128);
  spec.config.backend_options["tpu"] = "v5e";  // a chip with one core
  work = work_of_lanes(TracedRun(make_case(spec), pallas(), 2));
  EXPECT_EQ(work.count(2), 0u);
}

}  // namespace
}  // namespace attn::testing
