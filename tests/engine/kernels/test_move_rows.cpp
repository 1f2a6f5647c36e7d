// SPDX-License-Identifier: GPL-3.0-or-later
// That keys and values of many tokens written to the cache in one call (transposed, or in whole
// cache lines) leave the same bytes as those of one token per call.
#include "engine/kernels/cache/move_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "engine/core/rng.h"
#include "engine/kernels/cache/cache_ops.h"

namespace attn {
namespace {

enum class Layout { kPairs, kRows, kSixteenBytes, kColumns };

// The first or the second half of `storage` [2, blocks * heads * head_size * block_size].
KvSource half_of(Tensor& storage, int half, Layout layout, int64_t heads, int64_t head_size,
                 int64_t block_size) {
  KvSource source;
  source.base =
      static_cast<std::byte*>(storage.raw()) + static_cast<size_t>(half) * storage.bytes() / 2;
  source.dtype = storage.dtype();
  source.block_size = block_size;
  source.block_stride = block_size * heads * head_size;
  source.head_stride = head_size * block_size;
  source.chunk = layout == Layout::kRows ? head_size
                 : layout == Layout::kSixteenBytes
                     ? 16 / static_cast<int64_t>(size_of(source.dtype))
                 : layout == Layout::kPairs ? source.fold()
                                            : 1;
  source.token_stride = source.chunk;
  source.chunk_stride = layout == Layout::kRows ? 0 : block_size * source.chunk;
  return source;
}

// Writes tokens together and one by one, and returns whether the bytes of the caches are equal.
// first, second: layouts of keys and of values.
bool same_bytes(DType input, DType dtype, Layout first, Layout second, int64_t heads,
                int64_t head_size, int64_t block_size, const std::vector<int64_t>& slots) {
  const auto tokens = static_cast<int64_t>(slots.size());
  Tensor rows(DType::kF32, {tokens, heads, head_size});
  Rng rng(11);
  for (float& x : rows.span<float>()) x = rng.normal();
  const Tensor key = convert(rows, input);
  const int64_t blocks = *std::ranges::max_element(slots) / block_size + 1;
  ThreadPool pool(2);
  Execution execution;
  execution.pool = &pool;
  Tensor storage[2] = {Tensor(dtype, {2, blocks * heads * head_size * block_size}),
                       Tensor(dtype, {2, blocks * heads * head_size * block_size})};
  CacheRounding rounding[2];
  for (const int one_by_one : {0, 1}) {
    Tensor& to = storage[one_by_one];
    std::memset(to.raw(), 0x5a, to.bytes());
    CacheLayout cache{half_of(to, 0, first, heads, head_size, block_size),
                      half_of(to, 1, second, heads, head_size, block_size)};
    cache.keys.scale = cache.values.scale = is_quantised(dtype) ? 0.3f : 1.0f;
    if (!one_by_one) {
      cache_write(key, key, slots, cache, execution, &rounding[0]);
      continue;
    }
    for (int64_t t = 0; t < tokens; ++t) {
      Tensor token(input, {1, heads, head_size});
      std::memcpy(token.raw(),
                  static_cast<const std::byte*>(key.raw()) + static_cast<size_t>(t) * token.bytes(),
                  token.bytes());
      cache_write(token, token, {&slots[static_cast<size_t>(t)], 1}, cache, execution,
                  &rounding[1]);
    }
  }
  EXPECT_EQ(rounding[0].saturated(), rounding[1].saturated());
  return std::memcmp(storage[0].raw(), storage[1].raw(), storage[0].bytes()) == 0;
}

TEST(CacheWrite, TokensWrittenTogetherAreThoseWrittenOneByOne) {
  for (const int64_t block_size : {8, 16, 32}) {
    std::vector<int64_t> slots{kPaddingSlot};
    for (const int64_t block : {3, 0, 4})  // of block 0 only a part
      for (int64_t i = block == 0 ? 3 : 0; i < block_size; ++i)
        slots.push_back(block * block_size + i);
    for (const int64_t head_size : {64, 80, 36})
      for (const DType dtype : {DType::kF32, DType::kBF16, DType::kF16, DType::kF8E4M3, DType::kI8})
        for (const DType input : {DType::kF32, DType::kBF16, DType::kF16}) {
          const auto same = [&](Layout first, Layout second) {
            return same_bytes(input, dtype, first, second, 3, head_size, block_size, slots);
          };
          EXPECT_TRUE(same(Layout::kPairs, Layout::kRows)) << name_of(input) << name_of(dtype);
          if (head_size % 16 == 0) {
            EXPECT_TRUE(same(Layout::kSixteenBytes, Layout::kColumns))
                << name_of(input) << name_of(dtype);
          }
        }
  }
}

// More than 8 MiB of keys and values: the stores of whole lines bypass the processor's caches.
TEST(CacheWrite, ManyTokensAreWrittenInWholeLines) {
  std::vector<int64_t> slots;
  for (int64_t i = 0; i < 1100; ++i) slots.push_back((i / 16 * 37 % 71) * 16 + i % 16);
  EXPECT_TRUE(
      same_bytes(DType::kF32, DType::kF32, Layout::kPairs, Layout::kRows, 8, 128, 16, slots));
  EXPECT_TRUE(same_bytes(DType::kF32, DType::kF32, Layout::kSixteenBytes, Layout::kColumns, 8, 128,
                         16, slots));
}

}  // namespace
}  // namespace attn
