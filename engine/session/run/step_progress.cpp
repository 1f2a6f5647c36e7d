// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/run/step_progress.h"

namespace attn {

void StepProgress::clear() {
  std::lock_guard lock(mutex_);
  state_ = {};
  rows_done_.store(0, std::memory_order_relaxed);
}

void StepProgress::begin_step(uint32_t step, int64_t num_layers) {
  std::lock_guard lock(mutex_);
  state_ = {};
  state_.step = step;
  state_.in_step = true;
  state_.begin = std::chrono::steady_clock::now();
  state_.num_layers = num_layers;
  rows_done_.store(0, std::memory_order_relaxed);
}

void StepProgress::enter(Stage stage, int layer) {
  std::lock_guard lock(mutex_);
  state_.stage = stage;
  state_.layer = layer;
}

void StepProgress::begin_attention(int layer, int64_t rows) {
  std::lock_guard lock(mutex_);
  state_.stage = Stage::kAttention;
  state_.layer = layer;
  state_.rows = rows;
  rows_done_.store(0, std::memory_order_relaxed);
}

void StepProgress::end_step() {
  std::lock_guard lock(mutex_);
  state_.in_step = false;
}

StepProgress::State StepProgress::now() const {
  std::lock_guard lock(mutex_);
  State state = state_;
  state.rows_done = rows_done_.load(std::memory_order_relaxed);
  return state;
}

}  // namespace attn
