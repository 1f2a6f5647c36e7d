// SPDX-License-Identifier: GPL-3.0-or-later
// That packing i8 keys for the bf16 units widens every byte exactly. Products of packed operands
// are in test_matrix_tiles.cpp and test_dot_tiles.cpp.
#include <gtest/gtest.h>

#include <cstring>

#include "engine/core/tensor.h"
#include "engine/kernels/tiles/bf16_unit.h"
#include "engine/kernels/tiles/matrix_tiles.h"

namespace attn {
namespace {

class MatrixPack : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_bf16_unit(Bf16Unit::kMatrix) && !has_bf16_unit(Bf16Unit::kDotProducts))
      GTEST_SKIP() << "this machine has no bf16 unit";
    AlignedBuffer::guard_allocations(true);
  }
  void TearDown() override { AlignedBuffer::guard_allocations(false); }
};

TEST_F(MatrixPack, EveryByteIsWidenedExactly) {
  // 16 keys of 16 coordinates hold all 256 values of a byte.
  Tensor memory(DType::kI8, {16, 1, 16});
  auto* bytes = static_cast<int8_t*>(memory.raw());
  for (int i = 0; i < 256; ++i) bytes[i] = static_cast<int8_t>(i - 128);
  AlignedBuffer packed(static_cast<size_t>(matrix_key_bytes(16, 16)));
  matrix_pack_keys(dense_rows(memory.raw(), DType::kI8, 1, 16), 0, 0, 16, 16, packed.data());
  for (int64_t k = 0; k < 16; ++k)
    for (int64_t d = 0; d < 16; ++d) {
      uint16_t bits = 0;
      std::memcpy(&bits, packed.data() + d / 2 * 64 + k * 4 + d % 2 * 2, 2);
      EXPECT_EQ(to_f32(BFloat16{bits}), to_f32(bytes[k * 16 + d]));
    }
}

}  // namespace
}  // namespace attn
