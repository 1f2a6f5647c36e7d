// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/paged_decode.h"

#include <algorithm>
#include <vector>

#include "engine/kernels/decode_plan.h"
#include "engine/kernels/run_tiles.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/paged_decode.cpp"
#include "hwy/foreach_target.h"  // first: it includes this file once per target

#include "hwy/highway.h"

#include "engine/kernels/tile_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {

TileEvent DecodeEvent(const DecodePlan& plan, int64_t sequence, int64_t head) {
  const DecodeSequence& s = plan.args->sequences[static_cast<size_t>(sequence)];
  const auto position = static_cast<uint32_t>(std::max<int64_t>(0, s.seq_len - 1));
  return {s.request, position, 0, 1, 0, static_cast<uint32_t>(head), plan.kernel};
}

// One partition of one head: up to 512 keys, in KV tiles of 256, into its partial (max, sum,
// output).
template <class Probe>
bool PartitionTile(const DecodePlan& plan, int64_t s, int64_t head, int64_t partition,
                   float* scratch, Probe& probe) {
  const DecodeArgs& args = *plan.args;
  const DecodeSequence& sequence = args.sequences[static_cast<size_t>(s)];
  const int64_t kv_head = head / (args.num_heads / args.num_kv_heads);
  float* query = scratch;                           // [head_size]
  float* scores = query + plan.width;               // [kKvTile]
  float* keys = scores + kKvTile;                   // [kKvTile / 64, head_size, 64]
  float* values = keys + kKvTile * args.head_size;  // [kKvTile, width]
  float* partial = plan.partial(s, head, partition);
  float* out = partial + DecodePlan::kPartialHeader;
  const int64_t position = sequence.seq_len - 1;
  const ScoreRule rule{args.scale, args.alibi_slopes ? args.alibi_slopes[head] : 0.0f, true,
                       args.sliding_window};
  const KeyRange visible = VisibleKeys(rule, position, sequence.seq_len);

  LoadQuery(*args.query, sequence.row, 1, args.num_heads, head, args.head_size, query);
  std::fill(out, out + plan.width, 0.0f);
  RowState state;
  bool begins = true;  // no tile of this partition yet
  TileEvent event = DecodeEvent(plan, s, head);
  const int64_t last = std::min(sequence.seq_len, (partition + 1) * kPartition);
  for (int64_t k = partition * kPartition; k < last; k += kKvTile) {
    const int64_t count = std::min(kKvTile, last - k);
    if (visible.end <= k || visible.begin >= k + count) continue;
    if (!probe.tile_begin()) return false;
    const int64_t panels = (count + kKeyPanel - 1) / kKeyPanel;
    PackKeys(sequence.keys, kv_head, k, count, args.head_size, keys);
    PackValues(sequence.values, kv_head, k, count, args.head_size, values);
    Scores(query, args.head_size, 1, keys, panels, args.head_size, scores, kKvTile);
    OnlineSoftmax(rule, position, visible, k, panels * kKeyPanel, scores, state, out, plan.width);
    const KeyRange in_tile = InTile(visible, k, count);
    AccumulateVisible(scores, kKvTile, 1, &in_tile, values, plan.width, out, plan.width);
    event.k_begin = static_cast<uint32_t>(k);
    event.k_count = static_cast<uint32_t>(count);
    probe.row_states(event, 0, 1, &state.max, &state.sum, 1, begins);
    begins = false;
    probe.tile_end(event, args.head_size);
  }
  partial[0] = state.max;
  partial[1] = state.sum;
  return true;
}

// Merges the partials of one (sequence, head) in order of position and writes its output row and
// log-sum-exp:
//   m = max m_i,  d = sum d_i exp(m_i - m),  o = sum o_i exp(m_i - m)
template <class Probe>
void ReduceHead(const DecodePlan& plan, int64_t s, int64_t head, Probe& probe) {
  const DecodeArgs& args = *plan.args;
  const DecodeSequence& sequence = args.sequences[static_cast<size_t>(s)];
  const int64_t partitions = plan.partitions(s);
  RowState merged;
  for (int64_t i = 0; i < partitions; ++i) {
    const float max = plan.partial(s, head, i)[0];
    merged.max = std::isnan(max) || max > merged.max ? max : merged.max;
  }
  const DF d;
  float* total = partitions > 0 ? plan.partial(s, head, 0) + DecodePlan::kPartialHeader : nullptr;
  for (int64_t i = 0; i < partitions; ++i) {
    const float* partial = plan.partial(s, head, i);
    // An empty part (all keys outside the window) has max -inf: its weight is 0, also when all
    // parts are empty.
    const float weight = partial[0] == kNegInf ? 0.0f : ExpScalar(partial[0] - merged.max);
    merged.sum = merged.sum + partial[1] * weight;
    if (i == 0) {
      ScaleRow(weight, plan.width, total);
      continue;
    }
    const float* out = partial + DecodePlan::kPartialHeader;
    for (int64_t e = 0; e < plan.width; e += kLanes)
      hn::Store(hn::MulAdd(hn::Load(d, out + e), hn::Set(d, weight), hn::Load(d, total + e)), d,
                total + e);
  }
  float* lse = args.lse + sequence.row * args.num_heads + head;
  *lse = FinishRow(merged, total, args.head_size, *args.out,
                   (sequence.row * args.num_heads + head) * args.head_size);
  probe.rows_done(DecodeEvent(plan, s, head), lse, args.num_heads);
}

// v1: all partitions of one (sequence, head), then its own merge.
template <class Probe>
bool DecodeHeadOf(const DecodePlan& plan, const DecodePlan::Task& task, float* scratch,
                  Probe& probe) {
  for (int64_t p = 0; p < plan.partitions(task.sequence); ++p)
    if (!PartitionTile(plan, task.sequence, task.head, p, scratch, probe)) return false;
  ReduceHead(plan, task.sequence, task.head, probe);
  return true;
}

#define ATTN_DECODE_FUNCTIONS(Name, Probe)                                                      \
  bool DecodeHead##Name(const DecodePlan& plan, const DecodePlan::Task& task, float* scratch,   \
                        Probe& probe) {                                                         \
    return DecodeHeadOf(plan, task, scratch, probe);                                            \
  }                                                                                             \
  bool DecodePart##Name(const DecodePlan& plan, const DecodePlan::Task& task, float* scratch,   \
                        Probe& probe) {                                                         \
    return PartitionTile(plan, task.sequence, task.head, task.partition, scratch, probe);       \
  }                                                                                             \
  void DecodeReduce##Name(const DecodePlan& plan, const DecodePlan::Task& task, Probe& probe) { \
    ReduceHead(plan, task.sequence, task.head, probe);                                          \
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

#define ATTN_DECODE_DISPATCH(Name, Probe)                                                  \
  HWY_EXPORT(DecodeHead##Name);                                                            \
  HWY_EXPORT(DecodePart##Name);                                                            \
  HWY_EXPORT(DecodeReduce##Name);                                                          \
  bool decode_head(const DecodePlan& plan, const DecodePlan::Task& task, float* scratch,   \
                   Probe& probe) {                                                         \
    return HWY_DYNAMIC_DISPATCH(DecodeHead##Name)(plan, task, scratch, probe);             \
  }                                                                                        \
  bool decode_part(const DecodePlan& plan, const DecodePlan::Task& task, float* scratch,   \
                   Probe& probe) {                                                         \
    return HWY_DYNAMIC_DISPATCH(DecodePart##Name)(plan, task, scratch, probe);             \
  }                                                                                        \
  void decode_reduce(const DecodePlan& plan, const DecodePlan::Task& task, Probe& probe) { \
    HWY_DYNAMIC_DISPATCH(DecodeReduce##Name)(plan, task, probe);                           \
  }
ATTN_DECODE_DISPATCH(Null, NullProbe)
ATTN_DECODE_DISPATCH(Trace, TraceProbe)
ATTN_DECODE_DISPATCH(Step, StepProbe)
#undef ATTN_DECODE_DISPATCH

DecodePlan plan_decode(const DecodeArgs& args, KernelId kernel, Workspace& workspace,
                       const Execution& execution) {
  DecodePlan plan;
  plan.args = &args;
  plan.kernel = kernel;
  plan.width = (args.head_size + 15) / 16 * 16;
  int64_t partials = 0;
  for (int64_t s = 0; s < static_cast<int64_t>(args.sequences.size()); ++s) {
    plan.first_partial.push_back(partials);
    partials += args.num_heads * plan.partitions(s);
  }
  plan.partials =
      workspace.shared(static_cast<size_t>(partials * (DecodePlan::kPartialHeader + plan.width)));
  workspace.reserve_workers(
      execution.pool->num_workers(),
      static_cast<size_t>(plan.width + kKvTile + kKvTile * args.head_size + kKvTile * plan.width));
  return plan;
}

// Runs fn(task, worker, probe) over the plan's tasks as one kernel. False when cancelled.
template <class Fn>
bool run_tasks(const DecodePlan& plan, KernelId kernel, const Execution& execution, Fn&& fn) {
  return run_tiles(kernel, static_cast<int64_t>(plan.tasks.size()),
                   static_cast<int64_t>(plan.args->sequences.size()), execution,
                   [&](int64_t task, int worker, auto& probe) {
                     return fn(plan.tasks[static_cast<size_t>(task)], worker, probe);
                   });
}

// Tasks (sequence, head), partition 0.
void plan_heads(DecodePlan& plan) {
  plan.tasks.clear();
  for (int64_t s = 0; s < static_cast<int64_t>(plan.args->sequences.size()); ++s)
    for (int64_t head = 0; head < plan.args->num_heads; ++head) plan.tasks.push_back({s, head, 0});
}

}  // namespace

bool use_paged_decode_v1(int64_t max_seq_len, int64_t num_seqs, int64_t num_heads) {
  const int64_t partitions = (max_seq_len + kPartition - 1) / kPartition;
  return max_seq_len <= 8192 && (partitions <= 1 || num_seqs * num_heads > 512);
}

bool paged_decode_v1(const DecodeArgs& args, Workspace& workspace, const Execution& execution) {
  DecodePlan plan = plan_decode(args, KernelId::kPagedDecodeV1, workspace, execution);
  plan_heads(plan);
  return run_tasks(plan, plan.kernel, execution,
                   [&](const DecodePlan::Task& task, int worker, auto& probe) {
                     return decode_head(plan, task, workspace.worker(worker), probe);
                   });
}

bool paged_decode_v2(const DecodeArgs& args, Workspace& workspace, const Execution& execution) {
  DecodePlan plan = plan_decode(args, KernelId::kPagedDecodeV2, workspace, execution);
  for (int64_t s = 0; s < static_cast<int64_t>(args.sequences.size()); ++s)
    for (int64_t head = 0; head < args.num_heads; ++head)
      for (int64_t p = 0; p < plan.partitions(s); ++p) plan.tasks.push_back({s, head, p});
  const bool computed = run_tasks(plan, plan.kernel, execution,
                                  [&](const DecodePlan::Task& task, int worker, auto& probe) {
                                    return decode_part(plan, task, workspace.worker(worker), probe);
                                  });
  if (!computed) return false;
  plan_heads(plan);
  return run_tasks(plan, KernelId::kPagedReduce, execution,
                   [&](const DecodePlan::Task& task, int, auto& probe) {
                     decode_reduce(plan, task, probe);
                     return true;
                   });
}

}  // namespace attn
#endif  // HWY_ONCE
