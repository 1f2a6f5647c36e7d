// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/weights/weight_type.h"

#include <array>

#include "engine/model/quants/dequantize.h"

namespace attn {
namespace {

constexpr BlockSection kF32Sections[] = {{4, 1}};
constexpr BlockSection kF16Sections[] = {{2, 1}};
constexpr BlockSection kBF16Sections[] = {{4, 1}};  // two numbers
constexpr BlockSection kQ8_0Sections[] = {{2, 1}, {1, 32}};
constexpr BlockSection kQ4_0Sections[] = {{2, 1}, {4, 4}};
constexpr BlockSection kQ4_KSections[] = {{2, 2}, {1, 12}, {4, 32}};
constexpr BlockSection kQ6_KSections[] = {{4, 32}, {4, 16}, {1, 16}, {2, 1}};

constexpr BlockSection kQ4_1Sections[] = {{2, 2}, {4, 4}};
constexpr BlockSection kQ5_1Sections[] = {{2, 2}, {4, 5}};
constexpr BlockSection kQ2_KSections[] = {{1, 16}, {4, 16}, {2, 2}};
constexpr BlockSection kQ3_KSections[] = {{4, 24}, {1, 12}, {2, 1}};
constexpr BlockSection kQ5_KSections[] = {{2, 2}, {1, 12}, {4, 40}};
constexpr BlockSection kIQ4_XSSections[] = {{2, 1}, {1, 6}, {4, 32}};

constexpr std::array<WeightLayout, 13> kLayouts{{{"f32", 1, 4, kF32Sections},
                                                 {"f16", 1, 2, kF16Sections},
                                                 {"bf16", 2, 4, kBF16Sections},
                                                 {"Q8_0", 32, 34, kQ8_0Sections},
                                                 {"Q4_0", 32, 18, kQ4_0Sections},
                                                 {"Q4_K", 256, 144, kQ4_KSections},
                                                 {"Q6_K", 256, 210, kQ6_KSections},
                                                 {"Q4_1", 32, 20, kQ4_1Sections},
                                                 {"Q5_1", 32, 24, kQ5_1Sections},
                                                 {"Q2_K", 256, 84, kQ2_KSections},
                                                 {"Q3_K", 256, 110, kQ3_KSections},
                                                 {"Q5_K", 256, 176, kQ5_KSections},
                                                 {"IQ4_XS", 256, 136, kIQ4_XSSections}}};

template <class T>
void widen_numbers(const std::byte* from, int64_t count, float* to) {
  for (int64_t i = 0; i < count; ++i)
    to[i] = to_f32(stored<T>(from + i * static_cast<int64_t>(sizeof(T))));
}

}  // namespace

const WeightLayout& layout_of(WeightType type) {
  return kLayouts[static_cast<size_t>(type)];
}

int64_t row_bytes(WeightType type, int64_t columns) {
  const WeightLayout& layout = layout_of(type);
  return columns * layout.block_bytes / layout.block;
}

std::optional<WeightType> weight_type_of(DType dtype) {
  if (dtype == DType::kF32) return WeightType::kF32;
  if (dtype == DType::kF16) return WeightType::kF16;
  if (dtype == DType::kBF16) return WeightType::kBF16;
  return std::nullopt;
}

void widen_blocks(WeightType type, const std::byte* from, int64_t blocks, float* to) {
  switch (type) {
    case WeightType::kF32:
      return widen_numbers<float>(from, blocks, to);
    case WeightType::kF16:
      return widen_numbers<Float16>(from, blocks, to);
    case WeightType::kBF16:
      return widen_numbers<BFloat16>(from, 2 * blocks, to);
    case WeightType::kQ8_0:
      return dequantize_q8_0(from, blocks, to);
    case WeightType::kQ4_0:
      return dequantize_q4_0(from, blocks, to);
    case WeightType::kQ4_K:
      return dequantize_q4_k(from, blocks, to);
    case WeightType::kQ6_K:
      return dequantize_q6_k(from, blocks, to);
    case WeightType::kQ4_1:
      return dequantize_q4_1(from, blocks, to);
    case WeightType::kQ5_1:
      return dequantize_q5_1(from, blocks, to);
    case WeightType::kQ2_K:
      return dequantize_q2_k(from, blocks, to);
    case WeightType::kQ3_K:
      return dequantize_q3_k(from, blocks, to);
    case WeightType::kQ5_K:
      return dequantize_q5_k(from, blocks, to);
    case WeightType::kIQ4_XS:
      return dequantize_iq4_xs(from, blocks, to);
  }
}

}  // namespace attn
