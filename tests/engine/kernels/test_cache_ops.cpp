// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/cache/cache_ops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <tuple>
#include <vector>

#include "backends/register_all.h"
#include "engine/core/rng.h"
#include "tests/support/print_dtype.h"

namespace attn {
namespace {

// A random number that the type holds exactly. Its bits are not all set, because those of unwritten
// slots are.
float held_by(DType dtype, Rng& rng) {
  const float x = rng.normal();
  switch (dtype) {
    case DType::kF8E4M3:
      return to_f32(to_f8e4m3(x));
    case DType::kF8E5M2:
      return to_f32(to_f8e5m2(x));
    case DType::kI8:
      return std::min(100.0f, std::round(std::abs(x) * 40));
    case DType::kF16:
      return to_f32(to_f16(x));
    default:
      return to_f32(to_bf16(x));
  }
}

using LayoutCase = std::tuple<std::string, DType, int64_t>;  // backend, cache type, block size

class CacheOps : public ::testing::TestWithParam<LayoutCase> {
 protected:
  static void SetUpTestSuite() { register_all_backends(); }
  static constexpr int64_t kBlocks = 5, kHeads = 3, kHeadSize = 64;
};
class ScaledCacheOps : public CacheOps {};
class PagedKeys : public CacheOps {};

TEST_P(CacheOps, WhatIsWrittenBySlotReadsBackAndNothingElseChanges) {
  const auto [name, dtype, block_size] = GetParam();
  const AttentionBackend& backend = backend_named(name);
  Tensor storage(dtype, backend.kv_cache_shape(kBlocks, block_size, kHeads, kHeadSize));
  std::memset(storage.raw(), 0xff, storage.bytes());
  const KvCacheView cache{&storage, kBlocks, block_size, kHeads, kHeadSize};
  Rng rng(7);
  const std::vector<int64_t> slots{4 * block_size, 0, 2 * block_size + block_size - 1};
  std::vector<float> keys(slots.size() * kHeads * kHeadSize), values(keys.size());
  for (float& x : keys) x = held_by(dtype, rng);
  for (float& x : values) x = held_by(dtype, rng);
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
    const auto poison = [dtype = dtype](float x) {
      return dtype == DType::kI8 ? x == -1 : std::isnan(x);
    };
    poisoned += poison(row[0]) && poison(row.back()) ? 1 : 0;
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
  for (float& x : rows) x = held_by(dtype, rng);
  backend.write_rows(on_device, slots, rows.data(), rows.data());
  const BlockPair out[] = {{3, 1}}, back[] = {{1, 0}};
  backend.swap_blocks(on_device, on_host, out);
  backend.swap_blocks(on_host, on_device, back);
  const BlockPair copy[] = {{0, 4}};
  backend.copy_blocks({&on_device, 1}, copy);
  for (int64_t& slot : slots) slot += block_size;  // now the slots of block 4
  std::vector<float> read(rows.size());
  backend.read_keys(on_device, slots, read.data());
  EXPECT_EQ(read, rows);
  backend.read_values(on_device, slots, read.data());
  EXPECT_EQ(read, rows);
}

TEST_P(ScaledCacheOps, WritesByScaleAndCountsWhatSaturates) {
  const auto [name, dtype, block_size] = GetParam();
  const AttentionBackend& backend = backend_named(name);
  constexpr int64_t kTokens = 2;
  LayerScales scales;
  scales.k_scale = 0.25f;
  scales.v_scale = 3.0f;
  if (dtype == DType::kI8) {
    scales.k_head_scales = {0.25f, 0.5f, 1.0f};
    scales.v_head_scales = {3.0f, 2.0f, 1.5f};
  }
  for (const DType input : {DType::kF32, DType::kBF16, DType::kF16}) {
    Tensor storage(dtype, backend.kv_cache_shape(kBlocks, block_size, kHeads, kHeadSize));
    const KvCacheView cache{&storage, kBlocks, block_size, kHeads, kHeadSize, &scales};
    Tensor rows(DType::kF32, {kTokens, kHeads, kHeadSize});
    Rng rng(5);
    for (float& x : rows.span<float>()) x = to_f32(to_bf16(rng.normal()));
    rows.data<float>()[7] = 60000.0f;
    rows.data<float>()[kHeadSize + 1] = -6e4f;
    const Tensor key = convert(rows, input);
    const Tensor numbers = convert(key, DType::kF32);
    const std::vector<int64_t> slots{3 * block_size, 0};
    AttentionConfig config;
    config.num_heads = config.num_kv_heads = kHeads;
    config.head_size = kHeadSize;
    config.scale = 1;
    config.extended = true;
    config.kv_cache_dtype = dtype;
    AttentionMetadata metadata;
    metadata.num_prefills = 1;
    metadata.num_prefill_tokens = kTokens;
    metadata.slot_mapping = slots;
    metadata.seq_lens = {0};
    metadata.context_lens = {0};
    metadata.query_start_loc = {0, 0};
    metadata.max_blocks_per_seq = 1;
    metadata.block_tables = {0};
    Tensor out(input, key.shape());
    ThreadPool pool(2);
    Execution execution;
    execution.pool = &pool;
    AttentionState state;
    AttentionInputs inputs{&key, &key, &key, cache, scales, &state};
    ASSERT_TRUE(
        backend.make_impl(config)->forward(inputs, metadata, {&out, nullptr, nullptr}, execution));
    std::vector<float> keys(static_cast<size_t>(rows.size())), values(keys.size());
    backend.read_keys(cache, slots, keys.data());
    backend.read_values(cache, slots, values.data());
    const auto stored = [dtype = dtype](float x, float scale) {
      x /= scale;
      if (dtype == DType::kF8E4M3) return to_f32(to_f8e4m3(x)) * scale;
      if (dtype == DType::kF8E5M2) return to_f32(to_f8e5m2(x)) * scale;
      return to_f32(to_i8(x)) * scale;
    };
    int64_t saturated = 0;
    for (int64_t i = 0; i < rows.size(); ++i) {
      const auto head = static_cast<size_t>(i / kHeadSize % kHeads), at = static_cast<size_t>(i);
      const bool per_head = dtype == DType::kI8;
      const float k_scale = per_head ? scales.k_head_scales[head] : scales.k_scale;
      const float v_scale = per_head ? scales.v_head_scales[head] : scales.v_scale;
      const float x = numbers.data<float>()[i];
      ASSERT_EQ(keys[at], stored(x, k_scale)) << i;
      ASSERT_EQ(values[at], stored(x, v_scale)) << i;
      saturated += saturates(dtype, x / k_scale) + saturates(dtype, x / v_scale);
    }
    EXPECT_EQ(state.cache_rounding().saturated(), saturated);
    EXPECT_GE(saturated, 2);
  }
}

// A sentence is reported if at least half of the nonzero numbers became 0 and the type has a scale.
TEST(CacheRounding, TellsOfLostNumbersWhereAScaleIsToBlame) {
  const RoundingCounts lost{.saturated = 0, .vanished = 5, .kept = 5};
  const RoundingCounts most{.saturated = 0, .vanished = 4, .kept = 5};
  const auto sentences = vanished_sentences(most, lost, DType::kI8);
  ASSERT_EQ(sentences.size(), 1u);
  EXPECT_EQ(
      sentences[0],
      "5 of 10 nonzero numbers of the values were rounded to 0 in the int8 cache, because the "
      "scale of the values (v_scale) is too large.");
  EXPECT_EQ(vanished_sentences(lost, lost, DType::kF8E4M3).size(), 2u);
  EXPECT_TRUE(vanished_sentences(lost, lost, DType::kF16).empty());
  EXPECT_TRUE(vanished_sentences({}, {}, DType::kI8).empty());
}

TEST_P(PagedKeys, LieInPiecesOfSixteenBytes) {
  const auto [name, dtype, block_size] = GetParam();
  const AttentionBackend& backend = backend_named(name);
  Tensor storage(dtype, backend.kv_cache_shape(1, block_size, 1, kHeadSize));
  const KvCacheView cache{&storage, 1, block_size, 1, kHeadSize};
  std::vector<float> row(kHeadSize), zero(kHeadSize);
  for (size_t d = 0; d < row.size(); ++d) row[d] = 1;
  const int64_t slot = block_size - 1;
  backend.write_rows(cache, {&slot, 1}, row.data(), zero.data());
  const auto* bytes = static_cast<const unsigned char*>(storage.raw());
  for (size_t at = 0; at < storage.bytes() / 2; at += size_of(dtype)) {
    const bool written = at / 16 % static_cast<size_t>(block_size) == static_cast<size_t>(slot);
    bool zeros = true;
    for (size_t b = 0; b < size_of(dtype); ++b) zeros = zeros && bytes[at + b] == 0;
    ASSERT_EQ(zeros, !written) << at;
  }
}

std::string name_of_case(const ::testing::TestParamInfo<LayoutCase>& info) {
  const auto& [backend, dtype, block_size] = info.param;
  return backend + "_" + std::string(name_of(dtype)) + "_blocks_of_" + std::to_string(block_size);
}

const auto kAnyType = ::testing::Values(DType::kF32, DType::kBF16, DType::kF16, DType::kF8E4M3,
                                        DType::kF8E5M2, DType::kI8);
const auto kBlockSizes = ::testing::Values(int64_t{1}, int64_t{16});

INSTANTIATE_TEST_SUITE_P(Layouts, CacheOps,
                         ::testing::Combine(::testing::Values("reference", "torch_sdpa"), kAnyType,
                                            kBlockSizes),
                         name_of_case);
INSTANTIATE_TEST_SUITE_P(
    Reference, ScaledCacheOps,
    ::testing::Combine(::testing::Values("reference"),
                       ::testing::Values(DType::kF8E4M3, DType::kF8E5M2, DType::kI8), kBlockSizes),
    name_of_case);
INSTANTIATE_TEST_SUITE_P(TorchSdpa, ScaledCacheOps,  // torch_sdpa refuses int8
                         ::testing::Combine(::testing::Values("torch_sdpa"),
                                            ::testing::Values(DType::kF8E4M3, DType::kF8E5M2),
                                            kBlockSizes),
                         name_of_case);
INSTANTIATE_TEST_SUITE_P(TorchSdpa, PagedKeys,
                         ::testing::Combine(::testing::Values("torch_sdpa"), kAnyType, kBlockSizes),
                         name_of_case);

}  // namespace
}  // namespace attn
