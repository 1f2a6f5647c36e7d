// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/prefill/flash_prefill.h"

#include <algorithm>
#include <vector>

#include "engine/kernels/prefill/prefill_plan.h"
#include "engine/kernels/tiles/bf16_unit.h"
#include "engine/kernels/tiles/dot_tiles.h"
#include "engine/kernels/tiles/matrix_tiles.h"
#include "engine/kernels/tiles/run_tiles.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/prefill/flash_prefill.cpp"
#include "hwy/foreach_target.h"  // must precede hwy/highway.h

#include "hwy/highway.h"

#include "engine/kernels/prefill/mask_rows-inl.h"
#include "engine/kernels/tiles/tile_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {

using States = RowStates<kScoreRows>;  // kScoreRows rows fill whole vectors

// The smallest range that holds the first `rows` ranges; empty ones do not count.
KeyRange Together(const KeyRange* ranges, int64_t rows) {
  KeyRange all{kKvTile, 0};
  for (int64_t r = 0; r < rows; ++r) {
    if (ranges[r].begin >= ranges[r].end) continue;
    all.begin = std::min(all.begin, ranges[r].begin);
    all.end = std::max(all.end, ranges[r].end);
  }
  return all.begin < all.end ? all : KeyRange{};
}

// Dense bias of row r of the tile, from key 0 on; null: none.
const float* BiasRow(const PrefillSequence& sequence, const QueryTile& tile, int64_t r) {
  if (!sequence.bias) return nullptr;
  return sequence.bias +
         (ATTN_FAULT(kBiasOfFirstHead) ? 0 : tile.head) * sequence.bias_head_stride +
         (ATTN_FAULT(kBiasOfFirstRow) ? 0 : tile.row + r) * sequence.bias_row_stride;
}

// Whether block-sparse attention lets any of the rows see a key of the tile at k; true if attention
// is not block-sparse.
bool SeesTile(const ScoreRule& rule, int64_t first, int64_t rows, int64_t k) {
  bool sees = !rule.blocksparse;
  for (int64_t r = 0; r < rows && !sees; ++r)
    ForVisibleRuns(rule, first + r, k, {0, kKvTile}, [&](int64_t, int64_t) { sees = true; });
  return sees;
}

// Prefetches rows of memory, at most kLines cache lines per Fetch().
class NextLines {
 public:
  NextLines(const void* row, int64_t row_bytes, int64_t rows, int64_t stride_bytes)
      : row_(static_cast<const char*>(row)),
        row_bytes_(row_bytes),
        rows_(rows),
        stride_bytes_(stride_bytes) {}
  HWY_INLINE void Fetch() {
    for (int i = 0; i < kLines && rows_ > 0; ++i) {
      __builtin_prefetch(row_ + at_, 0, 2);
      at_ += 64;
      if (at_ < row_bytes_) continue;
      at_ = 0;
      row_ += stride_bytes_;
      --rows_;
    }
  }

 private:
  static constexpr int kLines = 32;
  const char* row_;
  int64_t row_bytes_, rows_, stride_bytes_;
  int64_t at_ = 0;
};

// Scores of one KV tile. Each register group of rows is scored for its own range of keys, rounded
// out to 16.
void ScoreVisible(const float* query, int64_t head_size, int64_t rows, const KeyRange* groups,
                  const float* keys, float* scores, NextLines& next) {
  for (int64_t first = 0; first < kKvTile; first += kKeyPanel) {
    const PackedKeys panel{keys + first * head_size};
    for (int64_t r = 0; r < rows; r += kTileRows) {
      const KeyRange seen = InTile(groups[r / kTileRows], first, kKeyPanel);
      if (seen.begin >= seen.end) continue;
      const int64_t from = seen.begin / 16 * 16, to = (seen.end + 15) / 16 * 16;
      next.Fetch();
      WithCount<kTileRows>(std::min<int64_t>(kTileRows, rows - r), [&](auto count) HWY_ATTR {
        ScoreRows<count>(query + r * head_size, head_size, panel, from, to, head_size,
                         scores + r * kKvTile + first, kKvTile);
      });
    }
  }
}

// ScoreVisible() in the matrix unit, for all rows at once; `query`: the rows as bf16.
void MatrixScores(const std::byte* query, int64_t head_size, int64_t rows, const KeyRange* groups,
                  const void* keys, float* scores) {
  const KeyRange seen = Together(groups, (rows + kTileRows - 1) / kTileRows);
  matrix_scores(query, rows, keys, seen.begin / kMatrixSide,
                (seen.end + kMatrixSide - 1) / kMatrixSide, head_size, scores, kKvTile);
}

// ScoreVisible() by dot products of bf16 pairs; `query`: the rows as bf16.
void DotScores(const std::byte* query, int64_t head_size, int64_t rows, const KeyRange* groups,
               const void* keys, float* scores) {
  const int64_t row_bytes = matrix_query_bytes(kMatrixSide, head_size) / kMatrixSide;
  for (int64_t first = 0; first < kKvTile; first += kKeyPanel)
    for (int64_t r = 0; r < rows; r += kTileRows) {
      const KeyRange seen = InTile(groups[r / kTileRows], first, kKeyPanel);
      if (seen.begin >= seen.end) continue;
      dot_scores(query + r * row_bytes, std::min<int64_t>(kTileRows, rows - r), keys,
                 (first + seen.begin) / kMatrixSide,
                 (first + seen.end + kMatrixSide - 1) / kMatrixSide, head_size,
                 scores + r * kKvTile, kKvTile);
    }
}

// O = O * keep + P V * add of one KV tile. In a tile with values that are not finite a row reads
// only the values of keys that it sees, because 0 times such a value is NaN. next may be null.
void Accumulate(const ScoreRule& rule, int64_t first, const float* weights, int64_t rows,
                const KeyRange* groups, const KeyRange* ranges, const PackedTile& packed,
                int64_t k_begin, int64_t tile_keys, const float* keep, const float* add, float* out,
                int64_t width, NextLines* next) {
  for (int64_t e = 0; e < width; e += kValueStrip) {
    const int64_t columns = std::min(kValueStrip, width - e);
    if (e > 0 && ATTN_FAULT(kLastStripLost)) break;
    const float* strip = packed.values + e * tile_keys;
    if (!packed.finite && !ATTN_FAULT(kUnseenTimesZero)) {
      for (int64_t r = 0; r < rows; ++r)
        AccumulateSeen(rule, first + r, weights + r * kKvTile, ranges[r], strip, columns, k_begin,
                       keep + r, add + r, out + r * width + e, width);
      continue;
    }
    for (int64_t r = 0; r < rows; r += kTileRows) {
      const KeyRange seen = groups[r / kTileRows];
      if (seen.begin >= seen.end) continue;
      if (next) next->Fetch();
      const ValueRun<float> run{strip + seen.begin * columns, seen.end - seen.begin};
      WithCount<kTileRows>(std::min<int64_t>(kTileRows, rows - r), [&](auto count) HWY_ATTR {
        OutputColumns<count>(weights + r * kKvTile + seen.begin, kKvTile, &run, 1, columns, columns,
                             keep + r, add + r, out + r * width + e, width);
      });
    }
  }
}

// Rounds `count` weights, a multiple of 32, to bf16.
void RoundTo(Bf16Unit unit, const float* weights, int64_t count, BFloat16* rounded) {
  if (unit == Bf16Unit::kDotProducts) return dot_round_weights(weights, count, rounded);
  const DF d;
  for (int64_t i = 0; i < count; i += kLanes) StoreFloats(d, hn::Load(d, weights + i), rounded + i);
}

// O = O * keep + P V of one KV tile in the unit. seen: bounds are multiples of 32; rows have the
// weight 0 for keys in it that they do not see. products: memory for [kScoreRows, width].
void AccumulateInUnit(Bf16Unit unit, const float* weights, int64_t rows, KeyRange seen,
                      const KeyRange* groups, const PackedTile& packed, int64_t tile_keys,
                      const float* keep, float* out, int64_t width, BFloat16* rounded,
                      float* products, NextLines& next) {
  const DF d;
  for (int64_t r = 0; r < rows; ++r)
    RoundTo(unit, weights + r * kKvTile + seen.begin, seen.end - seen.begin,
            rounded + r * kKvTile + seen.begin);
  if (unit == Bf16Unit::kMatrix)
    matrix_values(rounded, kKvTile, rows, packed.values, tile_keys, seen.begin, seen.end, width,
                  products, width);
  for (int64_t r0 = 0; r0 < rows; r0 += kTileRows) {
    const KeyRange range = groups[r0 / kTileRows];
    if (range.begin >= range.end) continue;
    const int64_t end = std::min(rows, r0 + kTileRows);
    next.Fetch();
    if (unit == Bf16Unit::kDotProducts)
      dot_values(rounded + r0 * kKvTile, kKvTile, end - r0, packed.values, tile_keys,
                 range.begin / 2 * 2, range.end, width, products + r0 * width, width);
    for (int64_t r = r0; r < end; ++r) {
      const VF kept = hn::Set(d, keep[r]);
      float *to = out + r * width, *product = products + r * width;
      for (int64_t e = 0; e < width; e += kLanes)
        hn::Store(hn::MulAdd(hn::Load(d, to + e), kept, hn::Load(d, product + e)), d, to + e);
    }
  }
}

// Computes one query tile of one head over the KV tiles that it sees, in order. Returns false if
// the gate cancelled it.
template <class Probe>
bool FlashTile(const PrefillPlan& plan, const QueryTile& tile, float* scratch, Probe& probe) {
  const PrefillArgs& args = *plan.args;
  const PrefillSequence& sequence = args.sequences[static_cast<size_t>(tile.sequence)];
  const int64_t kv_head = ATTN_FAULT(kWrongKvHead)
                              ? tile.head % args.num_kv_heads
                              : tile.head / (args.num_heads / args.num_kv_heads);
  const int64_t width = pad_head_size(args.head_size);
  float* query = scratch;                    // [rows, head_size]
  float* out = query + kQueryTile * width;   // [rows, width]
  float* scores = out + kQueryTile * width;  // [kScoreRows, kKvTile]
  const int64_t first = (ATTN_FAULT(kContextIgnored) ? 0 : sequence.context_len) + tile.row;

  LoadQuery(*args.query, (ATTN_FAULT(kQueryOfFirstRow) ? 0 : sequence.row_begin) + tile.row,
            tile.rows, args.num_heads, tile.head, args.head_size, query);
  std::fill(out, out + tile.rows * width, 0.0f);
  const bool in_unit = plan.bf16_unit != Bf16Unit::kNone;
  const MatrixSession session(plan.bf16_unit == Bf16Unit::kMatrix);
  auto* bf16_query = reinterpret_cast<std::byte*>(scores + kScoreRows * kKvTile);
  const int64_t bf16_row = matrix_query_bytes(kMatrixSide, args.head_size) / kMatrixSide;
  if (in_unit) matrix_pack_query(query, tile.rows, args.head_size, bf16_query);
  ScoreRule rule{args.scale * KeyScale(sequence.keys, sequence.values, kv_head),
                 args.alibi_slopes ? args.alibi_slopes[tile.head] : 0.0f,
                 args.causal,
                 args.sliding_window,
                 args.soft_cap,
                 args.blocksparse,
                 tile.head,
                 args.causal ? -1 : sequence.kv_len - 1};
  if (args.relative_bias) SetRelativeBias(*args.relative_bias, tile.head, rule);
  States states[kQueryTile / kScoreRows];
  for (States& part : states) part.Clear();
  float running[kQueryTile];  // running maxima of prepared scores, for bf16 weights
  std::fill_n(running, tile.rows, kNegInf);
  auto* products = reinterpret_cast<float*>(bf16_query + kQueryTile * bf16_row);
  auto* rounded = reinterpret_cast<BFloat16*>(products + kScoreRows * width);
  const bool has_mask = HasMask(sequence);
  // Whether the mask is added after the scale, as a bias is, and not before it.
  const bool mask_adds =
      has_mask && !(sequence.mask.only_hides && rule.is_plain() && !sequence.bias);
  float mask[kKvTile];
  KeyRange visible[kQueryTile], in_tile[kQueryTile], groups[kQueryTile / kTileRows];
  float tops[kScoreRows];
  int64_t k_first = sequence.kv_len, k_last = 0;  // union of the ranges in `visible`
  int64_t last_begin = 0, first_end = k_first;    // intersection of those ranges
  for (int64_t r = 0; r < tile.rows; ++r) {
    visible[r] = VisibleKeys(rule, first + r, sequence.kv_len);
    k_first = std::min(k_first, visible[r].begin);
    k_last = std::max(k_last, visible[r].end);
    last_begin = std::max(last_begin, visible[r].begin);
    first_end = std::min(first_end, visible[r].end);
  }

  const auto row_bytes = args.head_size * static_cast<int64_t>(size_of(args.out->dtype()));
  TileEvent event{sequence.request,
                  static_cast<uint32_t>(first),
                  0,
                  static_cast<uint32_t>(tile.rows),
                  0,
                  static_cast<uint32_t>(tile.head),
                  args.kernel};
  for (int64_t k = k_first / kKvTile * kKvTile; k < k_last; k += kKvTile) {
    if (!SeesTile(rule, first, tile.rows, k)) continue;
    if (!probe.tile_begin()) return false;
    const int64_t count = std::min(kKvTile, sequence.kv_len - k);
    const PackedTile packed = plan.packed_tile(tile.sequence, kv_head, k / kKvTile);
    if (k >= last_begin && k + count <= first_end) {
      std::fill_n(in_tile, tile.rows, KeyRange{0, count});
      std::fill_n(groups, (tile.rows + kTileRows - 1) / kTileRows, KeyRange{0, count});
    } else {
      for (int64_t r = 0; r < tile.rows; ++r) in_tile[r] = InTile(visible[r], k, count);
      for (int64_t r = 0; r < tile.rows; r += kTileRows)
        groups[r / kTileRows] = Together(in_tile + r, std::min<int64_t>(kTileRows, tile.rows - r));
    }
    NextLines next =
        k + kKvTile < k_last
            ? NextLines(plan.packed_tile(tile.sequence, kv_head, k / kKvTile + 1).keys,
                        plan.pack_tile_bytes(), 1, 0)
            : NextLines(
                  static_cast<const std::byte*>(args.out->raw()) +
                      ((sequence.row_begin + tile.row) * args.num_heads + tile.head) * row_bytes,
                  row_bytes, tile.rows, args.num_heads * row_bytes);
    // Takes kScoreRows rows at a time, to keep their scores in a near cache.
    for (int64_t r0 = 0; r0 < tile.rows; r0 += kScoreRows) {
      const int64_t rows = std::min(kScoreRows, tile.rows - r0);
      if (in_tile[r0 + rows - 1].end == 0) continue;  // the last row's range ends last
      States& part = states[r0 / kScoreRows];
      if (plan.bf16_unit == Bf16Unit::kMatrix)
        MatrixScores(bf16_query + r0 * bf16_row, args.head_size, rows, groups + r0 / kTileRows,
                     packed.keys, scores);
      else if (plan.bf16_unit == Bf16Unit::kDotProducts)
        DotScores(bf16_query + r0 * bf16_row, args.head_size, rows, groups + r0 / kTileRows,
                  packed.keys, scores);
      else
        ScoreVisible(query + r0 * args.head_size, args.head_size, rows, groups + r0 / kTileRows,
                     packed.keys, scores, next);
      for (int64_t r = r0; r < r0 + rows; ++r) {
        const float* bias = BiasRow(sequence, tile, r);
        int64_t bias_key = k;
        if (has_mask) {
          LoadMask(sequence, tile.head, tile.row + r, k, count, bias, mask);
          if (mask_adds) {
            bias = mask;
            bias_key = 0;
          } else {
            float* row = scores + (r - r0) * kKvTile;
            for (int64_t i = 0; i < count; ++i) row[i] += mask[i];
          }
        }
        tops[r - r0] =
            PrepareScores(rule, first + r, in_tile[r], bias_key, bias, scores + (r - r0) * kKvTile);
      }
      const float factor = ScoreFactor(rule, mask_adds ? mask : sequence.bias);
      const bool values_in_unit = plan.bf16_values && packed.finite;
      KeyRange all;  // for P V in the unit: the keys for which every row gets a weight, perhaps 0
      if (values_in_unit) {
        all = Together(groups + r0 / kTileRows, (rows + kTileRows - 1) / kTileRows);
        all = {all.begin / 32 * 32, (all.end + 31) / 32 * 32};
      }
      for (int64_t r = r0; r < r0 + rows; ++r) {
        float* row = scores + (r - r0) * kKvTile;
        const float top = args.bf16_weights ? RunningTop(tops[r - r0], running[r]) : tops[r - r0];
        part.Set(r - r0, ScoresToWeights(factor, top, in_tile[r],
                                         values_in_unit ? all : groups[r / kTileRows], row));
        if (args.bf16_weights && !values_in_unit)
          RoundWeights(Aligned(in_tile[r]).begin, Aligned(in_tile[r]).end, row);
      }
      part.Merge(rows);
      if (values_in_unit) {
        AccumulateInUnit(plan.bf16_unit, scores, rows, all, groups + r0 / kTileRows, packed, count,
                         part.keep, out + r0 * width, width, rounded, products, next);
        continue;
      }
      Accumulate(rule, first + r0, scores, rows, groups + r0 / kTileRows, in_tile + r0, packed, k,
                 count, part.keep, part.add, out + r0 * width, width, in_unit ? &next : nullptr);
    }
    event.k_begin = static_cast<uint32_t>(k);
    event.k_count = static_cast<uint32_t>(count);
    for (int64_t r0 = 0; r0 < tile.rows; r0 += kScoreRows) {
      const States& part = states[r0 / kScoreRows];
      const int64_t rows = std::min(kScoreRows, tile.rows - r0);
      const float* max = part.max;
      if (rule.alibi_origin >= 0) {
        for (int64_t r = 0; r < rows; ++r)
          tops[r] = max[r] + BiasShift(rule, first + r0 + r) * kLog2E;
        max = tops;
      }
      probe.row_states(event, r0, rows, max, part.sum, 1, k <= k_first);
    }
    probe.tile_end(event, args.head_size);
  }

  const int64_t row = sequence.row_begin + tile.row;
  float* lse = args.lse + row * args.num_heads + tile.head;
  for (int64_t r = 0; r < tile.rows; ++r)
    lse[r * args.num_heads] = FinishRow(
        states[r / kScoreRows].max[r % kScoreRows], states[r / kScoreRows].sum[r % kScoreRows],
        args.sinks ? args.sinks[tile.head] : kNegInf,
        ValueScale(sequence.keys, sequence.values, kv_head), out + r * width, args.head_size,
        *args.out, ((row + r) * args.num_heads + tile.head) * args.head_size,
        BiasShift(rule, first + r));
  probe.rows_done(event, lse, args.num_heads);
  return true;
}

void PackKvTile(const PrefillPlan& plan, const PackTask& task) {
  const PrefillArgs& args = *plan.args;
  const PrefillSequence& sequence = args.sequences[static_cast<size_t>(task.sequence)];
  PackedTile& tile = plan.packed_tile(task.sequence, task.kv_head, task.begin / kKvTile);
  if (plan.bf16_unit != Bf16Unit::kNone)
    matrix_pack_keys(sequence.keys, task.kv_head, task.begin, task.count, args.head_size,
                     tile.keys);
  else
    PackKeys(sequence.keys.unscaled(), task.kv_head, task.begin, task.count, args.head_size,
             tile.keys);
  if (plan.bf16_values) {
    tile.finite = matrix_pack_values(sequence.values, task.kv_head, task.begin, task.count,
                                     args.head_size, tile.values);
    if (tile.finite) return;
  }
  tile.finite = PackValues(sequence.values.unscaled(), task.kv_head, task.begin, task.count,
                           args.head_size, tile.values);
}

// Packs the keys and values of one unit into `packed`, then computes its query tiles. Returns false
// if the gate cancelled it.
template <class Probe>
bool FlashUnit(const PrefillPlan& plan, const PrefillUnit& unit, float* scratch, float* packed,
               Probe& probe) {
  plan.place(unit.pack_begin, unit.pack_end, packed);
  for (int64_t i = unit.pack_begin; i < unit.pack_end; ++i) {
    const PackTask& task = plan.pack_tasks[static_cast<size_t>(i)];
    probe.task_begin();
    PackKvTile(plan, task);
    probe.task_end(KernelId::kPackKv, i, plan.num_tokens, plan.pack_bytes());
  }
  for (int64_t i = unit.tile_begin; i < unit.tile_end; ++i)
    if (!FlashTile(plan, plan.tiles[static_cast<size_t>(i)], scratch, probe)) return false;
  return true;
}

#define ATTN_FLASH_FUNCTIONS(Name, Probe)                                                \
  bool FlashTile##Name(const PrefillPlan& plan, const QueryTile& tile, float* scratch,   \
                       Probe& probe) {                                                   \
    return FlashTile(plan, tile, scratch, probe);                                        \
  }                                                                                      \
  bool FlashUnit##Name(const PrefillPlan& plan, const PrefillUnit& unit, float* scratch, \
                       float* packed, Probe& probe) {                                    \
    return FlashUnit(plan, unit, scratch, packed, probe);                                \
  }
ATTN_FLASH_FUNCTIONS(Null, NullProbe)
ATTN_FLASH_FUNCTIONS(Trace, TraceProbe)
ATTN_FLASH_FUNCTIONS(Step, StepProbe)
#undef ATTN_FLASH_FUNCTIONS

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attn {
namespace {

#define ATTN_FLASH_DISPATCH(Name, Probe)                                                         \
  HWY_EXPORT(FlashTile##Name);                                                                   \
  HWY_EXPORT(FlashUnit##Name);                                                                   \
  bool run_tile(const PrefillPlan& plan, const QueryTile& tile, float* scratch, Probe& probe) {  \
    return HWY_DYNAMIC_DISPATCH(FlashTile##Name)(plan, tile, scratch, probe);                    \
  }                                                                                              \
  bool run_unit(const PrefillPlan& plan, const PrefillUnit& unit, float* scratch, float* packed, \
                Probe& probe) {                                                                  \
    return HWY_DYNAMIC_DISPATCH(FlashUnit##Name)(plan, unit, scratch, packed, probe);            \
  }
ATTN_FLASH_DISPATCH(Null, NullProbe)
ATTN_FLASH_DISPATCH(Trace, TraceProbe)
ATTN_FLASH_DISPATCH(Step, StepProbe)
#undef ATTN_FLASH_DISPATCH
HWY_EXPORT(PackKvTile);

}  // namespace

bool pack_kv(const PrefillPlan& plan, const Execution& execution) {
  return traced_parallel_for(
      execution, KernelId::kPackKv, static_cast<int64_t>(plan.pack_tasks.size()), plan.num_tokens,
      0, plan.pack_bytes(), [&](int64_t task, int) {
        HWY_DYNAMIC_DISPATCH(PackKvTile)(plan, plan.pack_tasks[static_cast<size_t>(task)]);
      });
}

bool flash_prefill(const PrefillArgs& args, Workspace& workspace, const Execution& execution) {
  const PrefillPlan plan = plan_prefill(args, execution, workspace, {true, true});
  if (plan.tiles.empty()) return true;
  const auto width = (args.head_size + 15) / 16 * 16;
  // Floats of a worker's scratch: query, output, scores, query as bf16, products, weights as bf16.
  const auto scratch =
      kQueryTile * (2 * width + kKvTile) +
      (plan.bf16_unit != Bf16Unit::kNone ? matrix_query_bytes(kQueryTile, args.head_size) / 4 : 0) +
      (plan.bf16_values ? kScoreRows * (width + kKvTile / 2) : 0);
  workspace.reserve_workers(execution.pool->num_workers(),
                            static_cast<size_t>(scratch + plan.unit_floats));
  const auto tiles = static_cast<int64_t>(plan.tiles.size());
  const uint64_t work_ns = work_of_pairs(tiles, plan.pairs(), args.head_size);
  if (!plan.units.empty())
    return run_tiles(KernelId::kFlashPrefill, static_cast<int64_t>(plan.units.size()),
                     plan.num_tokens, work_ns, execution,
                     [&](int64_t task, int worker, auto& probe) {
                       float* memory = workspace.worker(worker);
                       return run_unit(plan, plan.units[static_cast<size_t>(task)], memory,
                                       memory + scratch, probe);
                     });
  if (!pack_kv(plan, execution)) return false;
  return run_tiles(KernelId::kFlashPrefill, tiles, plan.num_tokens, work_ns, execution,
                   [&](int64_t task, int worker, auto& probe) {
                     return run_tile(plan, plan.tiles[static_cast<size_t>(task)],
                                     workspace.worker(worker), probe);
                   });
}

}  // namespace attn
#endif  // HWY_ONCE
