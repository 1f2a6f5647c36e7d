// SPDX-License-Identifier: GPL-3.0-or-later
// The SIMD micro-kernels that the attention kernels are made of: S = Q K^T, the softmax of a tile,
// O += P V and the merge of tiles. Included once per Highway target. A KV tile is kKvTile keys from
// an absolute multiple of kKvTile; it is computed by itself and then merged into the row:
//   m_t = max s,  p = 2^(s - m_t),  d_t = sum p,  o_t = sum p v
//   m' = max(m, m_t),  d' = d 2^(m - m') + d_t 2^(m_t - m'),  o' likewise
// In these formulas scores and maxima are in units of ln 2: log2 e is multiplied in with the scale.
// Weights that are rounded to bf16 are relative to the running maximum instead (RunningTop()).
// Order of additions: a dot product adds in the order of the coordinates, o_t in the order of the
// keys, d_t over 32 lanes by key mod 32; tiles merge in order of position. None of it depends on
// how rows, keys or blocks are grouped.

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

#include "engine/kernels/prefill/flash_prefill.h"
#include "engine/kernels/tiles/exp-inl.h"
#include "engine/kernels/tiles/load-inl.h"
#include "engine/kernels/tiles/pack-inl.h"
#include "engine/kernels/tiles/score_rule-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {

// Accumulators: 6 rows x 4 vectors of 16 lanes (AVX-512: 32 registers), x 2 if vectors are shorter.
inline constexpr int kTileVectors = kLanes >= 16 ? 4 : 2;
inline constexpr int kTileRows = 6;

// Calls fn(std::integral_constant<int, count>()); count: 1 .. kMax.
template <int kMax, class Fn>
HWY_INLINE void WithCount(int64_t count, Fn&& fn) {
  if constexpr (kMax == 1) {
    fn(std::integral_constant<int, 1>());
  } else {
    if (count == kMax) return fn(std::integral_constant<int, kMax>());
    WithCount<kMax - 1>(count, fn);
  }
}

// --- S = Q K^T
// A packed panel as a source of 64 keys. Load(d, e, column, k) of a source gives coordinates e .. e
// + kPair - 1 of the keys from `column` on.
struct PackedKeys {
  static constexpr int kPair = 1;
  const float* panel = nullptr;  // [head_size, 64]
  HWY_INLINE void Load(DF d, int64_t e, int64_t column, VF* k) const {
    k[0] = hn::Load(d, panel + e * kKeyPanel + column);
  }
  static void FetchAhead(int64_t /*e*/, int64_t /*column*/, int64_t /*count*/) {}
};
// 64 keys in pages [head_size / kFold, block_size, kFold], in which the elements of neighbouring
// keys lie side by side. kRun: keys that are side by side in one page, 8 or 16.
template <class T, int64_t kRun>
struct PagedKeys {
  static constexpr int64_t kFold = kKeyFold<T>;
  static constexpr int kPair = sizeof(T) <= 2 ? 2 : 1;
  const T* run[kKeyPanel / kRun] = {};     // where kRun keys begin
  const T* values[kKeyPanel / kRun] = {};  // their values, to prefetch them; all null: no prefetch
  int64_t stride = 0;                      // block_size * kFold
  HWY_INLINE const T* At(int64_t e, int64_t column) const {
    return run[ATTN_FAULT(kFirstPageForAll) ? 0 : column / kRun] + (e / kFold) * stride +
           column % kRun * kFold;
  }
  // Loads coordinates e .. e + kPair - 1 of as many keys as D has lanes, at most kRun.
  template <class D>
  HWY_INLINE void LoadRun(D d, int64_t e, int64_t column, hn::Vec<D>* k) const {
    if constexpr (kFold == 2)
      LoadPairs(d, At(e, column), k[0], k[1]);
    else if constexpr (kPair == 2)
      LoadTwo(d, At(e, column), At(e + 1, column), k[0], k[1]);
    else
      k[0] = LoadAsFloat(d, At(e, column));
  }
  HWY_INLINE void Load(DF d, int64_t e, int64_t column, VF* k) const {
#if HWY_TARGET != HWY_SCALAR
    if constexpr (kRun < kLanes) {
      const hn::Half<DF> dh;
      hn::Vec<hn::Half<DF>> low[kPair], high[kPair];
      LoadRun(dh, e, column, low);
      LoadRun(dh, e, column + kRun, high);
      for (int i = 0; i < kPair; ++i) k[i] = hn::Combine(d, high[i], low[i]);
      return;
    }
#endif
    LoadRun(d, e, column, k);
    if constexpr (kPair == 2)
      if (ATTN_FAULT(kOddCoordinateFirst)) std::swap(k[0], k[1]);
  }
  // Prefetches one cache line of values per cache line of keys.
  HWY_INLINE void FetchAhead(int64_t e, int64_t column, int64_t count) const {
    if (!values[0] || e * kRun * static_cast<int64_t>(sizeof(T)) % 64 != 0) return;
    for (int64_t c = column; c < column + count; c += kRun)
      __builtin_prefetch(values[c / kRun] + e * kRun, 0, 2);
  }
};

template <int kRows, int kVectors, class Keys>
HWY_INLINE void ScoreTile(const float* HWY_RESTRICT query, int64_t query_stride, const Keys& keys,
                          int64_t first, int64_t head_size, float* HWY_RESTRICT scores,
                          int64_t score_stride) {
  const DF d;
  VF acc[kRows][kVectors];
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) acc[r][v] = hn::Zero(d);
  for (int64_t e = 0; e < head_size; e += Keys::kPair) {
    VF k[kVectors][Keys::kPair];
    keys.FetchAhead(e, first, kVectors * kLanes);
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) keys.Load(d, e, first + v * kLanes, k[v]);
#pragma GCC unroll 2
    for (int i = 0; i < Keys::kPair; ++i)
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
        const VF q = hn::Set(d, query[r * query_stride + e + i]);
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) acc[r][v] = hn::MulAdd(q, k[v][i], acc[r][v]);
      }
  }
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v)
      hn::StoreU(acc[r][v], d, scores + r * score_stride + first + v * kLanes);
}

// Dot products of kRows queries with the keys [first, last) of one panel; first and last are
// multiples of 16.
template <int kRows, int kVectors = kTileVectors, class Keys>
HWY_INLINE void ScoreRows(const float* query, int64_t query_stride, const Keys& keys, int64_t first,
                          int64_t last, int64_t head_size, float* scores, int64_t score_stride) {
  for (; first + kVectors * kLanes <= last; first += kVectors * kLanes)
    ScoreTile<kRows, kVectors>(query, query_stride, keys, first, head_size, scores, score_stride);
  if constexpr (kLanes == 16)
    if (first < last)
      WithCount<kVectors - 1>((last - first) / 16, [&](auto vectors) HWY_ATTR {
        ScoreTile<kRows, vectors>(query, query_stride, keys, first, head_size, scores,
                                  score_stride);
      });
}

// Dot products of all rows with all keys of the panels, 64 each.
inline void Scores(const float* query, int64_t query_stride, int64_t rows, const float* keys,
                   int64_t panels, int64_t head_size, float* scores, int64_t score_stride) {
  for (int64_t p = 0; p < panels; ++p) {
    const PackedKeys panel{keys + p * kKeyPanel * head_size};
    for (int64_t r = 0; r < rows; r += kTileRows)
      WithCount<kTileRows>(std::min<int64_t>(kTileRows, rows - r), [&](auto count) HWY_ATTR {
        ScoreRows<count>(query + r * query_stride, query_stride, panel, 0, kKeyPanel, head_size,
                         scores + r * score_stride + p * kKeyPanel, score_stride);
      });
  }
}

// --- which keys a row sees
struct KeyRange {
  int64_t begin = 0, end = 0;  // end is one past the last; begin >= end: none
};

// The visible keys of a query position, of [0, kv_len). Block-sparse attention can hide
// some of them.
inline KeyRange VisibleKeys(const ScoreRule& rule, int64_t query, int64_t kv_len) {
  KeyRange range{0, kv_len};
  if (rule.causal) range.end = std::min(kv_len, query + 1);
  if (rule.causal && ATTN_FAULT(kSeesOneAhead)) range.end = std::min(kv_len, query + 2);
  if (ATTN_FAULT(kDropsLastKey)) range.end = std::max<int64_t>(0, range.end - 1);
  if (rule.sliding_window > 0) range.begin = std::max<int64_t>(0, query - rule.sliding_window + 1);
  if (rule.sliding_window > 0 && ATTN_FAULT(kWindowOneWider))
    range.begin = std::max<int64_t>(0, range.begin - 1);
  if (rule.sliding_window > 0 && ATTN_FAULT(kWindowOneNarrower)) ++range.begin;
  range.begin = std::min(range.begin, range.end);
  return range;
}

// The part of `visible` that lies in the tile of `count` keys at k_begin, relative to the tile.
inline KeyRange InTile(KeyRange visible, int64_t k_begin, int64_t count) {
  return {std::clamp<int64_t>(visible.begin - k_begin, 0, count),
          std::clamp<int64_t>(visible.end - k_begin, 0, count)};
}

// Calls fn(begin, end) for every run of keys in `range` that block-sparse attention lets the row
// see (without it: for all of `range`), relative to the tile at k_begin.
template <class Fn>
void ForVisibleRuns(const ScoreRule& rule, int64_t query, int64_t k_begin, KeyRange range,
                    Fn&& fn) {
  if (!rule.blocksparse) {
    if (range.begin < range.end) fn(range.begin, range.end);
    return;
  }
  BlockSparse sparse = *rule.blocksparse;
  if (ATTN_FAULT(kOneLocalBlockFewer)) --sparse.local_blocks;
  const int64_t shift = ATTN_FAULT(kStrideOneOff) ? 1 : 0;
  for (int64_t k = range.begin; k < range.end;) {
    const int64_t block = (k_begin + k) / sparse.block_size;
    const int64_t end = std::min(range.end, (block + 1) * sparse.block_size - k_begin);
    if (sees_block(sparse, ATTN_FAULT(kHeadStepIgnored) ? 0 : rule.head, query / sparse.block_size,
                   block + shift))
      fn(k, end);
    k = end;
  }
}

inline constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// --- softmax
struct TileState {
  float max = kNegInf;  // in units of ln 2
  float sum = 0;        // relative to 2^max
};

inline float RowMax(const float* HWY_RESTRICT scores, int64_t begin, int64_t end) {
  const DF d;
  VF top = hn::Set(d, ATTN_FAULT(kMaxStartsAtZero) ? 0.0f : kNegInf), top2 = top;
  int64_t i = begin;
  for (; i + 2 * kLanes <= end; i += 2 * kLanes) {
    top = hn::Max(hn::Load(d, scores + i), top);
    top2 = hn::Max(hn::Load(d, scores + i + kLanes), top2);
  }
  for (; i < end; i += kLanes) top = hn::Max(hn::Load(d, scores + i), top);
  return hn::GetLane(hn::MaxOfLanes(d, hn::Max(top, top2)));
}

// Applies the scale, the soft cap, ALiBi and the relative bias to the dot products [begin, end) of
// a row, in place.
inline void ApplyTerms(const ScoreRule& rule, int64_t query, int64_t k_begin, int64_t begin,
                       int64_t end, float* HWY_RESTRICT scores) {
  const DF d;
  const VF scale = hn::Set(d, ATTN_FAULT(kNoScale)      ? 1.0f
                              : ATTN_FAULT(kScaleTwice) ? rule.scale * rule.scale
                                                        : rule.scale);
  const VF slope = hn::Set(d, ATTN_FAULT(kAlibiSign) ? -rule.slope : rule.slope);
  const int64_t from = ATTN_FAULT(kAlibiFromTile) ? k_begin
                       : rule.alibi_origin >= 0   ? rule.alibi_origin
                                                  : query;
  const VF lanes = hn::Iota(d, 0.0f);
  for (int64_t i = begin; i < end; i += kLanes) {
    VF s = hn::Mul(hn::Load(d, scores + i), scale);
    if (ATTN_FAULT(kSoftCapUnscaled) && rule.soft_cap > 0) s = hn::Load(d, scores + i);
    if (rule.soft_cap > 0 && !ATTN_FAULT(kNoSoftCap))
      s = hn::Mul(hn::Set(d, ATTN_FAULT(kSoftCapNotRestored) ? 1.0f : rule.soft_cap),
                  Tanh(d, hn::Div(s, hn::Set(d, rule.soft_cap))));
    if (rule.slope != 0)
      s = hn::MulAdd(slope, hn::Add(lanes, hn::Set(d, static_cast<float>(k_begin + i - from))), s);
    if (rule.by_distance) s = hn::Add(s, BiasByDistance(rule, k_begin + i - query));
    hn::Store(s, d, scores + i);
  }
}

// scores [begin, end), multiples of 16, become 2^(factor (score - top)); returns their sum.
inline float ExpRow(float factor, float top, int64_t begin, int64_t end,
                    float* HWY_RESTRICT scores) {
  const DF d;
  constexpr int kSums = 32 / kLanes;
  const VF scale = hn::Set(d, factor), largest = hn::Set(d, top);
  VF sums[kSums];
  for (VF& sum : sums) sum = hn::Zero(d);
  const auto half = [&](int64_t i, VF* to) HWY_ATTR {
#pragma GCC unroll 4
    for (int v = 0; v < 16 / kLanes; ++v) {
      float* at = scores + i + v * kLanes;
      const VF p = Exp2Below128(d, hn::Mul(hn::Sub(hn::Load(d, at), largest), scale));
      hn::Store(p, d, at);
      to[v] = hn::Add(to[v], p);
    }
  };
  int64_t i = begin;
  if (i % 32 != 0 && i < end) {
    half(i, sums + kSums / 2);
    i += 16;
  }
  for (; i + 32 <= end; i += 32) {
    half(i, sums);
    half(i + 16, sums + kSums / 2);
  }
  if (i < end) half(i, sums);
  VF total = sums[0];
  for (int v = 1; v < (ATTN_FAULT(kHalfTheSum) ? kSums / 2 : kSums); ++v)
    total = hn::Add(total, sums[v]);
  return hn::GetLane(hn::SumOfLanes(d, total));
}

// Sets those of the 16 scores from `first` on that lie outside `range` to -inf.
HWY_INLINE void HideUnseen(int64_t first, KeyRange range, float* scores) {
  const DF d;
  const VF from = hn::Set(d, static_cast<float>(range.begin));
  const VF to = hn::Set(d, static_cast<float>(range.end));
  for (int64_t i = first; i < first + 16; i += kLanes) {
    const VF key = hn::Iota(d, static_cast<float>(i));
    const auto seen = hn::And(hn::Ge(key, from), hn::Lt(key, to));
    hn::Store(hn::IfThenElse(seen, hn::Load(d, scores + i), hn::Set(d, kNegInf)), d, scores + i);
  }
}

// `range` widened to multiples of 16.
inline KeyRange Aligned(KeyRange range) {
  return {range.begin / 16 * 16, (range.end + 15) / 16 * 16};
}

// First half of a tile's softmax for one row: the dot products in Aligned(range) become prepared
// scores, still without ScoreFactor(); keys that the row does not see get -inf. Returns the
// maximum, -inf if no key is visible. bias: element k_begin + i belongs to score i; null: none.
inline float PrepareScores(const ScoreRule& rule, int64_t query, KeyRange range, int64_t k_begin,
                           const float* bias, float* scores) {
  if (range.begin >= range.end) return kNegInf;
  const auto [begin, end] = Aligned(range);
  if (!rule.is_plain() || bias) ApplyTerms(rule, query, k_begin, begin, end, scores);
  if (bias)  // a bias row ends with the keys, so nothing beyond the range is read
    for (int64_t i = range.begin; i < range.end; ++i)
      scores[i] += bias[k_begin + i] * (ATTN_FAULT(kBiasScaled) ? rule.scale : 1.0f);
  if (rule.blocksparse) {
    int64_t seen = begin;
    ForVisibleRuns(rule, query, k_begin, range, [&](int64_t from, int64_t to) {
      std::fill(scores + seen, scores + from, kNegInf);
      seen = to;
    });
    std::fill(scores + seen, scores + end, kNegInf);
  } else {
    if (begin < range.begin && !ATTN_FAULT(kLeadingKeysUnmasked)) HideUnseen(begin, range, scores);
    if (range.end < end && !ATTN_FAULT(kTrailingKeysUnmasked)) HideUnseen(end - 16, range, scores);
  }
  return RowMax(scores, begin, end);
}

// The factor that brings prepared scores to units of ln 2.
inline float ScoreFactor(const ScoreRule& rule, const float* bias) {
  return rule.is_plain() && !bias ? rule.scale * kLog2E : kLog2E;
}

// Second half of a tile's softmax: prepared scores become weights relative to `top`, the tile's
// maximum or RunningTop(); 0 where the key is not seen, unless the row gets NaN. All of `fill`,
// which contains `range`, is written.
inline TileState ScoresToWeights(float factor, float top, KeyRange range, KeyRange fill,
                                 float* scores) {
  if (range.begin >= range.end) {
    std::fill(scores + fill.begin, scores + fill.end, 0.0f);
    return {};
  }
  const auto [begin, end] = Aligned(range);
  TileState state;
  if (top == kNegInf) {  // every visible score is -inf or NaN; RowMax() skips NaN
    const bool nan =
        std::any_of(scores + begin, scores + end, [](float s) { return std::isnan(s); });
    state.max = nan ? std::numeric_limits<float>::quiet_NaN() : kNegInf;
    state.sum = nan ? state.max : 0.0f;
    std::fill(scores + begin, scores + end, state.sum);
  } else {
    state.max = top * factor;
    state.sum = ExpRow(factor, top, begin, end, scores);
  }
  for (int64_t i = fill.begin; i < begin; ++i) scores[i] = 0.0f;
  for (int64_t i = end; i < fill.end; ++i) scores[i] = 0.0f;
  return state;
}

// Raises `running`, the maximum of a row over its tiles so far, to `top`, that of this tile, and
// returns it. A `top` of -inf is returned as it is.
inline float RunningTop(float top, float& running) {
  if (top == kNegInf) return top;
  return running = std::max(running, top);
}

// Rounds weights [begin, end), multiples of 16, to bf16 and back, in place.
inline void RoundWeights(int64_t begin, int64_t end, float* weights) {
  const DF d;
  const hn::RebindToUnsigned<DF> du;
  const auto one = hn::Set(du, 1u), below_half = hn::Set(du, 0x7fffu);
  const auto upper = hn::Set(du, ATTN_FAULT(kRoundedTooFar) ? 0xfff00000u : 0xffff0000u);
  for (int64_t i = begin; i < end; i += kLanes) {
    const VF weight = hn::Load(d, weights + i);
    const auto bits = hn::BitCast(du, weight);
    const auto half = hn::Add(below_half, hn::And(hn::ShiftRight<16>(bits), one));
    const VF rounded = hn::BitCast(d, hn::And(hn::Add(bits, half), upper));
    hn::Store(hn::IfThenElse(hn::IsNaN(weight), weight, rounded), d, weights + i);
  }
}

inline TileState TileSoftmax(const ScoreRule& rule, int64_t query, KeyRange range, int64_t k_begin,
                             const float* bias, KeyRange fill, float* scores) {
  const float top = PrepareScores(rule, query, range, k_begin, bias, scores);
  return ScoresToWeights(ScoreFactor(rule, bias), top, range, fill, scores);
}

// The softmax state of `kCapacity` rows and what the current tile does to them.
template <int64_t kCapacity>
struct RowStates {
  HWY_ALIGN float max[kCapacity], sum[kCapacity];            // over all tiles so far
  HWY_ALIGN float tile_max[kCapacity], tile_sum[kCapacity];  // over this tile
  HWY_ALIGN float keep[kCapacity], add[kCapacity];           // o' = o keep + o_t add

  // Clears all lanes, because Merge() also computes those beyond the rows in use.
  void Clear() {
    std::fill_n(max, kCapacity, kNegInf);
    std::fill_n(sum, kCapacity, 0.0f);
    std::fill_n(tile_max, kCapacity, kNegInf);
    std::fill_n(tile_sum, kCapacity, 0.0f);
  }
  void Set(int64_t row, TileState tile) {
    tile_max[row] = tile.max;
    tile_sum[row] = tile.sum;
  }
  // Merges the tile given by Set() into max and sum, and sets keep and add, the factors for the
  // output.
  void Merge(int64_t rows) {
    const DF d;
    const VF none = hn::Set(d, kNegInf), one = hn::Set(d, 1.0f), zero = hn::Zero(d);
    for (int64_t r = 0; r < rows; r += kLanes) {
      const VF m = hn::Load(d, max + r), t = hn::Load(d, tile_max + r);
      const auto m_nan = hn::IsNaN(m), t_nan = hn::IsNaN(t);
      const VF top = hn::IfThenElse(t_nan, t, hn::IfThenElse(hn::Or(m_nan, hn::Gt(m, t)), m, t));
      // A maximum of -inf means an empty state, which leaves the other state unchanged; -inf - -inf
      // would be NaN.
      const auto no_m = hn::Eq(m, none), no_t = hn::Eq(t, none);
      const VF a = hn::IfThenElse(no_t, one, hn::IfThenElse(no_m, zero, Exp2(d, hn::Sub(m, top))));
      const VF b = hn::IfThenElse(no_t, zero, Exp2(d, hn::Sub(t, top)));
      hn::Store(ATTN_FAULT(kNoRescale) ? one : a, d, keep + r);
      hn::Store(ATTN_FAULT(kTileNotRescaled) ? one : b, d, add + r);
      hn::Store(top, d, max + r);
      const VF s = hn::Load(d, sum + r), ts = hn::Load(d, tile_sum + r);
      const VF old = ATTN_FAULT(kSumNotRescaled)  ? s
                     : ATTN_FAULT(kSumOfLastTile) ? zero
                                                  : hn::Mul(s, a);
      hn::Store(hn::MulAdd(ts, b, old), d, sum + r);
    }
  }
};

// --- O += P V
// Consecutive rows of values, a fixed stride apart.
template <class T>
struct ValueRun {
  const T* first = nullptr;
  int64_t count = 0;
  // Memory to prefetch while the run is read, as many bytes as the run has; null: none.
  const T* ahead = nullptr;
};

// Whether two vectors of values are loaded as pairs: one gets the even columns, the other the odd
// ones. Their sums are put in order when the tile is done.
template <class T, int kVectors>
constexpr bool TakesPairs() {
  return std::is_same_v<T, BFloat16> && kVectors % 2 == 0 && HWY_TARGET != HWY_SCALAR;
}

// Whether every pass over the keys of a tile prefetches a share of ValueRun::ahead; otherwise the
// first pass prefetches all of it.
template <class T>
constexpr bool SpreadsAhead() {
  return std::is_same_v<T, float> || std::is_same_v<T, BFloat16>;
}

// out [kRows, kVectors] = out keep + (weights [kRows, keys] values) add.
template <int kRows, int kVectors, class T>
HWY_INLINE void OutputTile(const float* HWY_RESTRICT weights, int64_t weight_stride,
                           const ValueRun<T>* runs, int64_t num_runs, int64_t column,
                           int64_t value_stride, const float* keep, const float* add,
                           float* HWY_RESTRICT out, int64_t out_stride) {
  constexpr bool kPairs = TakesPairs<T, kVectors>();
  constexpr int64_t kLine = 64 / static_cast<int64_t>(sizeof(T));
  const DF d;
  VF acc[kRows][kVectors];
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) acc[r][v] = hn::Zero(d);
  for (int64_t run = 0; run < num_runs; ++run) {
    const T* values = runs[run].first + column;
    // Elements that this pass prefetches per key.
    const int64_t share = SpreadsAhead<T>() ? kVectors * kLanes : column == 0 ? value_stride : 0;
    const T* ahead = runs[run].ahead ? runs[run].ahead + column * runs[run].count : nullptr;
    for (int64_t k = 0; k < runs[run].count; ++k, values += value_stride, ++weights) {
      if (ahead)
        for (int64_t e = 0; e < share; e += kLine) __builtin_prefetch(ahead + k * share + e, 0, 2);
      VF value[kVectors];
#pragma GCC unroll 8
      for (int v = 0; v + 1 < kVectors; v += 2)
        if constexpr (kPairs)
          LoadPairs(d, values + v * kLanes, value[v], value[v + 1]);
        else
          LoadTwo(d, values + v * kLanes, values + (v + 1) * kLanes, value[v], value[v + 1]);
      if constexpr (kVectors % 2 == 1)
        value[kVectors - 1] = LoadAsFloat(d, values + (kVectors - 1) * kLanes);
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
        const VF p = hn::Set(d, weights[r * weight_stride]);
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v) acc[r][v] = hn::MulAdd(p, value[v], acc[r][v]);
      }
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
    const VF a = hn::Set(d, keep[r]), b = hn::Set(d, add[r]);
    if constexpr (kPairs)
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; v += 2) OrderPairs(d, acc[r][v], acc[r][v + 1]);
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      float* to = out + r * out_stride + v * kLanes;
      hn::Store(hn::MulAdd(acc[r][v], b, hn::Mul(hn::Load(d, to), a)), d, to);
    }
  }
}

// OutputTile() for all `width` columns, a multiple of 16.
template <int kRows, int kVectors = kRows == 1 && kLanes == 16 ? 8 : kTileVectors, class T>
HWY_INLINE void OutputColumns(const float* weights, int64_t weight_stride, const ValueRun<T>* runs,
                              int64_t num_runs, int64_t width, int64_t value_stride,
                              const float* keep, const float* add, float* out, int64_t out_stride) {
  int64_t e = 0;
  for (; e + kVectors * kLanes <= width; e += kVectors * kLanes)
    OutputTile<kRows, kVectors>(weights, weight_stride, runs, num_runs, e, value_stride, keep, add,
                                out + e, out_stride);
  if constexpr (kLanes == 16)
    if (e < width)
      WithCount<kVectors - 1>((width - e) / 16, [&](auto vectors) HWY_ATTR {
        OutputTile<kRows, vectors>(weights, weight_stride, runs, num_runs, e, value_stride, keep,
                                   add, out + e, out_stride);
      });
}

inline void ScaleRow(float factor, int64_t width, float* HWY_RESTRICT row) {
  const DF d;
  const VF f = hn::Set(d, factor);
  for (int64_t i = 0; i < width; i += kLanes)
    hn::Store(hn::Mul(hn::Load(d, row + i), f), d, row + i);
}

// O = O keep + (P V) add for one row and one strip of a packed tile, over the runs of keys that the
// row sees.
inline void AccumulateSeen(const ScoreRule& rule, int64_t query, const float* weights,
                           KeyRange range, const float* strip, int64_t columns, int64_t k_begin,
                           const float* keep, const float* add, float* out, int64_t out_stride) {
  ValueRun<float> runs[kKvTile];
  float seen_weights[kKvTile];
  int64_t num_runs = 0, count = 0;
  ForVisibleRuns(rule, query, k_begin, range, [&](int64_t from, int64_t to) {
    runs[num_runs++] = {strip + from * columns, to - from};
    count = std::copy(weights + from, weights + to, seen_weights + count) - seen_weights;
  });
  if (num_runs > 0)
    OutputColumns<1>(seen_weights, 0, runs, num_runs, columns, columns, keep, add, out, out_stride);
}

// --- query in, output out
// Loads rows row .. row + rows - 1 of a head of query [T, H, D] into tile [rows, head_size] f32.
inline void LoadQuery(const Tensor& query, int64_t row, int64_t rows, int64_t num_heads,
                      int64_t head, int64_t head_size, float* tile) {
  WithType(query.dtype(), [&]<class T>(T) {
    const T* from = static_cast<const T*>(query.raw()) + (row * num_heads + head) * head_size;
    for (int64_t r = 0; r < rows; ++r, tile += head_size, from += num_heads * head_size) {
      if (ATTN_FAULT(kLastRowRepeats) && r % kTileRows == kTileRows - 1)
        from -= num_heads * head_size;
      CopyAsFloat(from, head_size, tile);
      if (ATTN_FAULT(kLastRowRepeats) && r % kTileRows == kTileRows - 1)
        from += num_heads * head_size;
    }
  });
}

// A sink is one more logit in the softmax sum of a row, without a value. TakeSink() includes it in
// max and sum and returns the factor by which the output must be multiplied. In a row that sees no
// key the sink is the whole sum.
inline float TakeSink(float sink, float& max, float& sum) {
  if (ATTN_FAULT(kNoSink) || sink == kNegInf || std::isnan(max)) return 1.0f;
  sink *= kLog2E;
  const float top = std::max(max, sink);
  const float keep = max == kNegInf ? 0.0f : Exp2Scalar(max - top);
  sum = sum * keep + Exp2Scalar(sink - top);
  max = top;
  return ATTN_FAULT(kSinkWithoutRescale) ? 1.0f : keep;
}

inline float LogSumExp(TileState state) {
  if (state.max == kNegInf) return ATTN_FAULT(kEmptyRowLse) ? 0.0f : kNegInf;
  if (ATTN_FAULT(kLseWithoutLog)) return state.max + state.sum;
  const double max = ATTN_FAULT(kLseWithoutMax) ? 0.0 : static_cast<double>(state.max);
  return static_cast<float>(max * kLn2) + std::log(state.sum);
}

// Writes one output row: out = o / d (times the scale of the values), +0 when no key was visible.
// Returns the row's log-sum-exp, including the sink. shift: BiasShift() of the row.
inline float FinishRow(float max, float sum, float sink, float value_scale, const float* o,
                       int64_t head_size, Tensor& out, int64_t at, float shift = 0.0f) {
  const bool empty = max == kNegInf;
  const float keep = TakeSink(sink - shift, max, sum);
  if (ATTN_FAULT(kValueScaleIgnored)) value_scale = 1.0f;
  const float factor = empty                        ? 0.0f
                       : ATTN_FAULT(kNotNormalised) ? value_scale * keep
                                                    : value_scale * keep / sum;
  WithType(out.dtype(), [&]<class T>(T) HWY_ATTR {
    T* to = static_cast<T*>(out.raw()) + at;
    if (empty) {
      std::fill_n(to, head_size, from_f32<T>(0.0f));
      return;
    }
    int64_t e = 0;
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, BFloat16>) {
      const DF d;
      for (; e + kLanes <= head_size; e += kLanes)
        StoreFloats(d, hn::Mul(hn::Load(d, o + e), hn::Set(d, factor)), to + e);
    }
    for (; e < head_size; ++e) {
      const float x = o[e] * factor;
      to[e] = from_f32<T>(std::isnan(x) ? kNaN : x);
    }
  });
  const float lse = LogSumExp({max, sum}) + shift;
  return std::isnan(lse) ? kNaN : lse;
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
