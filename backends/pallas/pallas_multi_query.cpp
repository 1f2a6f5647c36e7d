// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/pallas/pallas_multi_query.h"

#include <algorithm>
#include <vector>

#include "backends/pallas/pallas_plan.h"
#include "engine/kernels/tiles/run_tiles.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/pallas/pallas_multi_query.cpp"
#include "hwy/foreach_target.h"  // must precede hwy/highway.h

#include "hwy/highway.h"

#include "backends/pallas/pallas_pages-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attn::backends::pallas {
namespace HWY_NAMESPACE {
using namespace attn::HWY_NAMESPACE;  // the tiles of engine/kernels

// Computes all compute blocks that one q block of one KV head sees. False when the gate cancelled
// it.
template <class Probe>
bool PallasMultiQueryTask(const MultiQueryPlan& plan, const MultiQueryPlan::Task& task,
                          float* memory, Probe& probe) {
  const PagedArgs& args = *plan.args;
  const PagedSequence& sequence = args.sequences[static_cast<size_t>(task.sequence)];
  const PagedScratch scratch = MakePagedScratch(args, plan.block_tokens, plan.rows, memory);
  const int64_t real = std::clamp<int64_t>(sequence.query_len - task.row, 0, plan.rows);
  const int64_t context_len = sequence.seq_len - sequence.query_len;
  const int64_t first = context_len + task.row, last = first + plan.rows - 1;
  PallasRows states[256];
  KeyRange visible[kQueriesPerComputeBlock];
  LoadGroup(args, sequence, task.kv_head, task.row, plan.rows, real, scratch, states);
  for (int64_t r = 0; r < plan.rows; ++r)
    visible[r] = {0, std::min(sequence.seq_len, first + r + 1)};

  const auto block_at = [&](int64_t i) {
    ComputeBlock block;
    block.kv_head = task.kv_head;
    block.first_token = i * plan.block_tokens;
    block.tokens = std::min(plan.block_tokens, sequence.seq_len - block.first_token);
    block.first_page = block.first_token / args.block_size;
    block.pages = (block.tokens + args.block_size - 1) / args.block_size;
    return block;
  };
  const auto runs = [&](int64_t i) {
    const int64_t begin = i * plan.block_tokens;
    return begin < sequence.seq_len &&
           below_or_on_diagonal(task.row + plan.rows - 1, context_len, begin);
  };
  const TileEvent event{sequence.request,
                        static_cast<uint32_t>(first),
                        0,
                        static_cast<uint32_t>(real),
                        0,
                        0,
                        KernelId::kPallasMultiQuery};
  const auto fetch = [&](int64_t i) {
    FetchPages(args, sequence, block_at(i), event.kernel, scratch, static_cast<int>(i % 2), probe);
  };
  fetch(0);
  for (int64_t i = 0; runs(i); ++i) {
    if (runs(i + 1)) fetch(i + 1);
    if (!ComputeOnPages(args, sequence, block_at(i), scratch, static_cast<int>(i % 2), visible,
                        last, states, event, probe))
      return false;
  }
  FinishGroup(args, sequence, task.kv_head, task.row, real, states, event, probe);
  return true;
}

bool PallasMultiQueryNull(const MultiQueryPlan& plan, const MultiQueryPlan::Task& task,
                          float* memory, NullProbe& probe) {
  return PallasMultiQueryTask(plan, task, memory, probe);
}
bool PallasMultiQueryTrace(const MultiQueryPlan& plan, const MultiQueryPlan::Task& task,
                           float* memory, TraceProbe& probe) {
  return PallasMultiQueryTask(plan, task, memory, probe);
}
bool PallasMultiQueryStep(const MultiQueryPlan& plan, const MultiQueryPlan::Task& task,
                          float* memory, StepProbe& probe) {
  return PallasMultiQueryTask(plan, task, memory, probe);
}

size_t PallasMultiQueryScratch(const MultiQueryPlan& plan) {
  return PagedScratchFloats(*plan.args, plan.block_tokens, plan.rows);
}

}  // namespace HWY_NAMESPACE
}  // namespace attn::backends::pallas
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attn::backends::pallas {
namespace {

HWY_EXPORT(PallasMultiQueryNull);
HWY_EXPORT(PallasMultiQueryTrace);
HWY_EXPORT(PallasMultiQueryStep);
HWY_EXPORT(PallasMultiQueryScratch);

bool run_task(const MultiQueryPlan& plan, const MultiQueryPlan::Task& task, float* memory,
              NullProbe& probe) {
  return HWY_DYNAMIC_DISPATCH(PallasMultiQueryNull)(plan, task, memory, probe);
}
bool run_task(const MultiQueryPlan& plan, const MultiQueryPlan::Task& task, float* memory,
              TraceProbe& probe) {
  return HWY_DYNAMIC_DISPATCH(PallasMultiQueryTrace)(plan, task, memory, probe);
}
bool run_task(const MultiQueryPlan& plan, const MultiQueryPlan::Task& task, float* memory,
              StepProbe& probe) {
  return HWY_DYNAMIC_DISPATCH(PallasMultiQueryStep)(plan, task, memory, probe);
}

}  // namespace

bool multi_query_paged(const PagedArgs& args, Workspace& workspace, const Execution& execution) {
  MultiQueryPlan plan;
  plan.args = &args;
  plan.block_tokens = pages_per_compute_block(args.block_size) * args.block_size;
  // With query_tile_rows, tasks have at most that many rows and are ordered by sequence, then row.
  const bool in_order = execution.query_tile_rows > 0;
  if (in_order) plan.rows = std::min(execution.query_tile_rows, kQueriesPerComputeBlock);
  int64_t tokens = 0, pairs = 0;
  for (int64_t s = 0; s < static_cast<int64_t>(args.sequences.size()); ++s) {
    const int64_t padded = padded_prefill_length(args.sequences[static_cast<size_t>(s)].query_len);
    tokens += padded;
    pairs += padded * args.sequences[static_cast<size_t>(s)].seq_len * args.num_heads;
    for (int64_t head = 0; head < args.num_kv_heads; ++head)
      for (int64_t row = 0; row < padded; row += plan.rows) plan.tasks.push_back({s, head, row});
  }
  if (in_order)
    std::stable_sort(plan.tasks.begin(), plan.tasks.end(), [](const auto& x, const auto& y) {
      return x.sequence != y.sequence ? x.sequence < y.sequence : x.row < y.row;
    });
  workspace.reserve_workers(execution.pool->num_workers(),
                            HWY_DYNAMIC_DISPATCH(PallasMultiQueryScratch)(plan));
  const auto tasks = static_cast<int64_t>(plan.tasks.size());
  return run_tiles(KernelId::kPallasMultiQuery, tasks, tokens,
                   work_of_pairs(tasks, static_cast<double>(pairs), args.head_size), execution,
                   [&](int64_t task, int worker, auto& probe) {
                     return run_task(plan, plan.tasks[static_cast<size_t>(task)],
                                     workspace.worker(worker), probe);
                   });
}

}  // namespace attn::backends::pallas
#endif  // HWY_ONCE
