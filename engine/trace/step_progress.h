// SPDX-License-Identifier: GPL-3.0-or-later
// StepProgress: how far the engine is in its present step: the layer, the kernel, and how many of
// the kernel's parts are done. The engine thread says where it is, workers count the parts, any
// thread reads. A part is a task of a kernel, in the reference backend a row of a head. The loops
// inside a part do not know of it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>

#include "engine/trace/event.h"

namespace attn {

class StepProgress {
 public:
  struct State {
    uint32_t step = 0;     // 0: none has begun
    bool in_step = false;  // the step has neither ended nor been left by finish()
    std::chrono::steady_clock::time_point begin{};  // of the step
    int64_t num_layers = 0;
    int layer = -1;                  // of the kernel; -1: the kernel belongs to no layer
    std::optional<KernelId> kernel;  // that began last; none: the step is being planned
    int64_t parts = 0, done = 0;     // of the kernel
  };

  // --- engine thread ---
  void clear();  // a new run: no step has begun
  void begin_step(uint32_t step, int64_t num_layers);
  void begin_kernel(KernelId kernel, int layer, int64_t parts);
  // The step has ended. A step that the gate cancels does not call it, so that the place where it
  // was stopped can be read afterwards.
  void finish();
  // --- workers, between begin_kernel() and the end of the kernel ---
  void part_done() { done_.fetch_add(1, std::memory_order_relaxed); }
  // --- any thread ---
  State now() const;

 private:
  mutable std::mutex mutex_;
  State state_;  // all but `done`
  std::atomic<int64_t> done_{0};
};

}  // namespace attn
