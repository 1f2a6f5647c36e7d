// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/run_gate.h"

#include <algorithm>

namespace attn {

void RunGate::update_open() {
  open_.store(state_.load(std::memory_order_relaxed) == State::kRunning && pace_ <= 0,
              std::memory_order_release);
  changed_.notify_all();
}

void RunGate::run() {
  std::lock_guard lock(mutex_);
  if (cancelled()) return;
  state_.store(State::kRunning, std::memory_order_release);
  begun_ = true;  // an open gate never calls wait(), which would set this
  update_open();
}

void RunGate::pause() {
  std::lock_guard lock(mutex_);
  if (cancelled()) return;
  state_.store(State::kPaused, std::memory_order_release);
  update_open();
}

void RunGate::step(Granularity unit) {
  std::lock_guard lock(mutex_);
  if (cancelled()) return;
  step_unit_ = unit;
  step_begun_ = false;
  state_.store(State::kStepping, std::memory_order_release);
  update_open();
}

void RunGate::set_pace(double tiles_per_second) {
  std::lock_guard lock(mutex_);
  pace_ = tiles_per_second > 0 ? std::max(tiles_per_second, 1e-3) : 0;
  next_tile_ = std::chrono::steady_clock::now();
  update_open();
}

double RunGate::pace() const {
  std::lock_guard lock(mutex_);
  return pace_;
}

void RunGate::cancel() {
  std::lock_guard lock(mutex_);
  state_.store(State::kCancelled, std::memory_order_release);
  update_open();
}

void RunGate::reset(State state) {
  std::lock_guard lock(mutex_);
  state_.store(state, std::memory_order_release);
  next_tile_ = std::chrono::steady_clock::now();
  has_waited_.store(false, std::memory_order_release);
  begun_ = state != State::kPaused;
  update_open();
}

bool RunGate::hold() {
  std::unique_lock lock(mutex_);
  held_.fetch_add(1, std::memory_order_acq_rel);
  has_waited_.store(true, std::memory_order_release);
  changed_.wait(lock, [this] { return state_.load(std::memory_order_relaxed) != State::kPaused; });
  held_.fetch_sub(1, std::memory_order_acq_rel);
  return !cancelled();
}

RunGate::Passed RunGate::checkpoint_or_interrupt(Granularity unit) {
  return open() ? Passed::kYes : wait(unit, true);
}

void RunGate::interrupt(bool wanted) {
  std::lock_guard lock(mutex_);
  interrupted_ = wanted;
  changed_.notify_all();
}

RunGate::Passed RunGate::wait(Granularity unit, bool interruptible) {
  std::unique_lock lock(mutex_);
  held_.fetch_add(1, std::memory_order_acq_rel);
  bool passed = false;
  while (!passed) {
    switch (state_.load(std::memory_order_relaxed)) {
      case State::kCancelled:
        held_.fetch_sub(1, std::memory_order_acq_rel);
        return Passed::kCancelled;
      case State::kPaused:
        if (interruptible && interrupted_) {
          held_.fetch_sub(1, std::memory_order_acq_rel);
          return Passed::kInterrupted;
        }
        if (begun_) has_waited_.store(true, std::memory_order_release);
        changed_.wait(lock);
        break;
      case State::kStepping:
        // Passing a checkpoint of the step's unit or a finer one begins the step. The next
        // checkpoint of the step's unit or a coarser one ends it.
        if (unit >= step_unit_ && step_begun_) {
          state_.store(State::kPaused, std::memory_order_release);
          update_open();
        } else {
          if (unit <= step_unit_) step_begun_ = true;
          passed = true;
        }
        break;
      case State::kRunning: {
        if (unit != Granularity::kTile || pace_ <= 0) {
          passed = true;
          break;
        }
        const auto now = std::chrono::steady_clock::now();
        if (now >= next_tile_) {
          const auto interval = std::chrono::duration_cast<std::chrono::steady_clock::duration>(
              std::chrono::duration<double>(1.0 / pace_));
          // If a tile is late by more than the interval, the next one may pass at once; further
          // lost time is not made up.
          next_tile_ = std::max(next_tile_ + interval, now);
          passed = true;
        } else {
          has_waited_.store(true, std::memory_order_release);
          changed_.wait_until(lock, next_tile_);
        }
        break;
      }
    }
  }
  begun_ = true;
  held_.fetch_sub(1, std::memory_order_acq_rel);
  return Passed::kYes;
}

}  // namespace attn
