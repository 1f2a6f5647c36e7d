// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/quants/ggml_type.h"

#include <algorithm>
#include <array>

#include "engine/model/quants/dequantize.h"

namespace attn {
namespace {

// Sorted by id. Types that are not read here are listed too, so that the places of tensors in a
// file can be checked.
constexpr std::array kGgmlTypes = {
    GgmlType{0, "F32", 1, 4, DType::kF32, nullptr},
    GgmlType{1, "F16", 1, 2, DType::kF16, nullptr},
    GgmlType{2, "Q4_0", 32, 18, {}, dequantize_q4_0},
    GgmlType{3, "Q4_1", 32, 20, {}, dequantize_q4_1},
    GgmlType{6, "Q5_0", 32, 22, {}, dequantize_q5_0},
    GgmlType{7, "Q5_1", 32, 24, {}, dequantize_q5_1},
    GgmlType{8, "Q8_0", 32, 34, {}, dequantize_q8_0},
    GgmlType{9, "Q8_1", 32, 40, {}, nullptr},
    GgmlType{10, "Q2_K", 256, 84, {}, dequantize_q2_k},
    GgmlType{11, "Q3_K", 256, 110, {}, dequantize_q3_k},
    GgmlType{12, "Q4_K", 256, 144, {}, dequantize_q4_k},
    GgmlType{13, "Q5_K", 256, 176, {}, dequantize_q5_k},
    GgmlType{14, "Q6_K", 256, 210, {}, dequantize_q6_k},
    GgmlType{15, "Q8_K", 256, 292, {}, nullptr},
    GgmlType{16, "IQ2_XXS", 256, 66, {}, nullptr},
    GgmlType{17, "IQ2_XS", 256, 74, {}, nullptr},
    GgmlType{18, "IQ3_XXS", 256, 98, {}, nullptr},
    GgmlType{19, "IQ1_S", 256, 50, {}, nullptr},
    GgmlType{20, "IQ4_NL", 32, 18, {}, dequantize_iq4_nl},
    GgmlType{21, "IQ3_S", 256, 110, {}, nullptr},
    GgmlType{22, "IQ2_S", 256, 82, {}, nullptr},
    GgmlType{23, "IQ4_XS", 256, 136, {}, dequantize_iq4_xs},
    GgmlType{24, "I8", 1, 1, DType::kI8, nullptr},
    GgmlType{25, "I16", 1, 2, DType::kI16, nullptr},
    GgmlType{26, "I32", 1, 4, DType::kI32, nullptr},
    GgmlType{27, "I64", 1, 8, DType::kI64, nullptr},
    GgmlType{28, "F64", 1, 8, DType::kF64, nullptr},
    GgmlType{29, "IQ1_M", 256, 56, {}, nullptr},
    GgmlType{30, "BF16", 1, 2, DType::kBF16, nullptr},
    GgmlType{34, "TQ1_0", 256, 54, {}, nullptr},
    GgmlType{35, "TQ2_0", 256, 66, {}, nullptr},
    GgmlType{39, "MXFP4", 32, 17, {}, nullptr},
    GgmlType{40, "NVFP4", 64, 36, {}, nullptr},
    GgmlType{41, "Q1_0", 128, 18, {}, nullptr},
};
constexpr std::array<uint32_t, 8> kRemovedTypes = {4, 5, 31, 32, 33, 36, 37, 38};

}  // namespace

const GgmlType* ggml_type(uint32_t id) {
  const auto* type = std::ranges::lower_bound(kGgmlTypes, id, {}, &GgmlType::id);
  return type != kGgmlTypes.end() && type->id == id ? type : nullptr;
}

bool is_removed_ggml_type(uint32_t id) {
  return std::ranges::find(kRemovedTypes, id) != kRemovedTypes.end();
}

std::string read_ggml_types() {
  std::string names;
  for (const GgmlType& type : kGgmlTypes) {
    const bool is_number = type.dtype == DType::kF64 || type.dtype == DType::kF32 ||
                           type.dtype == DType::kF16 || type.dtype == DType::kBF16;
    if (is_number || type.dequantize) names += (names.empty() ? "" : ", ") + std::string(type.name);
  }
  return names;
}

}  // namespace attn
