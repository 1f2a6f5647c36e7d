// SPDX-License-Identifier: GPL-3.0-or-later
// Output bits depend only on the query row, its keys and values, the parameters and the ISA: not on
// the batch, its order, the number of threads, block size, block placement, tile height, or - at
// prefill - on where a prompt is cut in chunks.
#include <gtest/gtest.h>

#include "backends/register_all.h"
#include "tests/support/attention_case.h"

namespace attn::testing {
namespace {

class Invariance : public ::testing::TestWithParam<int> {
 protected:
  static void SetUpTestSuite() { register_all_backends(); }
};

TEST_P(Invariance, OfASequenceInAnySurroundings) {
  Rng rng(static_cast<uint64_t>(GetParam()));
  for (int round = 0; round < 25; ++round) {
    CaseSpec alone;
    const int64_t head_sizes[] = {32, 64, 80, 120, 128};
    alone.config = make_config(4, 2, head_sizes[rng.below(5)]);
    alone.config.sdpa_kernel = rng.below(3) ? SdpaKernel::kFlash : SdpaKernel::kMath;
    alone.is_prefill = rng.below(2) == 0;
    alone.dtype = rng.below(2) ? DType::kBF16 : DType::kF32;
    alone.block_size = 16;
    const CaseSequence subject{alone.is_prefill ? static_cast<int64_t>(1 + rng.below(400)) : 1,
                               static_cast<int64_t>(rng.below(1300)), rng.next()};
    alone.sequences = {subject};
    const AttentionBackend& backend = backend_named(rng.below(2) ? "unified" : "torch_sdpa");
    const RunResult expected = run_case(make_case(alone), backend);

    CaseSpec crowd = alone;
    const int64_t block_sizes[] = {1, 5, 8, 16, 32, 64, 256};
    crowd.block_size = block_sizes[rng.below(7)];
    crowd.placement_seed = rng.next();
    const auto before = rng.below(4), after = rng.below(4);
    crowd.sequences.clear();
    int64_t first = 0;
    for (uint64_t i = 0; i < before + after + 1; ++i) {
      if (i == before) {
        crowd.sequences.push_back(subject);
        continue;
      }
      const CaseSequence other{crowd.is_prefill ? static_cast<int64_t>(1 + rng.below(200)) : 1,
                               static_cast<int64_t>(rng.below(700)), rng.next()};
      crowd.sequences.push_back(other);
      if (i < before) first += other.query_len;
    }
    const RunOptions options{.threads = static_cast<int>(1 + rng.below(4)),
                             .query_tile_rows = static_cast<int64_t>(rng.below(97))};
    SCOPED_TRACE(describe(crowd));
    const RunResult found = run_case(make_case(crowd), backend, options);
    ASSERT_EQ(rows_of(found.out, first, subject.query_len),
              rows_of(expected.out, 0, subject.query_len));
    ASSERT_EQ(rows_of(found.lse, first, subject.query_len),
              rows_of(expected.lse, 0, subject.query_len));
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, Invariance, ::testing::Range(1, 21));

// A token has the same bits in a prefill, in a chunk of it and in a decode step.
TEST_F(Invariance, ChunkAndDecodeGiveTheRowsOfAPrefill) {
  for (const char* name : {"torch_sdpa", "unified"}) {
    SCOPED_TRACE(name);
    const AttentionBackend& backend = backend_named(name);
    for (const DType dtype : {DType::kF32, DType::kBF16}) {
      CaseSpec whole;
      whole.config = make_config(4, 2, 64);
      whole.dtype = dtype;
      whole.sequences = {{700, 0, 42}};
      const RunResult expected = run_case(make_case(whole), backend);
      for (const int64_t cut : {1, 16, 95, 256, 511, 699}) {
        CaseSpec chunk = whole;
        chunk.sequences = {{700 - cut, cut, 42}};
        const RunResult found = run_case(make_case(chunk), backend);
        EXPECT_EQ(rows_of(found.out, 0, 700 - cut), rows_of(expected.out, cut, 700 - cut)) << cut;
      }
      for (const int64_t position : {0, 63, 255, 256, 300, 512, 699}) {
        CaseSpec decode = whole;
        decode.is_prefill = false;
        decode.sequences = {{1, position, 42}};
        for (const int threads : {1, 3}) {
          const RunResult found = run_case(make_case(decode), backend, {.threads = threads});
          EXPECT_EQ(rows_of(found.out, 0, 1), rows_of(expected.out, position, 1)) << position;
          EXPECT_EQ(rows_of(found.lse, 0, 1), rows_of(expected.lse, position, 1)) << position;
        }
      }
    }
  }
}

TEST_F(Invariance, PagedDecodeV1EqualsV2) {
  // 3 sequences of 2 heads take v2; 300 of them take v1 (600 > 512).
  CaseSpec few;
  few.config = make_config(2, 1, 64);
  few.is_prefill = false;
  few.sequences = {{1, 1500, 1}, {1, 700, 2}, {1, 513, 3}};
  CaseSpec many = few;
  for (uint64_t i = 0; i < 297; ++i) many.sequences.push_back({1, 3, 100 + i});
  const RunResult v2 = run_case(make_case(few), backend_named("torch_sdpa"));
  const RunResult v1 = run_case(make_case(many), backend_named("torch_sdpa"), {.threads = 2});
  EXPECT_EQ(rows_of(v1.out, 0, 3), rows_of(v2.out, 0, 3));
  EXPECT_EQ(rows_of(v1.lse, 0, 3), rows_of(v2.lse, 0, 3));
}

}  // namespace
}  // namespace attn::testing
