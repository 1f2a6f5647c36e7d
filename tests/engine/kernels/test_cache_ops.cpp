// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/cache_ops.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <tuple>
#include <vector>

#include "backends/register_all.h"
#include "engine/core/rng.h"

namespace attn {
namespace {

class CacheOps : public ::testing::TestWithParam<std::tuple<const char*, DType, int64_t>> {
 protected:
  static void SetUpTestSuite() { register_all_backends(); }
  static constexpr int64_t kBlocks = 5, kHeads = 3, kHeadSize = 64;
};

TEST_P(CacheOps, WhatIsWrittenBySlotReadsBackAndNothingElseChanges) {
  const auto [name, dtype, block_size] = GetParam();
  const AttentionBackend& backend = backend_named(name);
  Tensor storage(dtype, backend.kv_cache_shape(kBlocks, block_size, kHeads, kHeadSize));
  std::memset(storage.raw(), 0xff, storage.bytes());
  const KvCacheView cache{&storage, kBlocks, block_size, kHeads, kHeadSize};
  Rng rng(7);
  const std::vector<int64_t> slots{4 * block_size, 0, 2 * block_size + block_size - 1};
  std::vector<float> keys(slots.size() * kHeads * kHeadSize), values(keys.size());
  for (float& x : keys) x = to_f32(to_bf16(rng.normal()));
  for (float& x : values) x = to_f32(to_bf16(rng.normal()));
  backend.write_rows(cache, slots, keys.data(), values.data());
  std::vector<float> read(keys.size());
  backend.read_keys(cache, slots, read.data());
  EXPECT_EQ(read, keys);
  backend.read_values(cache, slots, read.data());
  EXPECT_EQ(read, values);
  int64_t poisoned = 0;
  for (int64_t slot = 0; slot < kBlocks * block_size; ++slot) {
    std::vector<float> row(kHeads * kHeadSize);
    backend.read_keys(cache, {&slot, 1}, row.data());
    poisoned += std::isnan(row[0]) && std::isnan(row.back()) ? 1 : 0;
  }
  EXPECT_EQ(poisoned, kBlocks * block_size - 3);
}

TEST_P(CacheOps, CopiedAndSwappedBlocksAreEqual) {
  const auto [name, dtype, block_size] = GetParam();
  const AttentionBackend& backend = backend_named(name);
  Tensor device(dtype, backend.kv_cache_shape(kBlocks, block_size, kHeads, kHeadSize));
  Tensor host(dtype, backend.kv_cache_shape(2, block_size, kHeads, kHeadSize));
  KvCacheView on_device{&device, kBlocks, block_size, kHeads, kHeadSize};
  KvCacheView on_host{&host, 2, block_size, kHeads, kHeadSize};
  std::vector<int64_t> slots;
  for (int64_t i = 0; i < block_size; ++i) slots.push_back(3 * block_size + i);
  std::vector<float> rows(slots.size() * kHeads * kHeadSize);
  Rng rng(9);
  for (float& x : rows) x = to_f32(to_bf16(rng.normal()));
  backend.write_rows(on_device, slots, rows.data(), rows.data());
  const BlockPair out[] = {{3, 1}}, back[] = {{1, 0}};
  backend.swap_blocks(on_device, on_host, out);
  backend.swap_blocks(on_host, on_device, back);
  const BlockPair copy[] = {{0, 4}};
  backend.copy_blocks({&on_device, 1}, copy);
  for (int64_t& slot : slots) slot += block_size;  // block 4
  std::vector<float> read(rows.size());
  backend.read_keys(on_device, slots, read.data());
  EXPECT_EQ(read, rows);
  backend.read_values(on_device, slots, read.data());
  EXPECT_EQ(read, rows);
}

INSTANTIATE_TEST_SUITE_P(Layouts, CacheOps,
                         ::testing::Combine(::testing::Values("reference", "torch_sdpa"),
                                            ::testing::Values(DType::kF32, DType::kBF16),
                                            ::testing::Values(int64_t{1}, int64_t{16})));

}  // namespace
}  // namespace attn
