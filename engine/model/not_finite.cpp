// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/not_finite.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "engine/model/quants/dequantize.h"

namespace attn {
namespace {

// `exponent`: a mask of the exponent's bits, which are all ones in a number that is NaN or
// infinite.
template <class Bits>
bool all_finite(const Bits* bits, int64_t count, Bits exponent) {
  Bits found = 0;  // no branch in the loop, so that it can be vectorised
  for (int64_t i = 0; i < count; ++i) found |= static_cast<Bits>((bits[i] & exponent) == exponent);
  return found == 0;
}

template <class Bits>
int64_t first_of(const void* numbers, int64_t size, Bits exponent) {
  constexpr int64_t kPiece = 4096;
  const auto* bits = static_cast<const Bits*>(numbers);
  for (int64_t begin = 0; begin < size; begin += kPiece) {
    const int64_t count = std::min(kPiece, size - begin);
    if (all_finite(bits + begin, count, exponent)) continue;
    while ((bits[begin] & exponent) != exponent) ++begin;
    return begin;
  }
  return -1;
}

template <class Bits>
int64_t count_of(const void* numbers, int64_t size, Bits exponent) {
  const auto* bits = static_cast<const Bits*>(numbers);
  return std::count_if(bits, bits + size,
                       [exponent](Bits x) { return (x & exponent) == exponent; });
}

// For f64, f32, f16 and bf16, returns fn(mask of the exponent's bits); for other types, returns
// `none`.
template <class Fn>
int64_t with_exponent(DType dtype, int64_t none, Fn&& fn) {
  switch (dtype) {
    case DType::kF64:
      return fn(uint64_t{0x7FF0'0000'0000'0000});
    case DType::kF32:
      return fn(uint32_t{0x7F80'0000});
    case DType::kF16:
      return fn(uint16_t{0x7C00});
    case DType::kBF16:
      return fn(uint16_t{0x7F80});
    default:
      return none;
  }
}

std::optional<DType> plain_type(WeightType type) {
  for (const DType dtype : {DType::kF32, DType::kF16, DType::kBF16})
    if (weight_type_of(dtype) == type) return dtype;
  return std::nullopt;
}

// Calls bad(i) for each number i of a quantised matrix that is not finite, until a call returns
// false. The f16 scales and minima are the two-byte elements of a block. Where they are finite, all
// numbers are, and the block is skipped.
template <class Bad>
void for_bad(WeightType type, const std::byte* block, int64_t count, Bad&& bad) {
  const WeightLayout& layout = layout_of(type);
  std::vector<int64_t> scales;
  for (int64_t offset = 0; const BlockSection& section : layout.sections)
    for (int64_t i = 0; i < section.count; ++i, offset += section.element_bytes)
      if (section.element_bytes == 2) scales.push_back(offset);
  const int64_t blocks = count / layout.block;
  std::vector<float> numbers(static_cast<size_t>(layout.block));
  for (int64_t b = 0; b < blocks; ++b, block += layout.block_bytes) {
    const auto is_bad = [&](int64_t offset) {
      return (stored<uint16_t>(block + offset) & 0x7C00) == 0x7C00;
    };
    if (std::ranges::none_of(scales, is_bad)) continue;
    widen_blocks(type, block, 1, numbers.data());
    for (int64_t i = 0; i < layout.block; ++i)
      if (!std::isfinite(numbers[static_cast<size_t>(i)]) && !bad(b * layout.block + i)) return;
  }
}

}  // namespace

int64_t first_not_finite(const Tensor& tensor) {
  return with_exponent(tensor.dtype(), -1, [&](auto exponent) {
    return first_of(tensor.raw(), tensor.size(), exponent);
  });
}

int64_t count_not_finite(const Tensor& tensor) {
  return with_exponent(tensor.dtype(), 0, [&](auto exponent) {
    return count_of(tensor.raw(), tensor.size(), exponent);
  });
}

int64_t first_not_finite(WeightType type, const std::byte* from, int64_t count) {
  if (const std::optional<DType> dtype = plain_type(type))
    return with_exponent(*dtype, -1,
                         [&](auto exponent) { return first_of(from, count, exponent); });
  int64_t first = -1;
  for_bad(type, from, count, [&](int64_t i) {
    first = i;
    return false;
  });
  return first;
}

int64_t count_not_finite(WeightType type, const std::byte* from, int64_t count) {
  if (const std::optional<DType> dtype = plain_type(type))
    return with_exponent(*dtype, 0, [&](auto exponent) { return count_of(from, count, exponent); });
  int64_t bad = 0;
  for_bad(type, from, count, [&](int64_t /*i*/) { return ++bad > 0; });
  return bad;
}

}  // namespace attn
