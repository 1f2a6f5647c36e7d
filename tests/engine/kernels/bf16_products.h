// SPDX-License-Identifier: GPL-3.0-or-later
// Random keys in several layouts, and checks of the products of a bf16 unit.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/core/rng.h"
#include "engine/core/tensor.h"
#include "engine/kernels/tiles/bf16_unit.h"
#include "engine/kernels/tiles/dot_tiles.h"
#include "engine/kernels/tiles/matrix_tiles.h"

namespace attn {

inline constexpr int64_t kKeys = 70, kFirst = 16, kHeads = 2, kHead = 1;

// Keys of KV head kHead in some layout, and the same numbers as floats.
struct Keys {
  std::vector<float> numbers;  // [kFirst + kKeys, head_size]
  Tensor memory;
  std::vector<int32_t> blocks;
  KvSource source;
};

template <class T>
T some_number(Rng& rng) {
  if constexpr (std::is_same_v<T, int8_t>)
    return static_cast<int8_t>(static_cast<int>(rng.below(256)) - 128);
  else
    return from_f32<T>(rng.normal());
}

// Makes random keys. layout: 0 dense, 1 pages in chunks of one or two coordinates, 2 pages in
// chunks of 16 bytes.
template <class T>
Keys make_keys(int layout, int64_t block_size, int64_t head_size, uint64_t seed) {
  constexpr DType kType = DTypeOf<T>::value;
  const int64_t count = kFirst + kKeys, blocks = (count + block_size - 1) / block_size;
  Keys keys;
  keys.memory = Tensor(kType, {blocks * block_size * kHeads * head_size});
  if (layout == 0) {
    keys.source = dense_rows(keys.memory.raw(), kType, kHeads, head_size);
  } else {
    for (int64_t i = 0; i < blocks; ++i)
      keys.blocks.push_back(static_cast<int32_t>(blocks - 1 - i));
    const int64_t chunk = layout == 1 ? (sizeof(T) == 2 ? 2 : 1) : 16 / int64_t{sizeof(T)};
    keys.source.base = keys.memory.raw();
    keys.source.dtype = kType;
    keys.source.block_table = keys.blocks.data();
    keys.source.block_size = block_size;
    keys.source.block_stride = block_size * kHeads * head_size;
    keys.source.head_stride = block_size * head_size;
    keys.source.token_stride = chunk;
    keys.source.chunk = chunk;
    keys.source.chunk_stride = block_size * chunk;
  }
  Rng rng(seed);
  auto* memory = static_cast<T*>(keys.memory.raw());
  for (int64_t k = 0; k < count; ++k)
    for (int64_t d = 0; d < head_size; ++d) {
      const T number = some_number<T>(rng);
      memory[keys.source.row(k, kHead) + keys.source.element(d)] = number;
      keys.numbers.push_back(to_f32(number));
    }
  return keys;
}

// A dot product that adds in the order that matrix_tiles.h states.
inline float matrix_dot(const float* query, const float* key, int64_t head_size) {
  float sum = 0;
  for (int64_t step = 0; step < head_size; step += kMatrixStep) {
    float even = 0, odd = 0;
    for (int64_t d = step; d < std::min(head_size, step + kMatrixStep); d += 2) {
      even = std::fma(query[d], key[d], even);
      if (d + 1 < head_size) odd = std::fma(query[d + 1], key[d + 1], odd);
    }
    sum += even + odd;
  }
  return sum;
}

// A dot product that adds in the order that dot_tiles.h states.
inline float pairwise_dot(const float* query, const float* key, int64_t head_size) {
  float sum = 0;
  for (int64_t d = 0; d < head_size; d += 2) {
    if (d + 1 < head_size) sum = std::fma(query[d + 1], key[d + 1], sum);
    sum = std::fma(query[d], key[d], sum);
  }
  return sum;
}

template <class T>
void expect_products(Bf16Unit unit, int layout, int64_t block_size, int64_t head_size) {
  SCOPED_TRACE(fmt::format("{}, layout {}, blocks of {}, head size {}", name_of(DTypeOf<T>::value),
                           layout, block_size, head_size));
  const Keys keys = make_keys<T>(layout, block_size, head_size, 7);
  AlignedBuffer packed(static_cast<size_t>(matrix_key_bytes(kKeys, head_size)));
  matrix_pack_keys(keys.source, kHead, kFirst, kKeys, head_size, packed.data());
  for (const int64_t rows : {1, 16, 17, 33, 48}) {
    Rng rng(static_cast<uint64_t>(rows));
    std::vector<float> query(static_cast<size_t>(rows * head_size));
    for (float& x : query) x = to_f32(to_bf16(rng.normal()));
    AlignedBuffer bf16(static_cast<size_t>(matrix_query_bytes(rows, head_size)));
    matrix_pack_query(query.data(), rows, head_size, bf16.data());
    constexpr int64_t kStride = 80;
    std::vector<float> scores(static_cast<size_t>((rows + 15) / 16 * 16 * kStride), -1.0f);
    const bool matrix = unit == Bf16Unit::kMatrix;
    const MatrixSession session(matrix);
    // Computes tile 0, then tiles 2 to 4; tile 1 is skipped.
    const auto multiply = matrix ? matrix_scores : dot_scores;
    multiply(bf16.data(), rows, packed.data(), 0, 1, head_size, scores.data(), kStride);
    multiply(bf16.data(), rows, packed.data(), 2, 5, head_size, scores.data(), kStride);
    const auto dot = matrix ? matrix_dot : pairwise_dot;
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t k = 0; k < kKeys; ++k) {
        const float expected = k / 16 == 1
                                   ? -1.0f
                                   : dot(query.data() + r * head_size,
                                         keys.numbers.data() + (kFirst + k) * head_size, head_size);
        ASSERT_EQ(std::bit_cast<uint32_t>(scores[static_cast<size_t>(r * kStride + k)]),
                  std::bit_cast<uint32_t>(expected))
            << "row " << r << " of " << rows << ", key " << k;
      }
  }
}

inline void expect_value_products(Bf16Unit unit, int64_t head_size) {
  SCOPED_TRACE(fmt::format("head size {}", head_size));
  Keys values = make_keys<BFloat16>(0, 1, head_size, 9);
  const int64_t columns = (head_size + 15) / 16 * 16;
  AlignedBuffer packed(static_cast<size_t>(matrix_value_bytes(kKeys, columns)));
  ASSERT_TRUE(matrix_pack_values(values.source, kHead, kFirst, kKeys, head_size, packed.data()));
  constexpr int64_t kRows = 33, kStride = 96;
  AlignedBuffer weights(48 * kStride * sizeof(BFloat16)),
      out(48 * static_cast<size_t>(columns) * 4);
  auto* weight = reinterpret_cast<BFloat16*>(weights.data());
  auto* found = reinterpret_cast<float*>(out.data());
  Rng rng(5);
  for (int64_t i = 0; i < 48 * kStride; ++i)
    weight[i] = to_bf16(i % kStride < kKeys ? static_cast<float>(rng.below(1000)) / 1000 : 0.0f);
  const MatrixSession session(unit == Bf16Unit::kMatrix);
  for (const auto& [from, to] : {std::pair<int64_t, int64_t>{0, kKeys}, {32, kKeys}, {32, 64}}) {
    (unit == Bf16Unit::kMatrix ? matrix_values : dot_values)(
        weight, kStride, kRows, packed.data(), kKeys, from, to, columns, found, columns);
    for (int64_t r = 0; r < kRows; ++r)
      for (int64_t c = 0; c < columns; ++c) {
        double expected = 0;
        for (int64_t k = from; k < to && c < head_size; ++k)
          expected += double{to_f32(weight[r * kStride + k])} *
                      values.numbers[static_cast<size_t>((kFirst + k) * head_size + c)];
        ASSERT_NEAR(found[r * columns + c], expected, 1e-4) << "row " << r << ", column " << c;
      }
  }
  auto* memory = static_cast<BFloat16*>(values.memory.raw());
  memory[values.source.row(kFirst + kKeys - 1, kHead) + head_size - 1] = BFloat16{0xff80};
  EXPECT_FALSE(matrix_pack_values(values.source, kHead, kFirst, kKeys, head_size, packed.data()));
}

inline void expect_tiny_numbers_count_as_zero(Bf16Unit unit) {
  const BFloat16 key[1] = {to_bf16(0x1p-127f)};
  AlignedBuffer packed(static_cast<size_t>(matrix_key_bytes(1, 1)));
  matrix_pack_keys(dense_rows(key, DType::kBF16, 1, 1), 0, 0, 1, 1, packed.data());
  const float query = 1.0f;
  AlignedBuffer bf16(static_cast<size_t>(matrix_query_bytes(1, 1)));
  matrix_pack_query(&query, 1, 1, bf16.data());
  std::vector<float> scores(16 * 16, -1.0f);
  const bool matrix = unit == Bf16Unit::kMatrix;
  const MatrixSession session(matrix);
  (matrix ? matrix_scores : dot_scores)(bf16.data(), 1, packed.data(), 0, 1, 1, scores.data(), 16);
  EXPECT_EQ(scores[0], 0.0f);
}

}  // namespace attn
