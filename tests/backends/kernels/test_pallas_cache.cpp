// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/pallas/pallas_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tests/backends/kernels/pallas_test.h"

namespace attn::testing {
namespace {

using ::testing::ElementsAre;

TEST_F(Pallas, CacheIsAPairOfHeadsBlocksTokens) {
  EXPECT_EQ(pallas().kv_cache_shape(7, 16, 3, 128), (Shape{2, 3, 7, 16, 128}));
  Tensor storage(DType::kF32, {2, 3, 7, 16, 128});
  const KvCacheView cache{&storage, 7, 16, 3, 128};
  Tensor rows(DType::kF32, {1, 3, 128});
  for (int64_t i = 0; i < rows.size(); ++i) rows.data<float>()[i] = static_cast<float>(i + 1);
  const int64_t slot = 5 * 16 + 9;
  pallas().write_rows(cache, {&slot, 1}, rows.data<float>(), rows.data<float>());
  for (int64_t half = 0; half < 2; ++half)
    for (int64_t h = 0; h < 3; ++h)
      EXPECT_EQ(storage.data<float>()[((((half * 3 + h) * 7 + 5) * 16) + 9) * 128 + 4],
                static_cast<float>(h * 128 + 5));
  const int64_t slots[] = {slot, kPaddingSlot};
  EXPECT_THAT(backends::pallas::flat_rows(slots, cache),
              ElementsAre(89, 89 + 112, 89 + 224, -1, -1, -1));
}

TEST_F(Pallas, CopiesBlocksByIndexAlongTheSecondAxis) {
  Tensor storage(DType::kF32, {2, 2, 4, 8, 128});
  for (int64_t i = 0; i < storage.size(); ++i) storage.data<float>()[i] = static_cast<float>(i);
  const Tensor before = convert(storage, DType::kF32);
  const KvCacheView cache{&storage, 4, 8, 2, 128};
  const BlockPair pairs[] = {{0, 2}, {2, 3}};  // all sources are read before any block is written
  pallas().copy_blocks({&cache, 1}, pairs);
  constexpr int64_t kBlockFloats = 8 * 128;
  const int64_t source_of[] = {0, 1, 0, 2};
  for (int64_t head = 0; head < 4; ++head)
    for (int64_t block = 0; block < 4; ++block)
      EXPECT_EQ(std::memcmp(storage.data<float>() + (head * 4 + block) * kBlockFloats,
                            before.data<float>() + (head * 4 + source_of[block]) * kBlockFloats,
                            kBlockFloats * sizeof(float)),
                0)
          << head << " " << block;
}

}  // namespace
}  // namespace attn::testing
