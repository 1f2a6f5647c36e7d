// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/pallas/pallas_paged_decode.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "backends/pallas/pallas_plan.h"
#include "engine/trace/probe.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/pallas/pallas_paged_decode.cpp"
#include "hwy/foreach_target.h"  // must come first: it includes this file once per target

#include "hwy/highway.h"

#include "backends/pallas/pallas_pages-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attn::backends::pallas {
namespace HWY_NAMESPACE {
using namespace attn::HWY_NAMESPACE;  // the tiles of engine/kernels

// Does all work of one core, in order. False when the gate cancelled it.
template <class Probe>
bool PallasDecodeCoreOf(const DecodeCallPlan& plan, int core, float* memory, Probe& probe) {
  const PagedArgs& args = *plan.args;
  const std::vector<ComputeBlock>& blocks = plan.cores[static_cast<size_t>(core)];
  const PagedScratch scratch = MakePagedScratch(args, plan.block_tokens, 1, memory);
  const auto sequence_of = [&](const ComputeBlock& block) -> const PagedSequence& {
    return args.sequences[static_cast<size_t>(plan.first_sequence + block.sequence)];
  };
  const auto fetch = [&](size_t i) {
    FetchPages(args, sequence_of(blocks[i]), blocks[i], KernelId::kPallasPagedDecode, scratch,
               static_cast<int>(i % 2), probe);
  };
  PallasRows states[256];
  if (!blocks.empty()) fetch(0);
  for (size_t i = 0; i < blocks.size(); ++i) {
    const ComputeBlock& block = blocks[i];
    const PagedSequence& sequence = sequence_of(block);
    if (i + 1 < blocks.size()) fetch(i + 1);
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
                        sequence.seq_len - 1, states, event, probe))
      return false;
    if (block.last) FinishGroup(args, sequence, block.kv_head, 0, 1, states, event, probe);
  }
  return true;
}

bool PallasDecodeNull(const DecodeCallPlan& plan, int core, float* memory, NullProbe& probe) {
  return PallasDecodeCoreOf(plan, core, memory, probe);
}
bool PallasDecodeTrace(const DecodeCallPlan& plan, int core, float* memory, TraceProbe& probe) {
  return PallasDecodeCoreOf(plan, core, memory, probe);
}
bool PallasDecodeStep(const DecodeCallPlan& plan, int core, float* memory, StepProbe& probe) {
  return PallasDecodeCoreOf(plan, core, memory, probe);
}

// Writes a padding row of a captured batch: output +0, log-sum-exp -inf.
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

bool run_core(const DecodeCallPlan& plan, int core, float* memory, NullProbe& probe) {
  return HWY_DYNAMIC_DISPATCH(PallasDecodeNull)(plan, core, memory, probe);
}
bool run_core(const DecodeCallPlan& plan, int core, float* memory, TraceProbe& probe) {
  return HWY_DYNAMIC_DISPATCH(PallasDecodeTrace)(plan, core, memory, probe);
}
bool run_core(const DecodeCallPlan& plan, int core, float* memory, StepProbe& probe) {
  return HWY_DYNAMIC_DISPATCH(PallasDecodeStep)(plan, core, memory, probe);
}

// Worker w stands for core w, or worker 0 for both: the order is static also on the real clock.
bool run_cores(const DecodeCallPlan& plan, int64_t tokens, Workspace& workspace,
               const Execution& execution) {
  const auto cores = static_cast<int64_t>(plan.cores.size());
  KernelSpan span(execution, KernelId::kPallasPagedDecode, cores, tokens);
  if (span.cancelled()) return false;
  std::atomic<bool> cancelled{false};
  with_probe(execution, [&]<class Probe>() {
    execution.pool->parallel_for(cores, TaskOrder::kStatic, [&](int64_t core, int worker) {
      Probe probe(execution, worker);
      if (!run_core(plan, static_cast<int>(core), workspace.worker(worker), probe))
        cancelled.store(true, std::memory_order_relaxed);
    });
  });
  return !cancelled.load(std::memory_order_relaxed);
}

}  // namespace

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
