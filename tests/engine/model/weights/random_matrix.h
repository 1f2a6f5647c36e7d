// SPDX-License-Identifier: GPL-3.0-or-later
// Random matrices of every type of weights, their numbers as f32, and sizes for them.
#pragma once

#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "engine/core/rng.h"
#include "engine/core/tensor.h"
#include "engine/model/weights/weight_matrix.h"

namespace attn {

inline constexpr WeightType kWeightTypes[] = {
    WeightType::kF32,  WeightType::kF16,  WeightType::kBF16,  WeightType::kQ8_0, WeightType::kQ4_0,
    WeightType::kQ4_K, WeightType::kQ6_K, WeightType::kQ4_1,  WeightType::kQ5_1, WeightType::kQ2_K,
    WeightType::kQ3_K, WeightType::kQ5_K, WeightType::kIQ4_XS};

struct Matrix {
  WeightType type = WeightType::kF32;
  Shape shape;
  Tensor bytes;

  StoredMatrix stored() const { return {type, shape, convert(bytes, bytes.dtype())}; }
  const std::byte* row(int64_t row) const {
    return static_cast<const std::byte*>(bytes.raw()) + row * row_bytes(type, shape[1]);
  }
};

// Calls fn(bytes) for the elements of two bytes of a quantised matrix: its f16 scales and minima.
template <class Fn>
void for_scales(Matrix& matrix, Fn&& fn) {
  const WeightLayout& layout = layout_of(matrix.type);
  auto* bytes = static_cast<std::byte*>(matrix.bytes.raw());
  for (size_t at = 0; at < matrix.bytes.bytes();)
    for (const BlockSection& section : layout.sections)
      for (int64_t i = 0; i < section.count; ++i, at += static_cast<size_t>(section.element_bytes))
        if (section.element_bytes == 2) fn(bytes + at);
}

// Quantised types get random bytes with finite scales.
inline Matrix random_matrix(WeightType type, int64_t rows, int64_t columns, uint64_t seed) {
  Rng rng(seed);
  Tensor numbers(DType::kF32, {rows, columns});
  for (float& number : numbers.span<float>()) number = rng.normal();
  for (const DType dtype : {DType::kF32, DType::kF16, DType::kBF16})
    if (weight_type_of(dtype) == type) return {type, {rows, columns}, convert(numbers, dtype)};
  Matrix matrix;
  matrix.type = type;
  matrix.shape = {rows, columns};
  matrix.bytes = Tensor(DType::kU8, {rows, row_bytes(type, columns)});
  for (uint8_t& byte : matrix.bytes.span<uint8_t>()) byte = static_cast<uint8_t>(rng.below(256));
  for_scales(matrix, [&](std::byte* scale) {
    const Float16 number = to_f16(rng.normal() / 16);
    std::memcpy(scale, &number, sizeof(number));
  });
  return matrix;
}

// The numbers of a matrix as f32.
inline Tensor widened(const Matrix& matrix) {
  Tensor wide(DType::kF32, matrix.shape);
  if (matrix.bytes.dtype() != DType::kU8) return convert(matrix.bytes, DType::kF32);
  for (int64_t row = 0; row < matrix.shape[0]; ++row)
    widen_blocks(matrix.type, matrix.row(row), matrix.shape[1] / layout_of(matrix.type).block,
                 wide.data<float>() + row * matrix.shape[1]);
  return wide;
}

// Rows and columns of matrices; not all of them fill whole panels.
inline std::vector<std::pair<int64_t, int64_t>> sizes_of(WeightType type) {
  const int64_t block = layout_of(type).block;
  if (block < 32) return {{1, 1}, {64, 5}, {70, 63}, {130, 129}};
  return {{1, block}, {70, 3 * block}, {128, 2 * block}};
}

}  // namespace attn
