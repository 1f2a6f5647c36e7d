// SPDX-License-Identifier: GPL-3.0-or-later
// Context attention: that a prefill in chunks has the bits of a prefill at once, and that the tiles
// of a sequence are visited from its first cached key on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/backends/kernels/xformers_test.h"

namespace attn::testing {
namespace {

using ::testing::ElementsAre;

TEST_F(Xformers, PrefillInChunksIsPrefillAtOnce) {
  for (const int variant : {0, 1, 2}) {  // not 3: beside ALiBi only the chunks keep to a window
    CaseSpec whole;
    whole.config = make_config(4, 2, 64);
    if (variant & 1) whole.config.alibi_slopes = standard_alibi_slopes(4);
    if (variant & 2) whole.config.sliding_window = 111;
    whole.sequences = {{450, 0, 42}};
    const RunResult expected = run_case(make_case(whole), xformers());
    for (const int64_t cut : {1, 16, 127, 128, 129, 256, 300, 449})
      for (const int64_t block_size : {5, 16, 256}) {
        CaseSpec chunk = whole;
        chunk.block_size = block_size;
        chunk.sequences = {{30, 0, 7}, {450 - cut, cut, 42}, {3, 70, 8}};
        const RunOptions options{.threads = static_cast<int>(1 + cut % 3),
                                 .query_tile_rows = cut % 2 ? 0 : 11};
        const RunResult found = run_case(make_case(chunk), xformers(), options);
        ASSERT_EQ(rows_of(found.out, 30, 450 - cut), rows_of(expected.out, cut, 450 - cut)) << cut;
        ASSERT_EQ(rows_of(found.lse, 30, 450 - cut), rows_of(expected.lse, cut, 450 - cut)) << cut;
      }
    CaseSpec crowd = whole;
    crowd.sequences = {{99, 0, 1}, {450, 0, 42}, {1, 0, 2}};
    const RunResult found =
        run_case(make_case(crowd), xformers(), {.threads = 2, .query_tile_rows = 5});
    ASSERT_EQ(rows_of(found.out, 99, 450), rows_of(expected.out, 0, 450));
  }
}

TEST_F(Xformers, APrefixGoesOverTheContextFirst) {
  CaseSpec spec;
  spec.config = make_config(1, 1, 64);
  spec.sequences = {{40, 600, 1}, {10, 0, 2}};
  const auto events = traced_events(make_case(spec));
  EXPECT_EQ(kernels_of(events, KernelId::kPrefixPrefill), 1);
  EXPECT_EQ(kernels_of(events, KernelId::kMemoryEfficientPrefill), 0);
  std::vector<uint32_t> order;
  for (const TraceEvent& event : events)
    if (event.kind == EventKind::kTile && unpack_tile(event).request == 0)
      order.push_back(unpack_tile(event).k_begin);
  EXPECT_THAT(order, ElementsAre(0, 256, 512));
}

}  // namespace
}  // namespace attn::testing
