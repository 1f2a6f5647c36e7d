// SPDX-License-Identifier: GPL-3.0-or-later
// Element types of GGUF: that stored blocks become the numbers of gguf-py, and that numbers become
// its bytes, bit for bit. Also the list of types.
#include <gtest/gtest.h>

#include <cctype>
#include <cstring>
#include <filesystem>

#include "engine/model/files/safetensors.h"
#include "engine/model/quants/ggml_type.h"
#include "engine/model/quants/quantize.h"

namespace attn {
namespace {

const SafetensorsFile& golden() {
  static const SafetensorsFile file = SafetensorsFile::open(std::filesystem::path(ATTN_SOURCE_DIR) /
                                                            "tests/golden/gguf/blocks.safetensors");
  return file;
}

const GgmlType& type_named(const std::string& name) {
  for (uint32_t id = 0; id < 64; ++id)
    if (const GgmlType* type = ggml_type(id); type && type->name == name) return *type;
  throw std::logic_error("no type " + name);
}

TEST(Quants, BlocksHaveTheNumbersOfGgufPy) {
  int types = 0;
  for (uint32_t id = 0; id < 64; ++id) {
    const GgmlType* type = ggml_type(id);
    if (!type || !type->dequantize) continue;
    ++types;
    SCOPED_TRACE(type->name);
    const Tensor blocks = golden().read(std::string(type->name) + ".blocks"),
                 values = golden().read(std::string(type->name) + ".values");
    ASSERT_EQ(blocks.dim(1), type->block_bytes);
    std::vector<float> numbers(static_cast<size_t>(values.size()));
    type->dequantize(static_cast<const std::byte*>(blocks.raw()), blocks.dim(0), numbers.data());
    for (size_t i = 0; i < numbers.size(); ++i)
      ASSERT_EQ(std::memcmp(&numbers[i], values.data<float>() + i, 4), 0)
          << i << ": " << numbers[i] << ", not " << values.data<float>()[i];
  }
  EXPECT_EQ(types, 12);
}

TEST(Quants, NumbersAreWrittenAsByGgufPy) {
  const Tensor numbers = golden().read("numbers");
  for (const char* name : {"Q8_0", "Q4_0", "BF16", "F16"}) {
    SCOPED_TRACE(name);
    std::string small = name;
    for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const WrittenType written = written_type(small);
    ASSERT_NE(written.type, nullptr);
    const Tensor expected = golden().read(std::string(name) + ".written");
    std::vector<std::byte> bytes(expected.bytes());
    written.quantize(numbers.data<float>(), numbers.size() / written.type->block, bytes.data());
    const auto* wanted = static_cast<const std::byte*>(expected.raw());
    for (size_t i = 0; i < bytes.size(); ++i)
      ASSERT_EQ(bytes[i], wanted[i])
          << "byte " << i << ", row " << i / static_cast<size_t>(expected.dim(1));
  }
  EXPECT_EQ(written_type("q4_k").type, nullptr);
}

TEST(Quants, TypesAreKnown) {
  EXPECT_EQ(type_named("Q6_K").block, 256);
  EXPECT_EQ(ggml_type(1)->dtype, DType::kF16);
  EXPECT_FALSE(ggml_type(39)->is_read());
  EXPECT_EQ(ggml_type(4), nullptr);
  EXPECT_TRUE(is_removed_ggml_type(4));
  EXPECT_FALSE(is_removed_ggml_type(99));
  EXPECT_EQ(read_ggml_types(),
            "F32, F16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q2_K, Q3_K, Q4_K, Q5_K, Q6_K, IQ4_NL, IQ4_XS, "
            "F64, BF16");
}

}  // namespace
}  // namespace attn
