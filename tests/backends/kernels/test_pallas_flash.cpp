// SPDX-License-Identifier: GPL-3.0-or-later
// The pallas flash kernel: that it visits the blocks on and below the diagonal, and that its
// padding rows are in the trace and in kernels.csv.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

#include "backends/pallas/padding/padded_prefills.h"
#include "backends/pallas/pallas_grid.h"
#include "engine/session/report/report.h"
#include "tests/backends/kernels/pallas_test.h"
#include "tests/support/traced_run.h"

namespace attn::testing {
namespace {

using ::testing::ElementsAre;

TEST_F(Pallas, FlashVisitsTheBlocksOnAndBelowTheDiagonal) {
  constexpr auto kSide = static_cast<uint32_t>(backends::pallas::kBlock);
  CaseSpec spec;
  spec.config = make_config(2, 1, 128);
  spec.sequences = {{300, 0, 1}};
  std::multiset<std::pair<uint32_t, uint32_t>> found, expected;  // of tiles: first row, first key
  for (const TraceEvent& event : TracedRun(make_case(spec), pallas(), 2).of(EventKind::kTile)) {
    const TileEvent tile = unpack_tile(event);
    EXPECT_EQ(tile.kernel, KernelId::kPallasFlash);
    found.insert({tile.q_begin, tile.k_begin});
  }
  for (uint32_t row = 0; row < 300; row += kSide)
    for (uint32_t key = 0; key <= row; key += kSide)
      for (int head = 0; head < 2; ++head) expected.insert({row, key});
  EXPECT_EQ(found, expected);
}

TEST_F(Pallas, PaddingIsCountedAndTraced) {
  CaseSpec spec;
  spec.config = make_config(2, 1, 128);
  spec.sequences = {{17, 0, 1}, {32, 0, 2}, {1, 0, 3}, {33, 40, 4}};
  const TracedRun run(make_case(spec), pallas(), 1);
  const auto padding = run.of(EventKind::kPadding);
  ASSERT_EQ(padding.size(), 3u);  // the prompt of 32 tokens needs none
  EXPECT_EQ(padding[0].a, static_cast<uint32_t>(KernelId::kPallasFlash));
  EXPECT_EQ(padding[0].b, 17u);
  EXPECT_EQ(padding[0].c, 15u);
  EXPECT_EQ(padding[1].b, 1u);
  EXPECT_EQ(padding[1].c, 15u);
  EXPECT_EQ(padding[2].a, static_cast<uint32_t>(KernelId::kPallasMultiQuery));
  EXPECT_EQ(padding[2].b, 33u);
  EXPECT_EQ(padding[2].c, 15u);
  EXPECT_EQ(padding[2].d, 1u);
  // The flash kernel takes one prompt per call, with its padded length.
  const auto splits = run.of(EventKind::kCallSplit);
  ASSERT_EQ(splits.size(), 3u);
  EXPECT_EQ(splits[2].b, 2u);
  EXPECT_EQ(splits[2].c, 3u);
  std::vector<uint32_t> lengths;
  for (const TraceEvent& event : run.of(EventKind::kKernel))
    if (event.a == static_cast<uint32_t>(KernelId::kPallasFlash)) lengths.push_back(event.d);
  EXPECT_THAT(lengths, ElementsAre(32, 32, 16));
}

TEST_F(Pallas, KernelsCsvCountsTheRowsOfTheBuilder) {
  CaseSpec spec;
  spec.config = make_config(2, 1, 128);
  spec.sequences = {{17, 0, 1}, {32, 0, 2}, {1, 0, 3}, {40, 0, 4}};
  const AttentionCase c = make_case(spec);
  const backends::pallas::PaddedPrefills padded = backends::pallas::pad_prefills(c.metadata);
  const std::string csv = kernels_csv(TracedRun(c, pallas(), 1).events);
  std::vector<std::string> found;  // of each row: tokens,padding_rows
  for (size_t at = 0; (at = csv.find(",pallas_flash,", at)) != std::string::npos; ++at) {
    const std::string row = csv.substr(at, csv.find('\n', at) - at);
    found.push_back(row.substr(row.rfind(',', row.rfind(',') - 1) + 1));
  }
  std::vector<std::string> expected;
  for (int64_t s = 0; s < 4; ++s)
    expected.push_back(std::to_string(padded.rows_of(s)) + "," +
                       std::to_string(padded.rows_of(s) - c.metadata.query_len(s)));
  EXPECT_EQ(found, expected);
  EXPECT_EQ(found[0], "32,15");
}

}  // namespace
}  // namespace attn::testing
