// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/not_finite.h"

#include <algorithm>

namespace attn {
namespace {

// `exponent`: the bits of the exponent, which are all ones where a number is NaN or infinite.
template <class Bits>
bool all_finite(const Bits* bits, int64_t count, Bits exponent) {
  Bits found = 0;  // without a branch in the loop, so that it is vectorised
  for (int64_t i = 0; i < count; ++i) found |= static_cast<Bits>((bits[i] & exponent) == exponent);
  return found == 0;
}

template <class Bits>
int64_t first_of(const Tensor& tensor, Bits exponent) {
  constexpr int64_t kPiece = 4096;
  const auto* bits = static_cast<const Bits*>(tensor.raw());
  for (int64_t begin = 0; begin < tensor.size(); begin += kPiece) {
    const int64_t count = std::min(kPiece, tensor.size() - begin);
    if (all_finite(bits + begin, count, exponent)) continue;
    while ((bits[begin] & exponent) != exponent) ++begin;
    return begin;
  }
  return -1;
}

template <class Bits>
int64_t count_of(const Tensor& tensor, Bits exponent) {
  const auto* bits = static_cast<const Bits*>(tensor.raw());
  return std::count_if(bits, bits + tensor.size(),
                       [exponent](Bits x) { return (x & exponent) == exponent; });
}

// Calls fn(exponent) with the type's bits of the exponent. Returns `none` for other types.
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

}  // namespace

int64_t first_not_finite(const Tensor& tensor) {
  return with_exponent(tensor.dtype(), -1,
                       [&](auto exponent) { return first_of(tensor, exponent); });
}

int64_t count_not_finite(const Tensor& tensor) {
  return with_exponent(tensor.dtype(), 0,
                       [&](auto exponent) { return count_of(tensor, exponent); });
}

}  // namespace attn
