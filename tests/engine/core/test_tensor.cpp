// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/tensor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "engine/core/error.h"

namespace attn {
namespace {

TEST(Tensor, IsZeroFilledAndAligned) {
  const Tensor tensor(DType::kF32, {3, 5});
  EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.raw()) % 64, 0u);
  for (const float x : tensor.span<float>()) EXPECT_EQ(x, 0.0f);
  EXPECT_EQ(to_string(tensor.shape()), "[3, 5]");
}

TEST(Tensor, ViewFollowsRowMajorOrder) {
  Tensor tensor(DType::kF32, {2, 3, 4});
  for (int64_t i = 0; i < 24; ++i) tensor.data<float>()[i] = static_cast<float>(i);
  const auto view = view_of<float, 3>(tensor);
  EXPECT_EQ(view(1, 2, 3), 23.0f);
  EXPECT_EQ(view(1, 0, 2), 14.0f);
}

TEST(Tensor, RefusesShapesThatOverflow) {
  EXPECT_THROW(element_count({int64_t{1} << 40, int64_t{1} << 40}), Error);
  EXPECT_THROW(element_count({2, -1}), Error);
  EXPECT_THROW(Tensor(DType::kF64, {int64_t{1} << 61}), Error);
}

TEST(Tensor, OutOfMemoryIsAnErrorWithTheSize) {
  try {
    Tensor(DType::kF32, {int64_t{1} << 50});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    EXPECT_NE(std::string(error.what()).find("[1125899906842624] of f32 = 4194304.00 GiB"),
              std::string::npos)
        << error.what();
  }
}

TEST(Tensor, ConvertsBetweenFloatingTypes) {
  Tensor tensor(DType::kF32, {3});
  tensor.data<float>()[0] = 1.00390625f;
  tensor.data<float>()[1] = -2.5f;
  tensor.data<float>()[2] = 70000.0f;
  const Tensor bf16 = convert(tensor, DType::kBF16), f16 = convert(tensor, DType::kF16);
  EXPECT_EQ(to_f32(bf16.data<BFloat16>()[0]), 1.0f);
  EXPECT_EQ(to_f32(bf16.data<BFloat16>()[1]), -2.5f);
  EXPECT_TRUE(std::isinf(to_f32(f16.data<Float16>()[2])));
  EXPECT_EQ(convert(bf16, DType::kF64).data<double>()[1], -2.5);
}

TEST(TensorDeathTest, GuardedBuffersEndAtAForbiddenPage) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(
      {
        AlignedBuffer::guard_allocations(true);
        AlignedBuffer buffer(100);
        buffer.data()[99] = std::byte{1};
        volatile std::byte* end = buffer.data() + 100;
        *end = std::byte{1};
      },
      "");
}

}  // namespace
}  // namespace attn
