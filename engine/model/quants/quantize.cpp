// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/quants/quantize.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/core/dtype.h"

namespace attn {
namespace {

constexpr int64_t kNumbers = 32;  // of a block of Q8_0 and Q4_0

template <class T>
void put(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof(T));
}

// 1 / scale; 0 where the scale is 0, or where 1 / scale is not finite.
float reciprocal(float scale) {
  const float inverse = scale == 0 ? 0 : 1 / scale;
  return std::isfinite(inverse) ? inverse : 0;
}

void write_f32(const float* from, int64_t count, std::byte* to) {
  std::memcpy(to, from, static_cast<size_t>(count) * sizeof(float));
}
void write_f16(const float* from, int64_t count, std::byte* to) {
  for (int64_t i = 0; i < count; ++i) put(to + 2 * i, to_f16(from[i]));
}
void write_bf16(const float* from, int64_t count, std::byte* to) {
  for (int64_t i = 0; i < count; ++i) put(to + 2 * i, to_bf16(from[i]));
}

}  // namespace

void quantize_q8_0(const float* from, int64_t blocks, std::byte* to) {
  for (; blocks > 0; --blocks, from += kNumbers, to += 2 + kNumbers) {
    float most = 0;
    for (int64_t j = 0; j < kNumbers; ++j) most = std::max(most, std::abs(from[j]));
    const float scale = most / 127, inverse = reciprocal(scale);
    put(to, to_f16(scale));
    for (int64_t j = 0; j < kNumbers; ++j)  // halves are rounded away from zero
      put(to + 2 + j,
          static_cast<int8_t>(std::clamp(std::round(from[j] * inverse), -127.f, 127.f)));
  }
}

void quantize_q4_0(const float* from, int64_t blocks, std::byte* to) {
  constexpr int64_t kHalf = kNumbers / 2;
  for (; blocks > 0; --blocks, from += kNumbers, to += 2 + kHalf) {
    // The first number of the greatest magnitude becomes -8, unless it is almost 0.
    const float* most = std::max_element(
        from, from + kNumbers, [](float a, float b) { return std::abs(a) < std::abs(b); });
    const float scale = *most / -8, inverse = reciprocal(scale);
    put(to, to_f16(scale));
    const auto quant = [&](int64_t j) {
      const float shifted = from[j] * inverse + 8.5f;
      return static_cast<uint32_t>(std::clamp(std::trunc(shifted), 0.f, 15.f));
    };
    for (int64_t j = 0; j < kHalf; ++j)
      put(to + 2 + j, static_cast<uint8_t>(quant(j) | quant(j + kHalf) << 4));
  }
}

WrittenType written_type(std::string_view name) {
  if (name == "f32") return {ggml_type(0), write_f32};
  if (name == "f16") return {ggml_type(1), write_f16};
  if (name == "bf16") return {ggml_type(30), write_bf16};
  if (name == "q8_0") return {ggml_type(8), quantize_q8_0};
  if (name == "q4_0") return {ggml_type(2), quantize_q4_0};
  return {};
}

}  // namespace attn
