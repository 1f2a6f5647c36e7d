// SPDX-License-Identifier: GPL-3.0-or-later
// The functions that divide the work of the pallas kernels: padded lengths of prompts, calls that
// fit scalar memory, compute blocks, and the share of each core.
#include "backends/pallas/pallas_grid.h"

#include <gtest/gtest.h>

namespace attn::backends::pallas {
namespace {

TEST(PallasGrid, PrefillLengthsArePaddedTo16) {
  EXPECT_EQ(padded_prefill_length(1), 16);
  EXPECT_EQ(padded_prefill_length(16), 16);
  EXPECT_EQ(padded_prefill_length(17), 32);
}

TEST(PallasGrid, MegacoreModeIsTheOriginals) {
  EXPECT_EQ(megacore_mode(TpuVersion::kV4, 2, 3), Megacore::kKvHead);
  EXPECT_EQ(megacore_mode(TpuVersion::kV5p, 8, 1), Megacore::kKvHead);
  EXPECT_EQ(megacore_mode(TpuVersion::kV4, 3, 4), Megacore::kBatch);
  EXPECT_EQ(megacore_mode(TpuVersion::kV4, 3, 5), Megacore::kNone);
  EXPECT_EQ(megacore_mode(TpuVersion::kV5e, 2, 4), Megacore::kNone);  // v5e has one core
  EXPECT_EQ(megacore_mode(TpuVersion::kV6e, 2, 4), Megacore::kNone);
  EXPECT_EQ(num_cores(Megacore::kKvHead), 2);
  EXPECT_EQ(num_cores(Megacore::kNone), 1);
}

TEST(PallasGrid, CallsFitScalarMemory) {
  EXPECT_EQ(sequences_per_call(128, 1024), 128);  // tables of exactly 512 KiB
  EXPECT_EQ(sequences_per_call(129, 1024), 128);  // one sequence too many: split
  EXPECT_EQ(sequences_per_call(500, 1100), 118);  // 119 would fit; rounded down to an even number
  EXPECT_EQ(sequences_per_call(119, 1100), 119);  // all fit: nothing is rounded
  EXPECT_EQ(sequences_per_call(5, 131072), 1);    // fewer than 2 fit
  EXPECT_EQ(sequences_per_call(5, 131073), 0);
  const auto calls = split_calls(300, 1024);
  ASSERT_EQ(calls.size(), 3u);
  EXPECT_EQ(calls[1].first, 128);
  EXPECT_EQ(calls[2].first, 256);
  EXPECT_EQ(calls[2].count, 44);
}

TEST(PallasGrid, ComputeBlocksHold16PagesAndWholeKeyBlocks) {
  for (const int64_t block_size : {8, 16, 24, 32, 64, 128, 256})
    EXPECT_EQ(pages_per_compute_block(block_size), 16) << block_size;
  for (int64_t block_size = 1; block_size <= 300; ++block_size) {
    EXPECT_GE(pages_per_compute_block(block_size), 16);
    EXPECT_EQ(pages_per_compute_block(block_size) * block_size % kBlock, 0) << block_size;
  }
  EXPECT_EQ(pages_per_compute_block(5), 128);
  EXPECT_EQ(pages_per_compute_block(4), 32);
}

TEST(PallasGrid, CoresShareOutAllBlocks) {
  const std::vector<int64_t> seq_lens{300, 0, 1, 256, 257, 40};
  for (const Megacore mode : {Megacore::kNone, Megacore::kKvHead, Megacore::kBatch}) {
    std::vector<int64_t> next(seq_lens.size() * 4, 0);
    for (int core = 0; core < num_cores(mode); ++core)
      for (const ComputeBlock& block : decode_blocks(seq_lens, 4, 16, mode, core)) {
        int64_t& at = next[static_cast<size_t>(block.sequence * 4 + block.kv_head)];
        EXPECT_EQ(block.first_token, at);
        EXPECT_EQ(block.first, at == 0);
        EXPECT_EQ(block.first_page, at / 16);
        EXPECT_EQ(block.pages, (block.tokens + 15) / 16);
        at += block.tokens;
        EXPECT_EQ(block.last, at == seq_lens[static_cast<size_t>(block.sequence)]);
        if (mode != Megacore::kNone) {
          EXPECT_EQ((mode == Megacore::kKvHead ? block.kv_head : block.sequence) % 2, core);
        }
      }
    for (size_t i = 0; i < next.size(); ++i) EXPECT_EQ(next[i], seq_lens[i / 4]);
  }
}

}  // namespace
}  // namespace attn::backends::pallas
