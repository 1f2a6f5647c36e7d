// SPDX-License-Identifier: GPL-3.0-or-later
// Packs keys and values of any layout and cache type into the f32 layouts of the micro-kernels.
// Included once per Highway target. Layouts:
// - keys [panels, head_size, 64]: one panel = 64 keys, missing keys are 0;
// - values [strips, keys, 64]: one strip = 64 columns of the padded head size; the last strip has
//   the columns that are left; padding is 0.
#if defined(ATTN_KERNELS_PACK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTN_KERNELS_PACK_INL_H_
#undef ATTN_KERNELS_PACK_INL_H_
#else
#define ATTN_KERNELS_PACK_INL_H_
#endif

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/core/tensor.h"
#include "engine/kernels/cache/kv_source.h"
#include "engine/kernels/prefill/flash_prefill.h"
#include "engine/kernels/tiles/load-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {

inline int64_t pad_head_size(int64_t head_size) {
  return (head_size + 15) / 16 * 16;
}

#if HWY_TARGET == HWY_SCALAR
// One lane per vector: a 4 x 4 block is moved element by element.
struct V4 {
  float lane[4];
};
template <class T>
V4 Load4(const T* p) {
  return {{to_f32(p[0]), to_f32(p[1]), to_f32(p[2]), to_f32(p[3])}};
}
inline void StoreTransposed4(V4 a, V4 b, V4 c, V4 e, float* out, int64_t stride) {
  for (int i = 0; i < 4; ++i) {
    float* row = out + i * stride;
    row[0] = a.lane[i];
    row[1] = b.lane[i];
    row[2] = c.lane[i];
    row[3] = e.lane[i];
  }
}
#else
using D4 = hn::FixedTag<float, 4>;
using V4 = hn::Vec<D4>;

template <class T>
HWY_INLINE V4 Load4(const T* p) {
  const D4 d;
  constexpr DType kType = DTypeOf<T>::value;
  return LoadUnit(kType) == 1.0f ? LoadAsFloat(d, p)
                                 : hn::Mul(LoadAsFloat(d, p), hn::Set(d, LoadUnit(kType)));
}

// Stores the transpose of the 4 x 4 block with the rows a, b, c, e. stride: floats from one stored
// row to the next.
HWY_INLINE void StoreTransposed4(V4 a, V4 b, V4 c, V4 e, float* out, int64_t stride) {
  const D4 d4;
  const hn::FixedTag<uint64_t, 2> d64;
  const auto ab_low = hn::BitCast(d64, hn::InterleaveLower(d4, a, b));
  const auto ce_low = hn::BitCast(d64, hn::InterleaveLower(d4, c, e));
  const auto ab_high = hn::BitCast(d64, hn::InterleaveUpper(d4, a, b));
  const auto ce_high = hn::BitCast(d64, hn::InterleaveUpper(d4, c, e));
  hn::StoreU(hn::BitCast(d4, hn::InterleaveLower(d64, ab_low, ce_low)), d4, out);
  hn::StoreU(hn::BitCast(d4, hn::InterleaveUpper(d64, ab_low, ce_low)), d4, out + stride);
  hn::StoreU(hn::BitCast(d4, hn::InterleaveLower(d64, ab_high, ce_high)), d4, out + 2 * stride);
  hn::StoreU(hn::BitCast(d4, hn::InterleaveUpper(d64, ab_high, ce_high)), d4, out + 3 * stride);
}
#endif  // HWY_SCALAR

// Whether tokens [token, token + 4) lie in one block; true where there is no block table.
inline bool OneBlock(const KvSource& source, int64_t token) {
  return !source.block_table || token % source.block_size + 4 <= source.block_size;
}

// Where a row is contiguous, the rows of a head are prefetched this many tokens ahead.
inline constexpr int64_t kPrefetchTokens = 48;
template <class T>
HWY_INLINE void PrefetchRows(const KvSource& source, const T* base, int64_t token, int64_t end,
                             int64_t head, int64_t head_size) {
  if (source.chunk != head_size) return;
  for (int64_t t = token; t < end; ++t) {
    const T* row = base + source.row(t, head);
    for (int64_t e = 0; e < head_size; e += 64 / static_cast<int64_t>(sizeof(T)))
      __builtin_prefetch(row + e, 0, 2);
  }
}

template <class T>
HWY_INLINE void CopyAsFloat(const T* from, int64_t count, float* to) {
  const DF d;
  const VF unit = hn::Set(d, LoadUnit(DTypeOf<T>::value));
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    hn::StoreU(hn::Mul(LoadAsFloat(d, from + i), unit), d, to + i);
  for (; i < count; ++i) to[i] = to_f32(from[i]);
}

// Packs `count` keys of one page [head_size / kFold, block_size, kFold], in which the elements of
// neighbouring keys lie side by side, into a panel.
template <class T>
void PackKeyRun(const T* page, int64_t stride, int64_t count, int64_t head_size, float* column) {
  constexpr int64_t kFold = kKeyFold<T>;
  const DF d;
  for (int64_t e = 0; e < head_size; e += kFold, page += stride, column += kFold * kKeyPanel) {
    if constexpr (kFold == 1) {
      CopyAsFloat(page, count, column);
    } else {
      int64_t k = 0;
      for (; k + kLanes <= count; k += kLanes) {
        VF even, odd;
        LoadPairs(d, page + 2 * k, even, odd);
        hn::StoreU(even, d, column + k);
        hn::StoreU(odd, d, column + kKeyPanel + k);
      }
      for (; k < count; ++k) {
        column[k] = to_f32(page[2 * k]);
        column[kKeyPanel + k] = to_f32(page[2 * k + 1]);
      }
    }
  }
}

template <class T>
void PackKeysOf(const KvSource& source, int64_t head, int64_t begin, int64_t count,
                int64_t head_size, float* out) {
  const T* base = static_cast<const T*>(source.base);
  const bool by_four = source.chunk % 4 == 0 && head_size % 4 == 0;
  const bool key_fast = source.key_axis_is_fast() && head_size % kKeyFold<T> == 0;
  PrefetchRows(source, base, begin, begin + std::min(count, kPrefetchTokens), head, head_size);
  int64_t i = 0;
  while (i < count) {
    float* column = out + i / kKeyPanel * (kKeyPanel * head_size) + i % kKeyPanel;
    const T* row = base + source.row(begin + i, head);
    if (i % 4 == 0) {
      const int64_t ahead = begin + i + kPrefetchTokens;
      PrefetchRows(source, base, ahead, std::min(begin + count, ahead + 4), head, head_size);
    }
    if (key_fast) {
      const int64_t in_page = source.block_size - (begin + i) % source.block_size;
      const int64_t run = std::min({in_page, count - i, kKeyPanel - i % kKeyPanel});
      PackKeyRun(row, source.chunk_stride, run, head_size, column);
      i += run;
    } else if (by_four && i + 4 <= count && i % kKeyPanel + 4 <= kKeyPanel &&
               OneBlock(source, begin + i)) {
      const int64_t step = source.token_stride;
      for (int64_t d = 0; d < head_size; d += source.chunk) {
        const T* chunk = row + d / source.chunk * source.chunk_stride;
        const int64_t width = std::min(source.chunk, head_size - d);
        for (int64_t e = 0; e < width; e += 4)
          StoreTransposed4(Load4(chunk + e), Load4(chunk + step + e), Load4(chunk + 2 * step + e),
                           Load4(chunk + 3 * step + e), column + (d + e) * kKeyPanel, kKeyPanel);
      }
      i += 4;
    } else {
      for (int64_t d = 0; d < head_size; ++d)
        column[d * kKeyPanel] = to_f32(row[source.element(d)]);
      ++i;
    }
  }
}

template <class T>
void PackValuesOf(const KvSource& source, int64_t head, int64_t begin, int64_t count,
                  int64_t head_size, float* out) {
  const T* base = static_cast<const T*>(source.base);
  const int64_t width = pad_head_size(head_size);
  const bool token_fast = source.token_stride == 1 && source.chunk == 1 && head_size % 4 == 0;
  for (int64_t first = 0; first < width; first += kValueStrip) {
    const int64_t stride = std::min(kValueStrip, width - first);
    const int64_t filled = std::clamp<int64_t>(head_size - first, 0, stride);
    float* strip = out + first * count;
    for (int64_t i = 0; i < count;) {
      const T* row = base + source.row(begin + i, head);
      float* to = strip + i * stride;
      if (first == 0) {
        const int64_t ahead = begin + i + kPrefetchTokens;
        PrefetchRows(source, base, ahead, std::min(begin + count, ahead + 1), head, head_size);
      }
      if (token_fast && i + 4 <= count && OneBlock(source, begin + i)) {
        const int64_t step = source.chunk_stride;
        for (int64_t d = 0; d < filled; d += 4) {
          const T* column = row + (first + d) * step;
          StoreTransposed4(Load4(column), Load4(column + step), Load4(column + 2 * step),
                           Load4(column + 3 * step), to + d, stride);
        }
        for (int64_t k = 0; k < 4; ++k)
          std::fill(to + k * stride + filled, to + (k + 1) * stride, 0.0f);
        i += 4;
        continue;
      }
      if (source.chunk == head_size)
        CopyAsFloat(row + first, filled, to);
      else
        for (int64_t d = 0; d < filled; ++d) to[d] = to_f32(row[source.element(first + d)]);
      std::fill(to + filled, to + stride, 0.0f);
      ++i;
    }
  }
}

// Calls fn(T()) with T the C++ type of dtype, or float for a dtype without a case here.
template <class Fn>
void WithType(DType dtype, Fn&& fn) {
  switch (dtype) {
    case DType::kBF16:
      return fn(BFloat16());
    case DType::kF16:
      return fn(Float16());
    case DType::kF8E4M3:
      return fn(Float8E4M3());
    case DType::kF8E5M2:
      return fn(Float8E5M2());
    case DType::kI8:
      return fn(int8_t());
    default:
      return fn(float());
  }
}

inline void ScaleAll(float scale, int64_t count, float* values) {
  if (scale == 1.0f) return;
  for (int64_t i = 0; i < count; ++i) values[i] *= scale;
}

// Packs keys begin .. begin + count - 1 of `head` into ceil(count / 64) panels.
inline void PackKeys(const KvSource& source, int64_t head, int64_t begin, int64_t count,
                     int64_t head_size, float* out) {
  if (count % kKeyPanel != 0) {
    float* last = out + count / kKeyPanel * (kKeyPanel * head_size);
    for (int64_t d = 0; d < head_size; ++d)
      std::fill(last + d * kKeyPanel + count % kKeyPanel, last + (d + 1) * kKeyPanel, 0.0f);
  }
  WithType(source.dtype,
           [&]<class T>(T) { PackKeysOf<T>(source, head, begin, count, head_size, out); });
  ScaleAll(source.scale_of(head), (count + kKeyPanel - 1) / kKeyPanel * kKeyPanel * head_size, out);
}

// Packs values begin .. begin + count - 1 of `head` into strips. True when all are finite.
inline bool PackValues(const KvSource& source, int64_t head, int64_t begin, int64_t count,
                       int64_t head_size, float* out) {
  const int64_t late = ATTN_FAULT(kValuesOneLate) && begin > 0 ? 1 : 0;
  WithType(source.dtype,
           [&]<class T>(T) { PackValuesOf<T>(source, head, begin - late, count, head_size, out); });
  const int64_t total = count * pad_head_size(head_size);
  ScaleAll(source.scale_of(head), total, out);
  // 0 * x is 0 for every finite x and NaN for the others.
  const hn::ScalableTag<float> d;
  const auto zero = hn::Zero(d);
  auto sum = zero;
  for (int64_t i = 0; i < total; i += static_cast<int64_t>(hn::Lanes(d)))
    sum = hn::MulAdd(hn::Load(d, out + i), zero, sum);
  return !std::isnan(hn::GetLane(hn::SumOfLanes(d, sum)));
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
