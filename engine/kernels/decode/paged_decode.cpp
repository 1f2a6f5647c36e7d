// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/decode/paged_decode.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "engine/kernels/decode/decode_plan.h"
#include "engine/kernels/tiles/bf16_unit.h"
#include "engine/kernels/tiles/dot_tiles.h"
#include "engine/kernels/tiles/matrix_tiles.h"
#include "engine/kernels/tiles/run_tiles.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/decode/paged_decode.cpp"
#include "hwy/foreach_target.h"  // must precede hwy/highway.h

#include "hwy/highway.h"

#include "engine/kernels/tiles/tile_math-inl.h"
#include "engine/kernels/tiles/tile_steps-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {

TileEvent DecodeEvent(const DecodePlan& plan, int64_t sequence, int64_t head) {
  const DecodeSequence& s = plan.args->sequences[static_cast<size_t>(sequence)];
  const int64_t position = s.position >= 0 ? s.position : std::max<int64_t>(0, s.seq_len - 1);
  return {s.request, static_cast<uint32_t>(position), 0,          1,
          0,         static_cast<uint32_t>(head),     plan.kernel};
}

struct DecodeTask {
  const DecodeArgs* args = nullptr;
  const DecodeSequence* sequence = nullptr;
  int64_t kv_head = 0, heads = 1, width = 0;
  ScoreRule rule;
  int64_t position = 0;
  KeyRange visible;
  bool in_place = false;    // true if ReadsInPlace()
  float* query = nullptr;   // [heads, head_size]
  float* out = nullptr;     // [heads, width]
  float* scores = nullptr;  // [heads, kKvTile]
  float* packed = nullptr;  // keys and values of one tile, for layouts that cannot be read in place
  // For dot products only: the query from matrix_pack_query().
  void* bf16_query = nullptr;
  RowStates<kMaxDecodeHeads> states;
  float running[kMaxDecodeHeads];  // running maxima of prepared scores, for bf16 weights

  // The factor by which numbers loaded in place are too small (LoadUnit()); 1 for packed ones.
  float unit(const KvSource& source) const { return in_place ? LoadUnit(source.dtype) : 1.0f; }
};

// Whether the micro-kernels can read these pages in place, without packing.
bool ReadsInPlace(const KvSource& keys, const KvSource& values, int64_t head_size) {
  return keys.key_axis_is_fast() && keys.block_size % 8 == 0 &&
         keys.chunk_stride == keys.block_size * keys.fold() && values.chunk == head_size &&
         head_size % 16 == 0;
}

// Moves the weights of the visible keys together and lists where their values lie, in runs that
// stay within a page, with keys of the next tile to prefetch. Returns the number of runs.
template <class T>
int64_t SeenRuns(const DecodeTask& task, int64_t k, KeyRange range, ValueRun<T>* runs) {
  const KvSource &values = task.sequence->values, &keys = task.sequence->keys;
  const T* base = static_cast<const T*>(values.base);
  int64_t num_runs = 0, count = 0;
  ForVisibleRuns(task.rule, task.position, k, range, [&](int64_t from, int64_t to) {
    if (from != count)
      for (int64_t h = 0; h < task.heads; ++h)
        std::copy(task.scores + h * kKvTile + from, task.scores + h * kKvTile + to,
                  task.scores + h * kKvTile + count);
    count += to - from;
    while (from < to) {
      const int64_t in_page =
          std::min(to - from, values.block_size - (k + from) % values.block_size);
      const int64_t next = (k + kKvTile + from) / keys.block_size * keys.block_size;
      runs[num_runs++] = {base + values.row(k + from, task.kv_head), in_page,
                          next + keys.block_size <= task.sequence->seq_len
                              ? static_cast<const T*>(keys.base) + keys.row(next, task.kv_head) +
                                    (k + from) % keys.block_size * task.args->head_size
                              : nullptr};
      from += in_page;
    }
  });
  return num_runs;
}

// --- the query heads of one KV head

// The most query heads of a register tile.
inline constexpr int kGroupRows = kLanes == 16 ? 8 : 4;

// Vectors per head in a register tile of `rows` heads.
constexpr int GroupVectors(int rows) {
  if (kLanes != 16) return kTileVectors;
  return rows > 4 ? 2 : rows > 1 ? 4 : 8;
}

// Calls fn(first, std::integral_constant<int, rows>()) for the heads of a group: kMost (4 or 8) at
// a time, then up to 4.
template <int kMost, class Fn>
HWY_INLINE void ForHeads(int64_t heads, Fn&& fn) {
  int64_t h = 0;
  if constexpr (kMost > 4)
    for (; h + kMost <= heads; h += kMost) fn(h, std::integral_constant<int, kMost>());
  for (; h < heads; h += 4)
    WithCount<4>(std::min<int64_t>(4, heads - h), [&](auto rows) HWY_ATTR { fn(h, rows); });
}

// Dot products of kRows heads from h on with columns [from, to) of the panel that begins with key
// `first` of the tile.
template <int kRows, bool kStepwise, class Keys>
HWY_INLINE void ScoreHeads(const DecodeTask& task, int64_t h, const Keys& keys, int64_t first,
                           int64_t from, int64_t to) {
  const int64_t head_size = task.args->head_size;
  const float* query = task.query + h * head_size;
  float* scores = task.scores + h * kKvTile + first;
  if constexpr (kStepwise)
    StepwiseRows<kRows>(query, head_size, keys, from, to, head_size, scores, kKvTile);
  else
    ScoreRows<kRows, std::min(GroupVectors(kRows), kTileVectors)>(query, head_size, keys, from, to,
                                                                  head_size, scores, kKvTile);
}

template <Bf16Unit kUnit, class T, int64_t kRun>
void ScorePanel(const DecodeTask& task, PagedKeys<T, kRun>& keys, int64_t first, int64_t from,
                int64_t to) {
  if constexpr (kUnit == Bf16Unit::kDotProducts) {
    dot_page_scores(task.bf16_query, task.heads, {keys.run, keys.values, kRun, keys.stride}, from,
                    to, task.args->head_size, task.scores + first, kKvTile);
    return;
  }
  constexpr bool kStepwise = kUnit == Bf16Unit::kMatrix;
  ForHeads<kStepwise ? 4 : kGroupRows>(task.heads, [&](int64_t h, auto rows) HWY_ATTR {
    if (h > 0) std::fill_n(keys.values, kKeyPanel / kRun, nullptr);
    ScoreHeads<rows, kStepwise>(task, h, keys, first, from, to);
  });
}

template <Bf16Unit kUnit, class T, int64_t kRun>
void PagedScores(const DecodeTask& task, int64_t k, KeyRange range) {
  const KvSource &source = task.sequence->keys, &values = task.sequence->values;
  for (int64_t first = range.begin / kKeyPanel * kKeyPanel; first < range.end; first += kKeyPanel) {
    const int64_t from = std::max<int64_t>(0, range.begin - first) / 16 * 16;
    const int64_t to = (std::min(kKeyPanel, range.end - first) + 15) / 16 * 16;
    PagedKeys<T, kRun> keys;
    keys.stride = source.chunk_stride;
    for (int64_t c = from; c < to; c += kRun) {
      // Past the last key, the last run of keys is read again; the results are masked.
      const int64_t token = std::min(k + first + c, (task.sequence->seq_len - 1) / kRun * kRun);
      keys.run[c / kRun] = static_cast<const T*>(source.base) + source.row(token, task.kv_head);
      keys.values[c / kRun] = static_cast<const T*>(values.base) + values.row(token, task.kv_head);
    }
    if (from > 0) std::fill_n(keys.values, kKeyPanel / kRun, nullptr);
    ScorePanel<kUnit>(task, keys, first, from, to);
  }
}

// Dot products with packed keys, added in the order of the matrix unit.
void StepwisePackedScores(const DecodeTask& task, int64_t count) {
  for (int64_t first = 0; first < count; first += kKeyPanel) {
    const PackedKeys panel{task.packed + first * task.args->head_size};
    ForHeads<4>(task.heads, [&](int64_t h, auto rows) HWY_ATTR {
      ScoreHeads<rows, true>(task, h, panel, first, 0, kKeyPanel);
    });
  }
}

// Scores of a tile's keys, read in place. Code for the bf16 units is compiled only for vectors of
// 16 lanes and for the types of keys that the units take.
template <class T, int64_t kRun>
void PagedScores(const DecodeTask& task, int64_t k, KeyRange range) {
  constexpr bool kBf16 = std::is_same_v<T, BFloat16>, kI8 = std::is_same_v<T, int8_t>;
  const Bf16Unit unit = task.args->bf16_unit;
  if constexpr (kLanes == 16 && kBf16)
    if (unit == Bf16Unit::kDotProducts)
      return PagedScores<Bf16Unit::kDotProducts, T, kRun>(task, k, range);
  if constexpr (kLanes == 16 && (kBf16 || kI8))
    if (unit == Bf16Unit::kMatrix) {
      const SubnormalsAreZero scope;
      return PagedScores<Bf16Unit::kMatrix, T, kRun>(task, k, range);
    }
  PagedScores<Bf16Unit::kNone, T, kRun>(task, k, range);
}

void PackedScores(const DecodeTask& task, const KvSource& keys, int64_t k, int64_t count) {
  const int64_t head_size = task.args->head_size;
  if (task.args->bf16_unit == Bf16Unit::kDotProducts) {
    matrix_pack_keys(keys, task.kv_head, k, count, head_size, task.packed);
    dot_scores(task.bf16_query, task.heads, task.packed, 0, (count + kMatrixSide - 1) / kMatrixSide,
               head_size, task.scores, kKvTile);
    return;
  }
  PackKeys(keys, task.kv_head, k, count, head_size, task.packed);
  if constexpr (kLanes == 16)
    if (task.args->bf16_unit == Bf16Unit::kMatrix) {
      const SubnormalsAreZero scope;
      return StepwisePackedScores(task, count);
    }
  Scores(task.query, head_size, task.heads, task.packed, (count + kKeyPanel - 1) / kKeyPanel,
         head_size, task.scores, kKvTile);
}

template <class T>
void PagedOutput(DecodeTask& task, int64_t k, KeyRange range, const float* keep, const float* add,
                 float* out, int64_t out_stride) {
  ValueRun<T> runs[kKvTile];
  // With 4 heads a pass reads longer pieces of a row of values than with 8.
  constexpr int kMost = std::is_same_v<T, BFloat16> ? 4 : kGroupRows;
  const int64_t num_runs = SeenRuns(task, k, range, runs);
  ForHeads<kMost>(task.heads, [&](int64_t h, auto rows) HWY_ATTR {
    for (int64_t i = 0; h > 0 && i < num_runs; ++i) runs[i].ahead = nullptr;
    OutputColumns<rows, GroupVectors(rows)>(task.scores + h * kKvTile, kKvTile, runs, num_runs,
                                            task.width, task.sequence->values.token_stride,
                                            keep + h, add + h, out + h * out_stride, out_stride);
  });
}

void SoftmaxHeads(DecodeTask& task, int64_t head, int64_t k, KeyRange range) {
  for (int64_t h = 0; h < task.heads; ++h) {
    ScoreRule rule = task.rule;
    rule.head = head + h;
    if (task.args->alibi_slopes) rule.slope = task.args->alibi_slopes[head + h];
    if (task.args->relative_bias) SetRelativeBias(*task.args->relative_bias, head + h, rule);
    float* scores = task.scores + h * kKvTile;
    float top = PrepareScores(rule, task.position, range, k, nullptr, scores);
    if (task.args->bf16_weights) top = RunningTop(top, task.running[h]);
    task.states.Set(h, ScoresToWeights(ScoreFactor(rule, nullptr), top, range, range, scores));
    if (task.args->bf16_weights) RoundWeights(Aligned(range).begin, Aligned(range).end, scores);
    if (task.args->bf16_weights && ATTN_FAULT(kSumOfRounded))
      task.states.tile_sum[h] = std::accumulate(scores + range.begin, scores + range.end, 0.0f);
  }
}

// Computes one KV tile for all heads of the task. merge: the tile is merged into task.out; else its
// own result is left in `partial` ([heads] with stride partial_stride).
void DecodeTile(DecodeTask& task, int64_t head, int64_t k, bool merge, float* partial,
                int64_t partial_stride) {
  const int64_t head_size = task.args->head_size;
  const int64_t count = std::min(kKvTile, task.sequence->seq_len - k);
  const KeyRange range = InTile(task.visible, k, count);
  const KvSource keys = task.sequence->keys.unscaled(), values = task.sequence->values.unscaled();
  float* packed_values = task.packed + packed_key_floats(*task.args);
  if (task.in_place) {
    WithType(keys.dtype, [&]<class T>(T) {
      if (keys.block_size % 16 == 0)
        PagedScores<T, 16>(task, k, range);
      else
        PagedScores<T, 8>(task, k, range);
    });
  } else {
    PackedScores(task, keys, k, count);
    PackValues(values, task.kv_head, k, count, head_size, packed_values);
  }
  SoftmaxHeads(task, head, k, range);

  const float ones[kMaxDecodeHeads] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  const float *keep = ones, *add = ones;
  float* out = nullptr;
  int64_t stride = partial_stride;
  if (merge) {
    task.states.Merge(task.heads);
    keep = task.states.keep;
    add = task.states.add;
    if (ATTN_FAULT(kHeadsShareFactors))
      for (int64_t h = 1; h < task.heads; ++h) {
        task.states.keep[h] = keep[0];
        task.states.add[h] = add[0];
      }
    out = task.out;
    stride = task.width;
  } else {
    out = partial + DecodePlan::kPartialHeader;
    for (int64_t h = 0; h < task.heads; ++h) {
      partial[h * partial_stride] = task.states.tile_max[h];
      partial[h * partial_stride + 1] = task.states.tile_sum[h];
      std::fill_n(out + h * stride, task.width, 0.0f);
    }
  }
  if (task.in_place) {
    WithType(values.dtype,
             [&]<class T>(T) { PagedOutput<T>(task, k, range, keep, add, out, stride); });
    return;
  }
  for (int64_t h = 0; h < task.heads; ++h)
    for (int64_t e = 0; e < task.width; e += kValueStrip) {
      ScoreRule rule = task.rule;
      rule.head = head + h;
      AccumulateSeen(rule, task.position, task.scores + h * kKvTile, range,
                     packed_values + e * count, std::min(kValueStrip, task.width - e), k, keep + h,
                     add + h, out + h * stride + e, stride);
    }
}

void FinishHead(const DecodePlan& plan, const DecodeTask& task, int64_t head, float max, float sum,
                const float* out) {
  const DecodeArgs& args = *plan.args;
  const int64_t row = task.sequence->row;
  args.lse[row * args.num_heads + head] =
      FinishRow(max, sum, args.sinks ? args.sinks[head] : kNegInf,
                task.unit(task.sequence->values) *
                    ValueScale(task.sequence->keys, task.sequence->values, task.kv_head),
                out, args.head_size, *args.out, (row * args.num_heads + head) * args.head_size);
}

void BeginTask(const DecodePlan& plan, const DecodePlan::Task& what, float* scratch,
               DecodeTask& task) {
  const DecodeArgs& args = *plan.args;
  task.args = &args;
  task.sequence = &args.sequences[static_cast<size_t>(what.sequence)];
  task.kv_head = ATTN_FAULT(kWrongKvHead) ? what.head % args.num_kv_heads
                                          : what.head / (args.num_heads / args.num_kv_heads);
  task.heads = what.heads;
  task.width = plan.width;
  task.in_place = ReadsInPlace(task.sequence->keys, task.sequence->values, args.head_size);
  task.position = task.sequence->seq_len - (ATTN_FAULT(kDecodeOneBack) ? 2 : 1);
  task.rule = ScoreRule{args.scale * task.unit(task.sequence->keys) *
                            KeyScale(task.sequence->keys, task.sequence->values, task.kv_head),
                        0,
                        true,
                        args.sliding_window,
                        args.soft_cap,
                        args.blocksparse,
                        what.head};
  task.visible = VisibleKeys(task.rule, task.position, task.sequence->seq_len);
  task.query = scratch;
  task.out = task.query + kMaxDecodeHeads * plan.width;
  task.scores = task.out + kMaxDecodeHeads * plan.width;
  task.packed = task.scores + kMaxDecodeHeads * kKvTile;
  task.bf16_query = task.packed + packed_key_floats(args) + kKvTile * plan.width;
  task.states.Clear();
  std::fill_n(task.running, kMaxDecodeHeads, kNegInf);
  std::fill_n(task.out, what.heads * plan.width, 0.0f);
}

void LeavePartial(const DecodePlan& plan, const DecodePlan::Task& what, const DecodeTask& task,
                  int64_t partial_stride) {
  float* partial = plan.partial(what.sequence, what.head, what.tile_begin / plan.tiles_per_partial);
  for (int64_t h = 0; h < what.heads; ++h, partial += partial_stride) {
    partial[0] = task.states.max[h];
    partial[1] = ATTN_FAULT(kPartSumOfLastTile) ? task.states.tile_sum[h] : task.states.sum[h];
    std::copy_n(task.out + h * plan.width, plan.width, partial + DecodePlan::kPartialHeader);
  }
}

// Computes the tiles of one task. False when the gate cancelled it.
template <class Probe>
bool DecodeTiles(const DecodePlan& plan, const DecodePlan::Task& what, float* scratch,
                 Probe& probe) {
  const DecodeArgs& args = *plan.args;
  DecodeTask task;
  BeginTask(plan, what, scratch, task);
  for (int64_t h = 0; h < what.heads; ++h)
    LoadQuery(*args.query, task.sequence->row, 1, args.num_heads, what.head + h, args.head_size,
              task.query + h * args.head_size);
  if (args.bf16_unit == Bf16Unit::kDotProducts)
    matrix_pack_query(task.query, what.heads, args.head_size, task.bf16_query);
  TileEvent event = DecodeEvent(plan, what.sequence, what.head);
  event.heads = static_cast<uint32_t>(what.heads);
  bool begins = true;  // whether the next tile begins a new softmax state
  // Whether tiles are merged at once; else each leaves a partial result.
  const bool merge = what.whole || plan.tiles_per_partial > 1;
  const int64_t partial_stride =
      plan.num_partials(what.sequence) * (DecodePlan::kPartialHeader + plan.width);
  const int64_t skipped = ATTN_FAULT(kFirstTileSkipped) && what.tile_end > 1 ? 1 : 0;
  for (int64_t tile = what.tile_begin + skipped; tile < what.tile_end; ++tile) {
    const int64_t k = tile * kKvTile, count = std::min(kKvTile, task.sequence->seq_len - k);
    float* partial = merge ? nullptr : plan.partial(what.sequence, what.head, tile);
    bool seen = false;
    ForVisibleRuns(task.rule, task.position, k, InTile(task.visible, k, count),
                   [&](int64_t, int64_t) { seen = true; });
    if (!seen) {
      for (int64_t h = 0; partial && h < what.heads; ++h) partial[h * partial_stride] = kNegInf;
      continue;
    }
    if (!probe.tile_begin()) return false;
    DecodeTile(task, what.head, k, merge, partial, partial_stride);
    event.k_begin = static_cast<uint32_t>(k);
    event.k_count = static_cast<uint32_t>(count);
    for (int64_t h = 0; h < what.heads; ++h) {
      TileEvent of_head = event;
      of_head.head = static_cast<uint32_t>(what.head + h);
      of_head.heads = 1;
      // Without `merge` the reported state is that of this tile alone, which is merged later.
      const float* max = merge ? task.states.max : task.states.tile_max;
      const float* sum = merge ? task.states.sum : task.states.tile_sum;
      probe.row_states(of_head, 0, 1, max + h, sum + h, 1, begins);
    }
    begins = !merge;
    probe.tile_end(event, args.head_size);
  }
  if (!what.whole) {
    if (merge) LeavePartial(plan, what, task, partial_stride);
    return true;
  }
  for (int64_t h = 0; h < what.heads; ++h) {
    FinishHead(plan, task, what.head + h, task.states.max[h], task.states.sum[h],
               task.out + h * plan.width);
    probe.rows_done(DecodeEvent(plan, what.sequence, what.head + h),
                    args.lse + task.sequence->row * args.num_heads + what.head + h, args.num_heads);
  }
  return true;
}

// Merges the partial results of one (sequence, head) in order of position.
template <class Probe>
void MergeTiles(const DecodePlan& plan, const DecodePlan::Task& what, float* scratch,
                Probe& probe) {
  const DF d;
  DecodeTask task;
  BeginTask(plan, what, scratch, task);
  const int64_t end = plan.num_partials(what.sequence) - (ATTN_FAULT(kLastTileSkipped) ? 1 : 0);
  for (int64_t i = 0; i < end; ++i) {
    const float* partial = plan.partial(what.sequence, what.head, i);
    if (partial[0] == kNegInf) continue;
    const float first_max = plan.partial(what.sequence, what.head, 0)[0];
    task.states.Set(0, {ATTN_FAULT(kPartialMaxIgnored) ? first_max : partial[0], partial[1]});
    task.states.Merge(1);
    const VF keep = hn::Set(d, task.states.keep[0]), add = hn::Set(d, task.states.add[0]);
    const float* own = partial + DecodePlan::kPartialHeader;
    for (int64_t e = 0; e < plan.width; e += kLanes)
      hn::Store(hn::MulAdd(hn::Load(d, own + e), add, hn::Mul(hn::Load(d, task.out + e), keep)), d,
                task.out + e);
  }
  FinishHead(plan, task, what.head, task.states.max[0], task.states.sum[0], task.out);
  probe.rows_done(DecodeEvent(plan, what.sequence, what.head),
                  plan.args->lse + task.sequence->row * plan.args->num_heads + what.head,
                  plan.args->num_heads);
}

#define ATTN_DECODE_FUNCTIONS(Name, Probe)                                                     \
  bool DecodeTiles##Name(const DecodePlan& plan, const DecodePlan::Task& task, float* scratch, \
                         Probe& probe) {                                                       \
    return DecodeTiles(plan, task, scratch, probe);                                            \
  }                                                                                            \
  void MergeTiles##Name(const DecodePlan& plan, const DecodePlan::Task& task, float* scratch,  \
                        Probe& probe) {                                                        \
    MergeTiles(plan, task, scratch, probe);                                                    \
  }
ATTN_DECODE_FUNCTIONS(Null, NullProbe)
ATTN_DECODE_FUNCTIONS(Trace, TraceProbe)
ATTN_DECODE_FUNCTIONS(Step, StepProbe)
#undef ATTN_DECODE_FUNCTIONS

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attn {
namespace {

#define ATTN_DECODE_DISPATCH(Name, Probe)                                                 \
  HWY_EXPORT(DecodeTiles##Name);                                                          \
  HWY_EXPORT(MergeTiles##Name);                                                           \
  bool decode_tiles(const DecodePlan& plan, const DecodePlan::Task& task, float* scratch, \
                    Probe& probe) {                                                       \
    return HWY_DYNAMIC_DISPATCH(DecodeTiles##Name)(plan, task, scratch, probe);           \
  }                                                                                       \
  void merge_tiles(const DecodePlan& plan, const DecodePlan::Task& task, float* scratch,  \
                   Probe& probe) {                                                        \
    HWY_DYNAMIC_DISPATCH(MergeTiles##Name)(plan, task, scratch, probe);                   \
  }
ATTN_DECODE_DISPATCH(Null, NullProbe)
ATTN_DECODE_DISPATCH(Trace, TraceProbe)
ATTN_DECODE_DISPATCH(Step, StepProbe)
#undef ATTN_DECODE_DISPATCH

// Returns false if the gate cancelled the decode.
bool run_decode(DecodePlan plan, Workspace& workspace, const Execution& execution) {
  reserve(plan, workspace, execution.pool->num_workers());
  const auto rows = static_cast<int64_t>(plan.args->sequences.size());
  const auto tasks = static_cast<int64_t>(plan.tasks.size()),
             merges = static_cast<int64_t>(plan.merges.size());
  const int64_t head_size = plan.args->head_size;
  const bool computed =
      run_tiles(plan.kernel, tasks, rows, work_of_pairs(tasks, plan.pairs(), head_size), execution,
                [&](int64_t task, int worker, auto& probe) {
                  return decode_tiles(plan, plan.tasks[static_cast<size_t>(task)],
                                      workspace.worker(worker), probe);
                });
  if (!computed || merges == 0) return computed;
  // Merging the partial result of a tile is taken to cost as much as computing one pair.
  const double partials = plan.pairs() / static_cast<double>(kKvTile);
  return run_tiles(KernelId::kPagedReduce, merges, rows, work_of_pairs(merges, partials, head_size),
                   execution, [&](int64_t task, int worker, auto& probe) {
                     merge_tiles(plan, plan.merges[static_cast<size_t>(task)],
                                 workspace.worker(worker), probe);
                     return true;
                   });
}

}  // namespace

bool use_paged_decode_v1(int64_t max_seq_len, int64_t num_seqs, int64_t num_heads) {
  const int64_t partitions = (max_seq_len + kPartition - 1) / kPartition;
  return max_seq_len <= 8192 && (partitions <= 1 || num_seqs * num_heads > 512);
}

bool paged_decode_v1(const DecodeArgs& args, Workspace& workspace, const Execution& execution) {
  return run_decode(plan_decode_v1(args), workspace, execution);
}

bool paged_decode_v2(const DecodeArgs& args, Workspace& workspace, const Execution& execution) {
  return run_decode(plan_decode_v2(args), workspace, execution);
}

bool paged_decode_grouped(const DecodeArgs& args, Workspace& workspace,
                          const Execution& execution) {
  return run_decode(plan_decode_grouped(args, execution.pool->num_workers()), workspace, execution);
}

}  // namespace attn
#endif  // HWY_ONCE
