// SPDX-License-Identifier: GPL-3.0-or-later
// Weights that follow from names by a formula, so that golden files need not hold them. Element i
// of tensor TENSOR of case CASE is
//   seed  = FNV-1a (64 bits) of the bytes of "CASE/TENSOR"
//   z     = the mixing steps of splitmix64 on seed + (i + 1) * 0x9E3779B97F4A7C15, modulo 2^64
//   u     = (z >> 40) * 2^-23 - 1, in [-1, 1)
//   value = f32(center + spread * u), computed in f64
// tests/golden/generate/family_cases.py has the same formula.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/core/tensor.h"

namespace attn {

inline uint64_t fnv1a(std::string_view text) {
  uint64_t value = 0xCBF29CE484222325;
  for (const char byte : text) value = (value ^ static_cast<uint8_t>(byte)) * 0x100000001B3;
  return value;
}

inline Tensor hashed_tensor(std::string_view seed, Shape shape, double center, double spread) {
  Tensor tensor(DType::kF32, std::move(shape));
  uint64_t state = fnv1a(seed);
  for (float& value : tensor.span<float>()) {
    state += 0x9E3779B97F4A7C15;
    uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    z ^= z >> 31;
    const double u = static_cast<double>(z >> 40) * 0x1p-23 - 1;
    value = static_cast<float>(center + spread * u);
  }
  return tensor;
}

}  // namespace attn
