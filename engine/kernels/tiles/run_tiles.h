// SPDX-License-Identifier: GPL-3.0-or-later
// The outer loop of the attention kernels: runs the tasks of a kernel on the pool, with the probe
// that the execution asks for. Engine thread.
#pragma once

#include <atomic>
#include <cstdint>

#include "engine/trace/probe.h"

namespace attn {

// The modelled work of a kernel that computes `pairs` (query, key) pairs of all heads, for
// ThreadPool::parallel_for(). q.k and p.v are two multiply-adds per element.
inline uint64_t work_of_pairs(int64_t tasks, double pairs, int64_t head_size) {
  if (tasks == 0) return 0;
  const double flops = 4.0 * pairs * static_cast<double>(head_size);
  return static_cast<uint64_t>(tasks) * modelled_ns(flops / static_cast<double>(tasks), 0);
}

// Runs fn(task, worker, probe) for task in [0, tasks) as one kernel. work_ns: as in parallel_for().
// fn returns false when the gate cancelled it; tasks that have not begun by then are left out.
// False when cancelled.
template <class Fn>
bool run_tiles(KernelId kernel, int64_t tasks, int64_t tokens, uint64_t work_ns,
               const Execution& execution, Fn&& fn) {
  KernelSpan span(execution, kernel, tasks, tokens);
  if (span.cancelled()) return false;
  std::atomic<bool> cancelled{false};
  with_probe(execution, [&]<class Probe>() {
    execution.pool->parallel_for(tasks, execution.order(), work_ns, [&](int64_t task, int worker) {
      if (cancelled.load(std::memory_order_relaxed)) return;
      Probe probe(execution, worker);
      if (!fn(task, worker, probe)) cancelled.store(true, std::memory_order_relaxed);
    });
  });
  return !cancelled.load(std::memory_order_relaxed);
}

}  // namespace attn
