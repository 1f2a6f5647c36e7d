// SPDX-License-Identifier: GPL-3.0-or-later
// That a row has the same bits in the three kernels of pallas: flash attention, multi-query paged
// attention and paged decode.
#include <gtest/gtest.h>

#include "tests/backends/kernels/pallas_test.h"

namespace attn::testing {
namespace {

TEST_F(Pallas, AllThreeKernelsGiveTheSameBits) {
  CaseSpec whole;
  whole.config = make_config(4, 2, 128);
  whole.sequences = {{391, 0, 42}};
  const RunResult expected = run_case(make_case(whole), pallas());
  for (const int64_t cut : {1, 16, 127, 128, 256, 300, 390})
    for (const int64_t block_size : {5, 8, 16, 256}) {
      CaseSpec chunk = whole;
      chunk.block_size = block_size;
      chunk.sequences = {{391 - cut, cut, 42}};
      const RunOptions options{.threads = static_cast<int>(1 + cut % 3),
                               .query_tile_rows = cut % 2 ? 0 : 7};
      const RunResult found = run_case(make_case(chunk), pallas(), options);
      EXPECT_EQ(rows_of(found.out, 0, 391 - cut), rows_of(expected.out, cut, 391 - cut)) << cut;
      EXPECT_EQ(rows_of(found.lse, 0, 391 - cut), rows_of(expected.lse, cut, 391 - cut)) << cut;
    }
  for (const int64_t block_size : {1, 3, 8, 16, 24, 256}) {
    CaseSpec decode = whole;
    decode.is_prefill = false;
    decode.block_size = block_size;
    decode.config.backend_options["tpu"] = block_size % 2 ? "v4" : "v6e";
    decode.sequences = {{1, 77, 1}, {1, 390, 42}, {1, 5, 2}};
    const RunResult found = run_case(make_case(decode), pallas(), {.threads = 2});
    EXPECT_EQ(rows_of(found.out, 1, 1), rows_of(expected.out, 390, 1)) << block_size;
    EXPECT_EQ(rows_of(found.lse, 1, 1), rows_of(expected.lse, 390, 1)) << block_size;
  }
}

}  // namespace
}  // namespace attn::testing
