// SPDX-License-Identifier: GPL-3.0-or-later
// The TPU model: the published figures of the chips, and modelled steps, which are compared with
// operations, bytes and times worked out by hand.
#include "backends/pallas/tpu/tpu_model.h"

#include <gtest/gtest.h>

#include "engine/core/error.h"

namespace attn::backends::pallas {
namespace {

const TpuLayer kLayer{4, 2, 128, 2};

TEST(TpuModel, HasThePublishedFigures) {
  EXPECT_EQ(tpu_chip(TpuVersion::kV4).flops_per_s, 275e12);
  EXPECT_EQ(tpu_chip(TpuVersion::kV4).bytes_per_s, 1228e9);
  EXPECT_EQ(tpu_chip(TpuVersion::kV4).cores, 2);
  EXPECT_EQ(tpu_chip(TpuVersion::kV5e).flops_per_s, 197e12);
  EXPECT_EQ(tpu_chip(TpuVersion::kV5e).bytes_per_s, 819e9);
  EXPECT_EQ(tpu_chip(TpuVersion::kV5e).cores, 1);
  EXPECT_EQ(tpu_chip(TpuVersion::kV5p).flops_per_s, 459e12);
  EXPECT_EQ(tpu_chip(TpuVersion::kV5p).bytes_per_s, 2765e9);
  EXPECT_EQ(tpu_chip(TpuVersion::kV5p).cores, 2);
  EXPECT_EQ(tpu_chip(TpuVersion::kV6e).flops_per_s, 918e12);
  EXPECT_EQ(tpu_chip(TpuVersion::kV6e).bytes_per_s, 1640e9);
  EXPECT_EQ(tpu_chip(TpuVersion::kV6e).cores, 1);
  EXPECT_THROW(tpu_chip(TpuVersion::kV3), Error);
}

// One block on v5e: 4 * 128^3 flops take 42.582 ns; keys, values, queries and outputs, 131072
// bytes, take 160.039 ns.
TEST(TpuModel, FlashOfOneBlock) {
  const TpuCall call = model_flash(tpu_chip(TpuVersion::kV5e), kLayer, 0, 128);
  ASSERT_EQ(call.steps.size(), 4u);
  EXPECT_NEAR(call.steps[0].compute_ns, 42.582, 1e-3);
  EXPECT_NEAR(call.steps[0].memory_ns, 160.039, 1e-3);
  EXPECT_TRUE(call.steps[0].memory_bound());
  EXPECT_NEAR(call.modelled_ns, 640.156, 1e-3);
}

// 304 rows are query blocks of 128, 128 and 48 rows. A step in the middle of a query block reads
// only keys and values. A core of v4 has half of the chip's rates.
TEST(TpuModel, FlashLeavesOutWhatIsAboveTheDiagonal) {
  const TpuCall call = model_flash(tpu_chip(TpuVersion::kV4), kLayer, 0, 304);
  ASSERT_EQ(call.steps.size(), 4u * 6u);
  const TpuStep& first_of_last = call.steps[3];
  EXPECT_EQ(first_of_last.q_block, 2);
  EXPECT_EQ(first_of_last.k_block, 0);
  EXPECT_EQ(first_of_last.flops, 4.0 * 48 * 128 * 128);
  EXPECT_EQ(first_of_last.bytes, (2.0 * 128 + 48) * 256);
  EXPECT_EQ(call.steps[4].bytes, 2.0 * 128 * 256);
  EXPECT_EQ(call.steps[5].flops, 4.0 * 48 * 48 * 128);
  EXPECT_EQ(call.steps[5].bytes, (2.0 * 48 + 48) * 256);
  EXPECT_NEAR(first_of_last.memory_ns, 304.0 * 256 / 614.0, 1e-9);  // 614 bytes per ns
  EXPECT_DOUBLE_EQ(call.core_ns[0], call.core_ns[1]);               // two heads each
  EXPECT_DOUBLE_EQ(call.modelled_ns, call.core_ns[0]);
}

// 300 tokens in pages of 16: compute blocks of 256 tokens, two per KV head, both copied as a whole.
TEST(TpuModel, DecodeIsTheSlowerCore) {
  const int64_t seq_lens[] = {300, 0, 10};
  const TpuChip& chip = tpu_chip(TpuVersion::kV4);
  const TpuCall both = model_paged_decode(chip, kLayer, 16, Megacore::kKvHead, seq_lens);
  ASSERT_EQ(both.steps.size(), 6u);
  EXPECT_EQ(both.steps[0].bytes, (2.0 * 256 + 2) * 256);  // keys, values and the queries of 2 heads
  EXPECT_EQ(both.steps[1].bytes, (2.0 * 256 + 2) * 256);  // keys, values and the outputs of 2 heads
  EXPECT_EQ(both.steps[2].bytes, (2.0 * 256 + 4) * 256);  // a single block: queries and outputs
  EXPECT_EQ(both.steps[0].flops, 4.0 * 2 * 256 * 128);
  EXPECT_NEAR(both.modelled_ns, (3 * 512 + 8) * 256 / 614.0, 1e-9);
  const TpuCall one = model_paged_decode(chip, kLayer, 16, Megacore::kNone, seq_lens);
  EXPECT_EQ(one.core_ns[1], 0.0);
  EXPECT_NEAR(one.modelled_ns, 2 * both.modelled_ns, 1e-9);
}

// 20 new tokens after 250 cached ones: query blocks at positions 250..265 and 266..281 (padded),
// 270 keys. Both query blocks see the second key block, which begins at 256.
TEST(TpuModel, MultiQueryCountsBlocksOnTheDiagonal) {
  const TpuSequence sequence{5, 20, 270};
  const TpuCall call = model_multi_query(tpu_chip(TpuVersion::kV6e), kLayer, 16, {&sequence, 1});
  ASSERT_EQ(call.steps.size(), 2u * (2u + 2u));
  EXPECT_EQ(call.steps[0].sequence, 5);
  EXPECT_EQ(call.steps[0].flops, 4.0 * 32 * 256 * 128);
  EXPECT_EQ(call.steps[0].bytes, (512.0 + 32) * 256);
  const TpuSequence early{0, 16, 256};  // positions 240..255: one block
  EXPECT_EQ(model_multi_query(tpu_chip(TpuVersion::kV6e), kLayer, 16, {&early, 1}).steps.size(),
            2u);
}

TEST(TpuModel, AForwardIsTheSumOfItsCalls) {
  const std::vector<int32_t> table(20, 0);
  const std::vector<SequenceSlice> slices{{0, 0, 100, true, table}, {1, 50, 30, true, table}};
  AttentionConfig config;
  config.num_heads = 4;
  config.num_kv_heads = 2;
  config.head_size = 128;
  const TpuModel model = model_forward(config, build_metadata(slices, 16), 16, 2);
  ASSERT_EQ(model.calls.size(), 2u);
  EXPECT_EQ(model.calls[0].kernel, KernelId::kPallasFlash);
  EXPECT_EQ(model.calls[1].kernel, KernelId::kPallasMultiQuery);
  EXPECT_EQ(model.calls[1].steps[0].sequence, 1);
  EXPECT_DOUBLE_EQ(model.modelled_ns, model.calls[0].modelled_ns + model.calls[1].modelled_ns);
}

}  // namespace
}  // namespace attn::backends::pallas
