// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/not_finite.h"

#include <gtest/gtest.h>

#include <cmath>

namespace attn {
namespace {

TEST(NotFinite, IsFoundInEveryType) {
  for (const DType dtype : {DType::kF64, DType::kF32, DType::kF16, DType::kBF16}) {
    Tensor wide(DType::kF32, {100, 99});
    for (int64_t i = 0; i < wide.size(); ++i) wide.data<float>()[i] = static_cast<float>(i % 7) - 3;
    EXPECT_EQ(first_not_finite(convert(wide, dtype)), -1);
    for (const int64_t at : {int64_t{0}, int64_t{4095}, int64_t{4096}, wide.size() - 1}) {
      const float before = wide.data<float>()[at];
      for (const float bad : {INFINITY, -INFINITY, NAN, -NAN}) {
        wide.data<float>()[at] = bad;
        const Tensor tensor = convert(wide, dtype);
        EXPECT_EQ(first_not_finite(tensor), at);
        EXPECT_EQ(count_not_finite(tensor), 1);
      }
      wide.data<float>()[at] = before;
    }
  }
  EXPECT_EQ(first_not_finite(Tensor(DType::kF32, {0, 3})), -1);
  EXPECT_EQ(first_not_finite(Tensor(DType::kI32, {3})), -1);
}

}  // namespace
}  // namespace attn
