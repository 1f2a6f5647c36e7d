// SPDX-License-Identifier: GPL-3.0-or-later
// Caches of more than 2^31 elements, if possible 2^32, give the bits of small caches; an index of
// 32 bits would wrap. Pages of the large cache take memory only once they are touched.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "backends/register_all.h"
#include "engine/core/error.h"
#include "tests/support/attention_case.h"

namespace attn::testing {
namespace {

constexpr int64_t kBlockSize = 16, kKvHeads = 2, kHeadSize = 128;
// Elements of the keys of a block, or of its values.
constexpr int64_t kBlockElements = kBlockSize * kKvHeads * kHeadSize;

struct FarCache {
  Tensor storage;
  int64_t num_blocks = 0;
};

// A cache whose keys alone have more than 2^32 elements or, where the system refuses that, more
// than 2^31; nullopt if it refuses both.
std::optional<FarCache> far_cache(const AttentionBackend& backend, DType dtype) {
  for (const int64_t elements : {int64_t{1} << 32, int64_t{1} << 31}) {
    const int64_t blocks = elements / kBlockElements + 64;
    try {
      return FarCache{
          Tensor(dtype, backend.kv_cache_shape(blocks, kBlockSize, kKvHeads, kHeadSize)), blocks};
    } catch (const Error&) {
      // The system refuses a cache of this size.
    }
  }
  return std::nullopt;
}

struct Result {
  std::vector<float> keys, values;
  Tensor out, lse;
};

// Writes the cached rows, copies blocks away and back, swaps them out and in if the backend can,
// runs the call, and reads keys and values again. Block i of the case is block_of(i) of `storage`.
template <class BlockOf>
Result run_at(const AttentionCase& c, const AttentionBackend& backend, Tensor& storage,
              int64_t num_blocks, BlockOf block_of) {
  AttentionMetadata metadata = c.metadata;
  for (int32_t& block : metadata.block_tables)
    if (block >= 0) block = static_cast<int32_t>(block_of(block));
  for (int64_t& slot : metadata.slot_mapping)
    slot = block_of(slot / kBlockSize) * kBlockSize + slot % kBlockSize;
  const KvCacheView cache{&storage, num_blocks, kBlockSize, kKvHeads, kHeadSize, &c.spec.scales};
  std::vector<int64_t> slots;
  for (size_t s = 0; s < c.spec.sequences.size(); ++s) {
    const auto table = metadata.block_table(static_cast<int64_t>(s));
    for (int64_t position = 0; position < c.cached[s]; ++position)
      slots.push_back(int64_t{table[static_cast<size_t>(position / kBlockSize)]} * kBlockSize +
                      position % kBlockSize);
  }
  backend.write_rows(cache, slots, c.context_keys.data<float>(), c.context_values.data<float>());
  Tensor small(storage.dtype(), backend.kv_cache_shape(3, kBlockSize, kKvHeads, kHeadSize));
  const KvCacheView host{&small, 3, kBlockSize, kKvHeads, kHeadSize, cache.scales};
  const int64_t spare = block_of(c.num_blocks);
  for (int64_t block = 0; block < c.num_blocks; ++block) {
    const BlockPair away{block_of(block), spare}, back{spare, block_of(block)};
    backend.copy_blocks({&cache, 1}, {&away, 1});
    backend.copy_blocks({&cache, 1}, {&back, 1});
    if (!backend.capabilities().swap) continue;
    const BlockPair out{block_of(block), 2}, in{2, block_of(block)};
    backend.swap_blocks(cache, host, {&out, 1});
    backend.swap_blocks(host, cache, {&in, 1});
  }
  ThreadPool pool(2);
  Execution execution;
  execution.pool = &pool;
  Result result;
  result.out = Tensor(c.spec.dtype, c.query.shape());
  result.lse = Tensor(DType::kF32, {c.query.dim(0), c.spec.config.num_heads});
  const AttentionInputs inputs{&c.query, &c.key, &c.value, cache, c.spec.scales, nullptr};
  const AttentionOutputs outputs{&result.out, &result.lse, nullptr};
  backend.make_impl(c.spec.config)->forward(inputs, metadata, outputs, execution);
  for (const int64_t slot : metadata.slot_mapping) slots.push_back(slot);
  result.keys.resize(slots.size() * static_cast<size_t>(kKvHeads * kHeadSize));
  result.values.resize(result.keys.size());
  backend.read_keys(cache, slots, result.keys.data());
  backend.read_values(cache, slots, result.values.data());
  return result;
}

void expect_same_at_the_far_end(const AttentionBackend& backend, const CaseSpec& spec) {
  SCOPED_TRACE(fmt::format("{}: {}", backend.name(), describe(spec)));
  const DType dtype = spec.cache_dtype.value_or(spec.dtype);
  std::optional<FarCache> far = far_cache(backend, dtype);
  if (!far)
    GTEST_SKIP() << "the system gives no address space for a cache of more than 2^31 elements";
  const AttentionCase c = make_case(spec);
  const int64_t blocks = c.num_blocks + 1;
  Tensor small(dtype, backend.kv_cache_shape(blocks, kBlockSize, kKvHeads, kHeadSize));
  const Result near = run_at(c, backend, small, blocks, [](int64_t block) { return block; });
  // Half of the blocks lie around the middle, half at the end.
  const int64_t middle = far->num_blocks / 2 - blocks / 2;
  const Result result = run_at(c, backend, far->storage, far->num_blocks, [&](int64_t block) {
    return block % 2 == 0 ? far->num_blocks - 1 - block : middle + block;
  });
  EXPECT_EQ(result.keys, near.keys);
  EXPECT_EQ(result.values, near.values);
  EXPECT_TRUE(bits_equal(result.out, near.out));
  EXPECT_TRUE(bits_equal(result.lse, near.lse));
}

CaseSpec case_of(bool is_prefill, DType dtype) {
  CaseSpec spec;
  spec.config = make_config(4, kKvHeads, kHeadSize);
  spec.is_prefill = is_prefill;
  spec.block_size = kBlockSize;
  spec.dtype = dtype;
  const int64_t rows = is_prefill ? 9 : 1;
  spec.sequences = {{rows, 300, 1}, {rows, 37, 2}, {rows, is_prefill ? 0 : 5, 3}};
  return spec;
}

class FarBlocks : public ::testing::TestWithParam<const char*> {
 protected:
  static void SetUpTestSuite() { register_all_backends(); }
};

TEST_P(FarBlocks, GiveTheSameBitsAsNearOnes) {
  const AttentionBackend& backend = backend_named(GetParam());
  for (const bool is_prefill : {false, true})
    for (const DType dtype : {DType::kBF16, DType::kF32})
      expect_same_at_the_far_end(backend, case_of(is_prefill, dtype));
}

TEST_P(FarBlocks, OfAQuantisedCache) {
  const AttentionBackend& backend = backend_named(GetParam());
  const std::vector<DType> types = backend.capabilities().cache_dtypes;
  for (const DType cache : {DType::kF8E4M3, DType::kI8}) {
    if (std::ranges::find(types, cache) == types.end()) continue;
    CaseSpec spec = case_of(false, DType::kF32);
    spec.cache_dtype = cache;
    expect_same_at_the_far_end(backend, spec);
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, FarBlocks,
                         ::testing::Values("reference", "torch_sdpa", "xformers", "pallas",
                                           "unified"));

}  // namespace
}  // namespace attn::testing
