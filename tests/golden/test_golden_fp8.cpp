// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the fp8 conversions with the tables of ml_dtypes (tests/golden/generate/fp8_tables.py):
// every code is decoded, and f32 values at, between and beyond the representable ones are encoded.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "engine/model/files/safetensors.h"

namespace attn {
namespace {

template <class Float8>
void check_format(const std::string& file_name) {
  const SafetensorsFile file =
      SafetensorsFile::open(ATTN_SOURCE_DIR "/tests/golden/fp8/" + file_name + ".safetensors");
  const Tensor decoded = file.read("decoded"), input = file.read("input"),
               encoded = file.read("encoded"), saturated = file.read("saturated");
  ASSERT_EQ(decoded.size(), 256);
  ASSERT_GE(input.size(), 6000);
  for (int code = 0; code < 256; ++code) {
    const float found = to_f32(Float8{static_cast<uint8_t>(code)});
    const float expected = decoded.data<float>()[code];
    if (std::isnan(expected))
      EXPECT_TRUE(std::isnan(found)) << fmt::format("code {:#04x}: {}", code, found);
    else
      EXPECT_EQ(std::bit_cast<uint32_t>(found), std::bit_cast<uint32_t>(expected))
          << fmt::format("code {:#04x}: {} instead of {}", code, found, expected);
  }
  for (int64_t i = 0; i < input.size(); ++i) {
    const float x = input.data<float>()[i];
    const Float8 found = from_f32<Float8>(x);
    const uint8_t expected = encoded.data<uint8_t>()[i];
    EXPECT_EQ(saturates(DTypeOf<Float8>::value, x), saturated.data<uint8_t>()[i] != 0)
        << fmt::format("input {}: {:a}", i, x);
    if (std::isnan(x))
      EXPECT_TRUE(std::isnan(to_f32(found))) << fmt::format("input {}", i);
    else
      EXPECT_EQ(found.bits, expected) << fmt::format("input {}: {:a} is {:#04x} instead of {:#04x}",
                                                     i, x, found.bits, expected);
  }
}

TEST(GoldenFp8, E4M3) {
  check_format<Float8E4M3>("e4m3fn");
}
TEST(GoldenFp8, E5M2) {
  check_format<Float8E5M2>("e5m2");
}

}  // namespace
}  // namespace attn
