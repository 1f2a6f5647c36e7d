// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/step_progress.h"

namespace attn {

void StepProgress::clear() {
  std::lock_guard lock(mutex_);
  state_ = {};
  done_.store(0, std::memory_order_relaxed);
}

void StepProgress::begin_step(uint32_t step, int64_t num_layers) {
  std::lock_guard lock(mutex_);
  state_ = {};
  state_.step = step;
  state_.in_step = true;
  state_.begin = std::chrono::steady_clock::now();
  state_.num_layers = num_layers;
  done_.store(0, std::memory_order_relaxed);
}

void StepProgress::begin_kernel(KernelId kernel, int layer, int64_t parts) {
  std::lock_guard lock(mutex_);
  state_.kernel = kernel;
  state_.layer = layer;
  state_.parts = parts;
  done_.store(0, std::memory_order_relaxed);
}

void StepProgress::finish() {
  std::lock_guard lock(mutex_);
  state_.in_step = false;
}

StepProgress::State StepProgress::now() const {
  std::lock_guard lock(mutex_);
  State state = state_;
  state.done = done_.load(std::memory_order_relaxed);
  return state;
}

}  // namespace attn
