// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

#include "engine/kernels/fault.h"
#include "engine/kernels/tiles/bf16_unit.h"
#include "engine/kernels/tiles/matrix_tiles.h"

#if ATTN_HAS_BF16_UNITS
#include <immintrin.h>
#ifdef __clang__
#pragma clang attribute push(                                                      \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx2"))), \
    apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx2")
#endif

namespace attn {
namespace {

// --- int8 to bf16, by table look-up
struct ByteTable {
  __m512i low[2], high[2];  // lower and upper bytes of the bf16 of 0 .. 127

  ByteTable() {
    alignas(64) uint8_t halves[2][128];
    for (int i = 0; i < 128; ++i) {
      // The upper 16 bits hold the number exactly.
      const auto bits = std::bit_cast<uint32_t>(static_cast<float>(i));
      halves[0][i] = static_cast<uint8_t>(bits >> 16);
      halves[1][i] = static_cast<uint8_t>(bits >> 24);
    }
    for (int i = 0; i < 2; ++i) {
      low[i] = _mm512_load_si512(halves[0] + 64 * i);
      high[i] = _mm512_load_si512(halves[1] + 64 * i);
    }
  }
};

// An order of 64 int8 numbers. With it, unpacklo and unpackhi of the lower and upper bytes of their
// bf16 give two vectors of 32 numbers.
struct ByteOrder {
  alignas(64) uint8_t index[64];
  __m512i load() const { return _mm512_load_si512(index); }
};
// from(vector, number): index of the byte that becomes number `number` of vector `vector`.
template <class From>
constexpr ByteOrder byte_order(From&& from) {
  ByteOrder order{};
  for (int v = 0; v < 2; ++v)
    for (int i = 0; i < 32; ++i)
      order.index[i / 8 * 16 + v * 8 + i % 8] = static_cast<uint8_t>(from(v, i));
  return order;
}
// Order for 64 numbers of one row: they stay in the order of memory.
inline constexpr ByteOrder kBytesInOrder = byte_order([](int v, int i) { return v * 32 + i; });
// Order for four rows of 16 bytes: rows 0 and 1 alternate in the first vector, rows 2 and 3 in the
// second.
inline constexpr ByteOrder kFourRows =
    byte_order([](int v, int i) { return v * 32 + i % 2 * 16 + i / 2; });

inline __attribute__((always_inline)) void widen_bytes(const ByteTable& table, __m512i bytes,
                                                       __m512i order, __m512i& first,
                                                       __m512i& second) {
  const __m512i x = _mm512_permutexvar_epi8(order, bytes), at = _mm512_abs_epi8(x);
  const __m512i low = _mm512_permutex2var_epi8(table.low[0], at, table.low[1]);
  __m512i high = _mm512_permutex2var_epi8(table.high[0], at, table.high[1]);
  // The table ends at 127; the upper byte of the bf16 of 128 is 0x43, the lower one 0.
  high = _mm512_mask_mov_epi8(high, _mm512_movepi8_mask(at), _mm512_set1_epi8(0x43));
  // high | (x & 0x80)
  high = _mm512_ternarylogic_epi64(high, x, _mm512_set1_epi8(-128), 0xf8);
  first = _mm512_unpacklo_epi8(low, high);
  second = _mm512_unpackhi_epi8(low, high);
}

// --- 16 x 16 numbers of 32 bits, rows to columns
inline __attribute__((always_inline)) void transpose(__m512i (&x)[16]) {
  __m512i t[16];
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) {
    t[2 * i] = _mm512_unpacklo_epi32(x[2 * i], x[2 * i + 1]);
    t[2 * i + 1] = _mm512_unpackhi_epi32(x[2 * i], x[2 * i + 1]);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    x[4 * i] = _mm512_unpacklo_epi64(t[4 * i], t[4 * i + 2]);
    x[4 * i + 1] = _mm512_unpackhi_epi64(t[4 * i], t[4 * i + 2]);
    x[4 * i + 2] = _mm512_unpacklo_epi64(t[4 * i + 1], t[4 * i + 3]);
    x[4 * i + 3] = _mm512_unpackhi_epi64(t[4 * i + 1], t[4 * i + 3]);
  }
  // x[4 g + c] holds, in its 128-bit lane l, column 4 l + c of rows 4 g .. 4 g + 3.
#pragma GCC unroll 4
  for (int c = 0; c < 4; ++c) {
    const __m512i a = _mm512_shuffle_i32x4(x[c], x[4 + c], 0x88);
    const __m512i b = _mm512_shuffle_i32x4(x[8 + c], x[12 + c], 0x88);
    const __m512i d = _mm512_shuffle_i32x4(x[c], x[4 + c], 0xdd);
    const __m512i e = _mm512_shuffle_i32x4(x[8 + c], x[12 + c], 0xdd);
    t[c] = _mm512_shuffle_i32x4(a, b, 0x88);
    t[8 + c] = _mm512_shuffle_i32x4(a, b, 0xdd);
    t[4 + c] = _mm512_shuffle_i32x4(d, e, 0x88);
    t[12 + c] = _mm512_shuffle_i32x4(d, e, 0xdd);
  }
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) x[i] = t[i];
}

// --- keys of one type
template <class T>
class KeyPacker {
 public:
  // Packs one tile from the rows of 16 keys; each row has `count` (1 .. 32) coordinates, a null row
  // gives zeros. stride: 0 where a row is contiguous; else the elements from one 16-byte chunk of a
  // row to the next.
  inline __attribute__((always_inline)) void rows(const T* const (&rows)[16], int64_t count,
                                                  int64_t stride, std::byte* to) {
    const auto mask = static_cast<uint32_t>((uint64_t{1} << count) - 1);
    __m512i x[16];
    for (int i = 0; i < 16; ++i)
      x[i] = !rows[i]      ? _mm512_setzero_si512()
             : stride == 0 ? numbers(rows[i], mask)
                           : numbers_in_chunks(rows[i], stride, count);
    transpose(x);
    for (int i = 0; i < 16; ++i) _mm512_store_si512(to + i * 64, x[i]);
  }

  // Packs all coordinates of `count` keys that lie side by side in a page, [head_size / fold, ..,
  // fold], into the places `first` and following of a group of 16 keys. `stride`: elements from one
  // group of `fold` coordinates to the next.
  inline __attribute__((always_inline)) void page(const T* at, int64_t stride, int64_t head_size,
                                                  int64_t first, int64_t count, std::byte* to) {
    const auto mask = static_cast<__mmask16>((1u << count) - 1);
    to += first * 4;
    int64_t d = 0;
    if constexpr (!kByte) {
      for (; d < head_size; d += 2, to += 64, at += stride)
        store_keys(to, mask, _mm512_maskz_loadu_epi32(mask, at));
    } else {
      for (; d < head_size; d += 4, to += 128, at += 4 * stride) {
        __m512i low, high;
        widen_bytes(table_, four_rows(at, stride, head_size - d, mask), kFourRows.load(), low,
                    high);
        store_keys(to, mask, low);
        store_keys(to + 64, mask, high);
      }
    }
    for (; d < matrix_depth(head_size); d += 2, to += 64)
      store_keys(to, mask, _mm512_setzero_si512());
  }

 private:
  static constexpr bool kByte = std::is_same_v<T, int8_t>;

  static inline __attribute__((always_inline)) void store_keys(std::byte* to, __mmask16 mask,
                                                               __m512i x) {
    _mm512_mask_storeu_epi32(to, mask, x);
  }

  // Loads those of 32 numbers that `mask` names, as bf16.
  __m512i numbers(const T* p, uint32_t mask) const {
    if constexpr (kByte) {
      __m512i first, second;
      widen_bytes(table_, _mm512_castsi256_si512(_mm256_maskz_loadu_epi8(mask, p)),
                  kBytesInOrder.load(), first, second);
      return first;
    } else {
      return _mm512_maskz_loadu_epi16(mask, p);
    }
  }
  // Loads numbers from chunks of 16 bytes, as bf16. Chunks are read whole, as far as `count`
  // reaches.
  __m512i numbers_in_chunks(const T* p, int64_t stride, int64_t count) const {
    constexpr int64_t kChunk = 16 / int64_t{sizeof(T)};
    __m128i chunk[32 / kChunk] = {};
    for (int64_t i = 0; i * kChunk < count; ++i)
      chunk[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + i * stride));
    const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(chunk[0]), chunk[1], 1);
    if constexpr (kByte) {
      __m512i first, second;
      widen_bytes(table_, _mm512_castsi256_si512(low), kBytesInOrder.load(), first, second);
      return first;
    } else {
      const __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(chunk[2]), chunk[3], 1);
      return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
    }
  }
  // Loads four rows of 16 bytes. Only the first `left` rows exist, and of each row only the bytes
  // of the mask are read; the others are 0.
  static __m512i four_rows(const T* at, int64_t stride, int64_t left, __mmask16 mask) {
    if (stride == 16 && left >= 4 && mask == 0xffff) return _mm512_loadu_si512(at);
    __m128i row[4] = {};
    for (int i = 0; i < 4 && i < left; ++i) row[i] = _mm_maskz_loadu_epi8(mask, at + i * stride);
    const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(row[0]), row[1], 1);
    const __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(row[2]), row[3], 1);
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
  }

  ByteTable table_;
};

template <class T>
void copy_chunks(const KvSource& source, const T* row, int64_t from, int64_t count, T* to) {
  for (int64_t i = 0; i < count;) {
    const int64_t d = from + i;
    const int64_t run = std::min(count - i, source.chunk - d % source.chunk);
    std::memcpy(to + i, row + source.element(d), static_cast<size_t>(run) * sizeof(T));
    i += run;
  }
}

template <class T>
void pack_keys(const KvSource& source, int64_t head, int64_t begin, int64_t count,
               int64_t head_size, std::byte* to) {
  const T* base = static_cast<const T*>(source.base);
  const bool side_by_side = source.key_axis_is_fast() && head_size % source.fold() == 0;
  const bool in_chunks = source.chunk * int64_t{sizeof(T)} == 16 && head_size % source.chunk == 0;
  KeyPacker<T> packer;
  for (int64_t k = 0; k < count; k += kMatrixSide, to += matrix_key_bytes(1, head_size)) {
    const int64_t keys_left = std::min(kMatrixSide, count - k);
    if (side_by_side) {
      if (keys_left < kMatrixSide)
        std::memset(to, 0, static_cast<size_t>(matrix_key_bytes(1, head_size)));
      for (int64_t i = 0; i < keys_left;) {
        const int64_t token = begin + k + i;
        const int64_t run = std::min(keys_left - i, source.block_size - token % source.block_size);
        packer.page(base + source.row(token, head), source.chunk_stride, head_size, i, run, to);
        i += run;
      }
      continue;
    }
    const T* keys[16] = {};
    for (int64_t i = 0; i < keys_left; ++i) keys[i] = base + source.row(begin + k + i, head);
    for (int64_t d = 0; d < head_size; d += kMatrixStep) {
      const int64_t coordinates = std::min(kMatrixStep, head_size - d);
      const T* rows[16] = {};
      T copy[16][kMatrixStep];
      for (int i = 0; i < 16 && keys[i]; ++i) {
        rows[i] = keys[i] + (in_chunks ? source.element(d) : d);
        if (in_chunks || source.chunk == head_size) continue;
        copy_chunks(source, keys[i], d, coordinates, copy[i]);
        rows[i] = copy[i];
      }
      packer.rows(rows, coordinates, in_chunks ? source.chunk_stride : 0, to + d * kMatrixSide * 2);
    }
  }
}

// The bits of columns [from, from + 16) of a row, each in the lower half of 32 bits; 0 past the
// head size.
inline __attribute__((always_inline)) __m512i wide_columns(const BFloat16* row, int64_t from,
                                                           int64_t head_size) {
  const auto mask =
      static_cast<__mmask16>((1u << std::clamp<int64_t>(head_size - from, 0, 16)) - 1);
  return _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(mask, row + from));
}

}  // namespace

bool matrix_pack_values(const KvSource& source, int64_t head, int64_t begin, int64_t count,
                        int64_t head_size, void* packed) {
  const auto* base = static_cast<const BFloat16*>(source.base);
  const int64_t columns = (head_size + kMatrixSide - 1) / kMatrixSide * kMatrixSide;
  const int64_t group_bytes = matrix_value_bytes(count, kMatrixSide);
  const __m512i exponent = _mm512_set1_epi16(0x7f80);
  const int64_t late = ATTN_FAULT(kValuesOneLate) && begin > 0 ? 1 : 0;
  __mmask32 infinite = 0;
  for (int64_t k = 0; k < matrix_depth(count); k += 2) {
    const BFloat16* rows[2] = {};
    for (int64_t i = 0; i < 2 && k + i < count; ++i)
      rows[i] = base + source.row(begin - late + k + i, head);
    if (ATTN_FAULT(kValuePairsSwapped) && rows[1]) std::swap(rows[0], rows[1]);
    auto* to = static_cast<std::byte*>(packed) + k * kMatrixSide * 2;
    for (int64_t c = 0; c < columns; c += kMatrixSide, to += group_bytes) {
      __m512i pairs = rows[0] ? wide_columns(rows[0], c, head_size) : _mm512_setzero_si512();
      if (rows[1])
        pairs = _mm512_or_si512(pairs, _mm512_slli_epi32(wide_columns(rows[1], c, head_size), 16));
      infinite |= _mm512_cmpeq_epi16_mask(_mm512_and_si512(pairs, exponent), exponent);
      _mm512_store_si512(to, pairs);
    }
  }
  return infinite == 0;
}

void matrix_pack_keys(const KvSource& source, int64_t head, int64_t begin, int64_t count,
                      int64_t head_size, void* packed) {
  auto* to = static_cast<std::byte*>(packed);
  if (source.dtype == DType::kI8)
    pack_keys<int8_t>(source, head, begin, count, head_size, to);
  else
    pack_keys<BFloat16>(source, head, begin, count, head_size, to);
}

}  // namespace attn
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#else  // built without bf16 units: nothing below is called

namespace attn {

void matrix_pack_keys(const KvSource&, int64_t, int64_t, int64_t, int64_t, void*) {}
bool matrix_pack_values(const KvSource&, int64_t, int64_t, int64_t, int64_t, void*) {
  return false;
}

}  // namespace attn
#endif
