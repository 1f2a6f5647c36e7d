// SPDX-License-Identifier: GPL-3.0-or-later
// The SIMD micro-kernels every attention kernel is made of: packing of keys and values, S = Q K^T,
// exp, the softmax row update, O += P V. Included once per Highway target; everything here is per
// target. Layouts:
//   query tile    [rows, head_size]           row stride head_size
//   packed keys   [panels, head_size, 64]     one panel = 64 keys, key is the fast axis, missing
//   keys are 0 packed values [keys, padded head size]    padding is 0 scores        [rows,
//   score_stride]
// Order of additions: a dot product adds in the order of d; an output element in the order of keys.
// Neither depends on how rows, keys or blocks are grouped, which is what keeps the output bits
// fixed.

#if defined(ATTN_KERNELS_TILE_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTN_KERNELS_TILE_MATH_INL_H_
#undef ATTN_KERNELS_TILE_MATH_INL_H_
#else
#define ATTN_KERNELS_TILE_MATH_INL_H_
#endif

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "engine/kernels/flash_prefill.h"
#include "engine/kernels/kv_source.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::ScalableTag<float>;
using VF = hn::Vec<DF>;
inline constexpr float kNegInf = -std::numeric_limits<float>::infinity();
// 6 rows x 4 vectors of accumulators where there are 32 registers, x 2 where there are 16.
inline constexpr int64_t kLanes = hn::MaxLanes(DF());
inline constexpr int kTileVectors = kLanes >= 16 ? 4 : 2;
inline constexpr int kTileRows = 6;

inline int64_t pad_head_size(int64_t head_size) {
  return (head_size + 15) / 16 * 16;
}

// --- exp
// -------------------------------------------------------------------------------------------------------------
// e^x: x = n ln2 + r, |r| <= ln2 / 2, e^r by the polynomial of Cephes' expf, 2^n in two factors so
// that subnormal results round once. exp(-inf) = +0, NaN stays NaN.
HWY_INLINE VF Exp(DF d, VF x) {
  const hn::RebindToSigned<DF> di;
#if HWY_TARGET == HWY_SCALAR
  if (std::isnan(hn::GetLane(x))) return x;  // std::max and std::min lose a NaN
#endif
  // Operand order matters: max/min return the second operand when one is NaN.
  x = hn::Max(hn::Set(d, -104.0f), x);
  x = hn::Min(hn::Set(d, 89.0f), x);
  const VF n = hn::Round(hn::Mul(x, hn::Set(d, 1.44269504088896341f)));
  VF r = hn::NegMulAdd(n, hn::Set(d, 0.693359375f), x);
  r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4f), r);
  VF p = hn::Set(d, 1.9875691500e-4f);
  p = hn::MulAdd(p, r, hn::Set(d, 1.3981999507e-3f));
  p = hn::MulAdd(p, r, hn::Set(d, 8.3334519073e-3f));
  p = hn::MulAdd(p, r, hn::Set(d, 4.1665795894e-2f));
  p = hn::MulAdd(p, r, hn::Set(d, 1.6666665459e-1f));
  p = hn::MulAdd(p, r, hn::Set(d, 5.0000001201e-1f));
  p = hn::Add(hn::MulAdd(p, hn::Mul(r, r), r), hn::Set(d, 1.0f));
  const auto k = hn::ConvertTo(di, n);
  const auto half = hn::ShiftRight<1>(k);
  const auto bias = hn::Set(di, 127);
  const VF scale_a = hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(half, bias)));
  const VF scale_b = hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(hn::Sub(k, half), bias)));
  return hn::Mul(hn::Mul(p, scale_a), scale_b);
}

inline float ExpScalar(float x) {
  const DF d;
  return hn::GetLane(Exp(d, hn::Set(d, x)));
}

// --- packing
// -----------------------------------------------------------------------------------------------------------
#if HWY_TARGET == HWY_SCALAR
// One lane: a 4 x 4 block is moved element by element.
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

HWY_INLINE V4 Load4(const float* p) {
  return hn::LoadU(D4(), p);
}
HWY_INLINE V4 Load4(const BFloat16* p) {
  const hn::FixedTag<uint16_t, 4> d16;
  const hn::FixedTag<uint32_t, 4> d32;
  return hn::BitCast(D4(), hn::ShiftLeft<16>(hn::PromoteTo(
                               d32, hn::LoadU(d16, reinterpret_cast<const uint16_t*>(p)))));
}
inline V4 Load4(const Float16* p) {
  HWY_ALIGN float values[4] = {to_f32(p[0]), to_f32(p[1]), to_f32(p[2]), to_f32(p[3])};
  return hn::Load(D4(), values);
}

// Rows a, b, c, d of a 4 x 4 block become its columns, stored with the given stride.
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

// Whether tokens [token, token + 4) lie in one block.
inline bool OneBlock(const KvSource& source, int64_t token) {
  return !source.block_table || token % source.block_size + 4 <= source.block_size;
}

template <class T>
void PackKeysOf(const KvSource& source, int64_t head, int64_t begin, int64_t count,
                int64_t head_size, float* out) {
  const T* base = static_cast<const T*>(source.base);
  const bool by_four = source.chunk % 4 == 0 && head_size % 4 == 0;
  int64_t i = 0;
  while (i < count) {
    float* column = out + i / kKeyPanel * (kKeyPanel * head_size) + i % kKeyPanel;
    const T* row = base + source.row(begin + i, head);
    if (by_four && i + 4 <= count && i % kKeyPanel + 4 <= kKeyPanel &&
        OneBlock(source, begin + i)) {
      const int64_t step = source.token_stride;
      for (int64_t d = 0; d < head_size; d += source.chunk) {
        const T* chunk = row + d / source.chunk * source.chunk_stride;
        for (int64_t e = 0; e < source.chunk; e += 4)
          StoreTransposed4(Load4(chunk + e), Load4(chunk + step + e), Load4(chunk + 2 * step + e),
                           Load4(chunk + 3 * step + e), column + (d + e) * kKeyPanel, kKeyPanel);
      }
      i += 4;
    } else {
      for (int64_t d = 0; d < head_size; ++d)
        column[d * kKeyPanel] =
            to_f32(row[d / source.chunk * source.chunk_stride + d % source.chunk]);
      ++i;
    }
  }
}

// Keys begin .. begin + count - 1 of `head` into ceil(count / 64) panels; keys missing in the last
// panel become 0.
inline void PackKeys(const KvSource& source, int64_t head, int64_t begin, int64_t count,
                     int64_t head_size, float* out) {
  if (count % kKeyPanel != 0) {
    float* last = out + count / kKeyPanel * (kKeyPanel * head_size);
    for (int64_t d = 0; d < head_size; ++d)
      std::fill(last + d * kKeyPanel + count % kKeyPanel, last + (d + 1) * kKeyPanel, 0.0f);
  }
  switch (source.dtype) {
    case DType::kBF16:
      return PackKeysOf<BFloat16>(source, head, begin, count, head_size, out);
    case DType::kF16:
      return PackKeysOf<Float16>(source, head, begin, count, head_size, out);
    default:
      return PackKeysOf<float>(source, head, begin, count, head_size, out);
  }
}

template <class T>
void PackValuesOf(const KvSource& source, int64_t head, int64_t begin, int64_t count,
                  int64_t head_size, float* out) {
  const T* base = static_cast<const T*>(source.base);
  const int64_t width = pad_head_size(head_size);
  const bool token_fast = source.token_stride == 1 && source.chunk == 1 && head_size % 4 == 0;
  for (int64_t i = 0; i < count;) {
    const T* row = base + source.row(begin + i, head);
    if (token_fast && i + 4 <= count && OneBlock(source, begin + i)) {
      const int64_t step = source.chunk_stride;
      for (int64_t d = 0; d < head_size; d += 4) {
        const T* column = row + d * step;
        StoreTransposed4(Load4(column), Load4(column + step), Load4(column + 2 * step),
                         Load4(column + 3 * step), out + i * width + d, width);
      }
      for (int64_t k = i; k < i + 4; ++k)
        std::fill(out + k * width + head_size, out + (k + 1) * width, 0.0f);
      i += 4;
      continue;
    }
    float* to = out + i * width;
    if (source.chunk == head_size)
      for (int64_t d = 0; d < head_size; ++d) to[d] = to_f32(row[d]);
    else
      for (int64_t d = 0; d < head_size; ++d)
        to[d] = to_f32(row[d / source.chunk * source.chunk_stride + d % source.chunk]);
    std::fill(to + head_size, to + width, 0.0f);
    ++i;
  }
}

// Values begin .. begin + count - 1 of `head` as rows of pad_head_size(head_size) floats.
inline void PackValues(const KvSource& source, int64_t head, int64_t begin, int64_t count,
                       int64_t head_size, float* out) {
  switch (source.dtype) {
    case DType::kBF16:
      return PackValuesOf<BFloat16>(source, head, begin, count, head_size, out);
    case DType::kF16:
      return PackValuesOf<Float16>(source, head, begin, count, head_size, out);
    default:
      return PackValuesOf<float>(source, head, begin, count, head_size, out);
  }
}

// --- S = Q K^T
// ---------------------------------------------------------------------------------------------------------
template <int kRows>
HWY_INLINE void ScoreTile(const float* HWY_RESTRICT query, int64_t query_stride,
                          const float* HWY_RESTRICT panel, int64_t head_size,
                          float* HWY_RESTRICT scores, int64_t score_stride) {
  const DF d;
  for (int64_t first = 0; first < kKeyPanel; first += kTileVectors * kLanes) {
    VF acc[kRows][kTileVectors];
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
      for (int v = 0; v < kTileVectors; ++v) acc[r][v] = hn::Zero(d);
    const float* keys = panel + first;
    for (int64_t e = 0; e < head_size; ++e, keys += kKeyPanel) {
      VF k[kTileVectors];
#pragma GCC unroll 4
      for (int v = 0; v < kTileVectors; ++v) k[v] = hn::Load(d, keys + v * kLanes);
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
        const VF q = hn::Set(d, query[r * query_stride + e]);
#pragma GCC unroll 4
        for (int v = 0; v < kTileVectors; ++v) acc[r][v] = hn::MulAdd(q, k[v], acc[r][v]);
      }
    }
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
      for (int v = 0; v < kTileVectors; ++v)
        hn::StoreU(acc[r][v], d, scores + r * score_stride + first + v * kLanes);
  }
}

// rows x (panels * 64) dot products; a panel stays in L1 while all rows meet it.
inline void Scores(const float* query, int64_t query_stride, int64_t rows, const float* keys,
                   int64_t panels, int64_t head_size, float* scores, int64_t score_stride) {
  for (int64_t p = 0; p < panels; ++p) {
    const float* panel = keys + p * kKeyPanel * head_size;
    float* column = scores + p * kKeyPanel;
    int64_t r = 0;
    for (; r + kTileRows <= rows; r += kTileRows)
      ScoreTile<kTileRows>(query + r * query_stride, query_stride, panel, head_size,
                           column + r * score_stride, score_stride);
    const float* rest = query + r * query_stride;
    float* to = column + r * score_stride;
    switch (rows - r) {
      case 1:
        ScoreTile<1>(rest, query_stride, panel, head_size, to, score_stride);
        break;
      case 2:
        ScoreTile<2>(rest, query_stride, panel, head_size, to, score_stride);
        break;
      case 3:
        ScoreTile<3>(rest, query_stride, panel, head_size, to, score_stride);
        break;
      case 4:
        ScoreTile<4>(rest, query_stride, panel, head_size, to, score_stride);
        break;
      case 5:
        ScoreTile<5>(rest, query_stride, panel, head_size, to, score_stride);
        break;
      default:
        break;
    }
  }
}

// --- O += P V
// ----------------------------------------------------------------------------------------------------------
template <int kRows, int kVectors>
HWY_INLINE void OutputTile(const float* HWY_RESTRICT weights, int64_t weight_stride, int64_t keys,
                           const float* HWY_RESTRICT values, int64_t value_stride,
                           float* HWY_RESTRICT out, int64_t out_stride) {
  const DF d;
  VF acc[kRows][kVectors];
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) acc[r][v] = hn::Load(d, out + r * out_stride + v * kLanes);
  for (int64_t k = 0; k < keys; ++k, values += value_stride) {
    VF value[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) value[v] = hn::LoadU(d, values + v * kLanes);
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      const VF p = hn::Set(d, weights[r * weight_stride + k]);
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) acc[r][v] = hn::MulAdd(p, value[v], acc[r][v]);
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) hn::Store(acc[r][v], d, out + r * out_stride + v * kLanes);
}

template <int kRows>
HWY_INLINE void OutputRows(const float* weights, int64_t weight_stride, int64_t keys,
                           const float* values, int64_t value_stride, float* out, int64_t width) {
  int64_t e = 0;
  for (; e + kTileVectors * kLanes <= width; e += kTileVectors * kLanes)
    OutputTile<kRows, kTileVectors>(weights, weight_stride, keys, values + e, value_stride, out + e,
                                    width);
  for (; e < width; e += kLanes)
    OutputTile<kRows, 1>(weights, weight_stride, keys, values + e, value_stride, out + e, width);
}

// out [rows, width] += weights [rows, keys] x values [keys, width]; width is a multiple of 16.
inline void AccumulateOutput(const float* weights, int64_t weight_stride, int64_t rows,
                             int64_t keys, const float* values, int64_t value_stride, float* out,
                             int64_t width) {
  int64_t r = 0;
  for (; r + kTileRows <= rows; r += kTileRows)
    OutputRows<kTileRows>(weights + r * weight_stride, weight_stride, keys, values, value_stride,
                          out + r * width, width);
  const float* rest = weights + r * weight_stride;
  float* to = out + r * width;
  switch (rows - r) {
    case 1:
      return OutputRows<1>(rest, weight_stride, keys, values, value_stride, to, width);
    case 2:
      return OutputRows<2>(rest, weight_stride, keys, values, value_stride, to, width);
    case 3:
      return OutputRows<3>(rest, weight_stride, keys, values, value_stride, to, width);
    case 4:
      return OutputRows<4>(rest, weight_stride, keys, values, value_stride, to, width);
    case 5:
      return OutputRows<5>(rest, weight_stride, keys, values, value_stride, to, width);
    default:
      return;
  }
}

// The same for rows that see different keys: row r sees keys [ranges[r].begin, ranges[r].end),
// relative to the tile. Unseen keys are not multiplied by a weight of 0 but left alone, so that a
// NaN in a value stays with the rows that see it.
struct KeyRange {
  int64_t begin = 0, end = 0;  // end is one past the last; begin >= end: none
};
inline void AccumulateVisible(const float* weights, int64_t weight_stride, int64_t rows,
                              const KeyRange* ranges, const float* values, int64_t value_stride,
                              float* out, int64_t width) {
  for (int64_t r = 0; r < rows; r += kTileRows) {
    const int64_t group = std::min<int64_t>(kTileRows, rows - r);
    int64_t begin = ranges[r].begin, end = ranges[r].end;
    for (int64_t i = 1; i < group; ++i) {
      begin = std::max(begin, ranges[r + i].begin);
      end = std::min(end, ranges[r + i].end);
    }
    const auto one_row = [&](int64_t row, int64_t from, int64_t to) {
      if (from < to)
        OutputRows<1>(weights + row * weight_stride + from, weight_stride, to - from,
                      values + from * value_stride, value_stride, out + row * width, width);
    };
    if (begin >= end) {
      for (int64_t i = r; i < r + group; ++i) one_row(i, ranges[i].begin, ranges[i].end);
      continue;
    }
    // Keys in order for every row: its own before the common ones, the common ones, its own after
    // them.
    for (int64_t i = r; i < r + group; ++i) one_row(i, ranges[i].begin, begin);
    AccumulateOutput(weights + r * weight_stride + begin, weight_stride, group, end - begin,
                     values + begin * value_stride, value_stride, out + r * width, width);
    for (int64_t i = r; i < r + group; ++i) one_row(i, end, ranges[i].end);
  }
}

// --- softmax
// -----------------------------------------------------------------------------------------------------------
// What a row of scores becomes before the exponential: scale, ALiBi, and -inf where the key may not
// be seen.
struct ScoreRule {
  float scale = 1;
  float slope = 0;  // ALiBi: + slope * (key - query)
  bool causal = true;
  int64_t sliding_window = 0;
};

// The visible keys of a query position, of keys [0, kv_len).
inline KeyRange VisibleKeys(const ScoreRule& rule, int64_t query, int64_t kv_len) {
  KeyRange range{0, kv_len};
  if (rule.causal) range.end = std::min(kv_len, query + 1);
  if (rule.sliding_window > 0) range.begin = std::max<int64_t>(0, query - rule.sliding_window + 1);
  range.begin = std::min(range.begin, range.end);
  return range;
}

// Applies the rule to scores of keys k_begin .. k_begin + width - 1 (width a multiple of 64) and
// returns their maximum.
inline float ApplyRule(const ScoreRule& rule, int64_t query, KeyRange visible, int64_t k_begin,
                       int64_t width, float* HWY_RESTRICT scores) {
  const DF d;
  const VF scale = hn::Set(d, rule.scale);
  const int64_t low = visible.begin - k_begin, high = visible.end - k_begin;
  VF top = hn::Set(d, kNegInf);
  if (low <= 0 && high >= width && rule.slope == 0) {
    for (int64_t i = 0; i < width; i += kLanes) {
      const VF s = hn::Mul(hn::Load(d, scores + i), scale);
      hn::Store(s, d, scores + i);
      top = hn::Max(s, top);
    }
    return hn::GetLane(hn::MaxOfLanes(d, top));
  }
  const VF lanes = hn::Iota(d, 0.0f);
  const VF slope = hn::Set(d, rule.slope);
  const VF first = hn::Set(d, static_cast<float>(std::clamp<int64_t>(low, 0, width)));
  const VF last = hn::Set(d, static_cast<float>(std::clamp<int64_t>(high, 0, width)));
  const float distance = static_cast<float>(k_begin - query);
  for (int64_t i = 0; i < width; i += kLanes) {
    const VF index = hn::Add(lanes, hn::Set(d, static_cast<float>(i)));
    VF s = hn::Mul(hn::Load(d, scores + i), scale);
    if (rule.slope != 0) s = hn::MulAdd(slope, hn::Add(index, hn::Set(d, distance)), s);
    const auto seen = hn::And(hn::Ge(index, first), hn::Lt(index, last));
    s = hn::IfThenElse(seen, s, hn::Set(d, kNegInf));
    hn::Store(s, d, scores + i);
    top = hn::Max(s, top);
  }
  return hn::GetLane(hn::MaxOfLanes(d, top));
}

// scores -> exp(scores - max), returns their sum. max must not be -inf.
inline float ExpRow(float max, int64_t width, float* HWY_RESTRICT scores) {
  const DF d;
  const VF shift = hn::Set(d, max);
  VF sum = hn::Zero(d);
  for (int64_t i = 0; i < width; i += kLanes) {
    const VF p = Exp(d, hn::Sub(hn::Load(d, scores + i), shift));
    hn::Store(p, d, scores + i);
    sum = hn::Add(sum, p);
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

inline void ScaleRow(float factor, int64_t width, float* HWY_RESTRICT row) {
  const DF d;
  const VF f = hn::Set(d, factor);
  for (int64_t i = 0; i < width; i += kLanes)
    hn::Store(hn::Mul(hn::Load(d, row + i), f), d, row + i);
}

// One row's softmax state: m running max, d running sum of exp(s - m); the output row is rescaled
// when m moves.
struct RowState {
  float max = kNegInf;
  float sum = 0;
};

// Takes the scores of one KV tile into the state: scores become weights relative to the new max,
// out is rescaled. A tile with no visible key leaves state and output as they are (its weights
// become 0).
inline void OnlineSoftmax(const ScoreRule& rule, int64_t query, KeyRange visible, int64_t k_begin,
                          int64_t width, float* scores, RowState& state, float* out,
                          int64_t out_width) {
  if (visible.end <= k_begin || visible.begin >= k_begin + width) {
    std::fill(scores, scores + width, 0.0f);
    return;
  }
  const float top = ApplyRule(rule, query, visible, k_begin, width, scores);
  const float max = std::max(top, state.max);
  if (max == kNegInf) {  // every visible score is -inf, or NaN, which the maximum does not see
    const bool nan = std::any_of(scores, scores + width, [](float s) { return std::isnan(s); });
    std::fill(scores, scores + width, nan ? std::numeric_limits<float>::quiet_NaN() : 0.0f);
    if (nan) {
      state.max = state.sum = std::numeric_limits<float>::quiet_NaN();
      ScaleRow(state.max, out_width, out);
    }
    return;
  }
  const float rescale = state.max == kNegInf ? 0.0f : ExpScalar(state.max - max);
  const float sum = ExpRow(max, width, scores);
  state.sum = state.sum * rescale + sum;
  state.max = max;
  if (rescale != 1.0f) ScaleRow(rescale, out_width, out);
}

// --- query in, output out
// ----------------------------------------------------------------------------------------------
// `rows` rows of head `head` from query [T, H, D] (first row `row`) into tile [rows, head_size]
// f32.
inline void LoadQuery(const Tensor& query, int64_t row, int64_t rows, int64_t num_heads,
                      int64_t head, int64_t head_size, float* tile) {
  for (int64_t r = 0; r < rows; ++r, tile += head_size) {
    const int64_t at = ((row + r) * num_heads + head) * head_size;
    if (query.dtype() == DType::kF32) {
      std::memcpy(tile, query.data<float>() + at, static_cast<size_t>(head_size) * sizeof(float));
    } else {
      const BFloat16* from = query.data<BFloat16>() + at;
      for (int64_t e = 0; e < head_size; ++e) tile[e] = to_f32(from[e]);
    }
  }
}

// The part of `visible` that lies in the tile of `count` keys at k_begin, relative to the tile.
inline KeyRange InTile(KeyRange visible, int64_t k_begin, int64_t count) {
  return {std::clamp<int64_t>(visible.begin - k_begin, 0, count),
          std::clamp<int64_t>(visible.end - k_begin, 0, count)};
}

// One output row: out = o / d, 0 when nothing was visible. Returns the row's log-sum-exp.
inline float FinishRow(const RowState& state, const float* o, int64_t head_size, Tensor& out,
                       int64_t at) {
  const bool empty = state.max == kNegInf;
  const float inverse = empty ? 0.0f : 1.0f / state.sum;
  if (out.dtype() == DType::kF32) {
    float* to = out.data<float>() + at;
    for (int64_t e = 0; e < head_size; ++e) to[e] = empty ? 0.0f : o[e] * inverse;
  } else {
    BFloat16* to = out.data<BFloat16>() + at;
    for (int64_t e = 0; e < head_size; ++e) to[e] = to_bf16(empty ? 0.0f : o[e] * inverse);
  }
  return empty ? kNegInf : state.max + std::log(state.sum);
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
