// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/pallas/pallas_paged_decode.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "backends/pallas/pallas_page_handover.h"
#include "backends/pallas/pallas_plan.h"
#include "engine/kernels/tiles/run_tiles.h"
#include "engine/trace/probe.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/pallas/pallas_paged_decode.cpp"
#include "hwy/foreach_target.h"  // must precede hwy/highway.h

#include "hwy/highway.h"

#include "backends/pallas/pallas_pages-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attn::backends::pallas {
namespace HWY_NAMESPACE {
using namespace attn::HWY_NAMESPACE;  // the tiles of engine/kernels

const PagedSequence& PallasSequenceOf(const DecodeCallPlan& plan, const ComputeBlock& block) {
  return plan.args->sequences[static_cast<size_t>(plan.first_sequence + block.sequence)];
}

template <class Probe>
void PallasDecodeFetch(const DecodeCallPlan& plan, const std::vector<ComputeBlock>& blocks,
                       size_t i, const PagedScratch& scratch, Probe& probe) {
  FetchPages(*plan.args, PallasSequenceOf(plan, blocks[i]), blocks[i], KernelId::kPallasPagedDecode,
             scratch, static_cast<int>(i % 2), probe);
}

// Computes all blocks of one core, in order. pages: not null if another worker copies the pages; if
// null, this worker does. False when the gate cancelled it.
template <class Probe>
bool PallasDecodeCoreOf(const DecodeCallPlan& plan, int core, float* memory, PageHandover* pages,
                        Probe& probe) {
  const PagedArgs& args = *plan.args;
  const std::vector<ComputeBlock>& blocks = plan.cores[static_cast<size_t>(core)];
  const PagedScratch scratch = MakePagedScratch(args, plan.block_tokens, 1, memory);
  PallasRows states[256];
  if (!pages && !blocks.empty()) PallasDecodeFetch(plan, blocks, 0, scratch, probe);
  for (size_t i = 0; i < blocks.size(); ++i) {
    const ComputeBlock& block = blocks[i];
    const PagedSequence& sequence = PallasSequenceOf(plan, block);
    if (pages)
      pages->wait_until_copied(i, probe);
    else if (i + 1 < blocks.size())
      PallasDecodeFetch(plan, blocks, i + 1, scratch, probe);
    if (block.first) LoadGroup(args, sequence, block.kv_head, 0, 1, 1, scratch, states);
    const KeyRange visible{0, sequence.seq_len};
    const TileEvent event{sequence.request,
                          static_cast<uint32_t>(sequence.seq_len - 1),
                          0,
                          1,
                          0,
                          0,
                          KernelId::kPallasPagedDecode};
    if (!ComputeOnPages(args, sequence, block, scratch, static_cast<int>(i % 2), &visible,
                        sequence.seq_len - 1, states, event, probe)) {
      if (pages) pages->stop();
      return false;
    }
    if (pages) pages->computed(i, probe);
    if (block.last) FinishGroup(args, sequence, block.kv_head, 0, 1, states, event, probe);
  }
  return true;
}

// Copies the pages of the blocks of one core, each when its buffer is free; stop() ends it early.
template <class Probe>
void PallasDecodePagesOf(const DecodeCallPlan& plan, int core, float* memory, PageHandover& pages,
                         Probe& probe) {
  const std::vector<ComputeBlock>& blocks = plan.cores[static_cast<size_t>(core)];
  const PagedScratch scratch = MakePagedScratch(*plan.args, plan.block_tokens, 1, memory);
  for (size_t i = 0; i < blocks.size() && pages.wait_until_free(i, probe); ++i) {
    PallasDecodeFetch(plan, blocks, i, scratch, probe);
    pages.copied(i, probe);
  }
}

template <class Probe>
bool PallasDecodeTaskOf(const DecodeCallPlan& plan, const DecodeTask& task, Probe& probe) {
  if (!task.copies) return PallasDecodeCoreOf(plan, task.core, task.memory, task.pages, probe);
  PallasDecodePagesOf(plan, task.core, task.memory, *task.pages, probe);
  return true;
}

bool PallasDecodeNull(const DecodeCallPlan& plan, const DecodeTask& task, NullProbe& probe) {
  return PallasDecodeTaskOf(plan, task, probe);
}
bool PallasDecodeTrace(const DecodeCallPlan& plan, const DecodeTask& task, TraceProbe& probe) {
  return PallasDecodeTaskOf(plan, task, probe);
}
bool PallasDecodeStep(const DecodeCallPlan& plan, const DecodeTask& task, StepProbe& probe) {
  return PallasDecodeTaskOf(plan, task, probe);
}

// Writes the row of a sequence without keys, for all heads: output +0, log-sum-exp -inf.
void PallasDecodeEmpty(const PagedArgs& args, const PagedSequence& sequence) {
  const std::vector<float> zeros(static_cast<size_t>(args.head_size), 0.0f);
  for (int64_t head = 0; head < args.num_heads; ++head) {
    const int64_t at = sequence.row_begin * args.num_heads + head;
    args.lse[at] = FinishRow(kNegInf, 0.0f, kNegInf, 1.0f, zeros.data(), args.head_size, *args.out,
                             at * args.head_size);
  }
}

size_t PallasDecodeScratch(const DecodeCallPlan& plan) {
  return PagedScratchFloats(*plan.args, plan.block_tokens, 1);
}

}  // namespace HWY_NAMESPACE
}  // namespace attn::backends::pallas
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attn::backends::pallas {
namespace {

HWY_EXPORT(PallasDecodeNull);
HWY_EXPORT(PallasDecodeTrace);
HWY_EXPORT(PallasDecodeStep);
HWY_EXPORT(PallasDecodeEmpty);
HWY_EXPORT(PallasDecodeScratch);

bool run_task(const DecodeCallPlan& plan, const DecodeTask& task, NullProbe& probe) {
  return HWY_DYNAMIC_DISPATCH(PallasDecodeNull)(plan, task, probe);
}
bool run_task(const DecodeCallPlan& plan, const DecodeTask& task, TraceProbe& probe) {
  return HWY_DYNAMIC_DISPATCH(PallasDecodeTrace)(plan, task, probe);
}
bool run_task(const DecodeCallPlan& plan, const DecodeTask& task, StepProbe& probe) {
  return HWY_DYNAMIC_DISPATCH(PallasDecodeStep)(plan, task, probe);
}

// One task per core computes. With DecodeWorkers::copiers a second task per core copies its pages.
// Static order gives the two tasks of a core to different workers.
bool run_cores(const DecodeCallPlan& plan, int64_t tokens, Workspace& workspace,
               const Execution& execution) {
  const auto cores = static_cast<int64_t>(plan.cores.size());
  const PagedArgs& args = *plan.args;
  int64_t keys = 0;
  for (int64_t s = 0; s < tokens; ++s)
    keys += args.sequences[static_cast<size_t>(plan.first_sequence + s)].seq_len;
  const DecodeWorkers shared = decode_workers(cores, keys, args.num_heads, args.head_size,
                                              execution.pool->num_workers(), execution.order());
  PageHandover handovers[2];
  KernelSpan span(execution, KernelId::kPallasPagedDecode, cores, tokens);
  if (span.cancelled()) return false;
  std::atomic<bool> cancelled{false};
  with_probe(execution, [&]<class Probe>() {
    execution.pool->parallel_for(
        shared.copiers ? 2 * cores : cores, shared.alone ? TaskOrder::kDynamic : TaskOrder::kStatic,
        shared.alone ? 0 : ThreadPool::kMuchWork, [&](int64_t index, int worker) {
          Probe probe(execution, worker);
          DecodeTask task;
          task.copies = index >= cores;
          task.core = static_cast<int>(index % cores);
          task.memory = workspace.worker(shared.copiers ? task.core : worker);
          task.pages = shared.copiers ? &handovers[task.core] : nullptr;
          if (!run_task(plan, task, probe)) cancelled.store(true, std::memory_order_relaxed);
        });
  });
  return !cancelled.load(std::memory_order_relaxed);
}

}  // namespace

DecodeWorkers decode_workers(int64_t cores, int64_t keys, int64_t num_heads, int64_t head_size,
                             int workers, TaskOrder order) {
  DecodeWorkers shared;
  shared.work_ns = work_of_pairs(cores, static_cast<double>(keys * num_heads), head_size);
  shared.alone = order == TaskOrder::kDynamic && shared.work_ns < ThreadPool::kWakeNs;
  shared.copiers = !shared.alone && workers >= 2 * cores;
  return shared;
}

bool paged_decode(const PagedArgs& args, CallRange range, Megacore mode, Workspace& workspace,
                  const Execution& execution) {
  DecodeCallPlan plan;
  plan.args = &args;
  plan.first_sequence = range.first;
  plan.block_tokens = pages_per_compute_block(args.block_size) * args.block_size;
  std::vector<int64_t> seq_lens;
  for (int64_t s = range.first; s < range.first + range.count; ++s) {
    const PagedSequence& sequence = args.sequences[static_cast<size_t>(s)];
    seq_lens.push_back(sequence.seq_len);
    if (sequence.seq_len == 0) HWY_DYNAMIC_DISPATCH(PallasDecodeEmpty)(args, sequence);
  }
  for (int core = 0; core < num_cores(mode); ++core)
    plan.cores.push_back(decode_blocks(seq_lens, args.num_kv_heads, args.block_size, mode, core));
  workspace.reserve_workers(execution.pool->num_workers(),
                            HWY_DYNAMIC_DISPATCH(PallasDecodeScratch)(plan));
  return run_cores(plan, range.count, workspace, execution);
}

}  // namespace attn::backends::pallas
#endif  // HWY_ONCE
