// SPDX-License-Identifier: GPL-3.0-or-later
// RunGate: where a run waits. checkpoint() is called between units of work; it returns at once or
// waits, as the commands say (run, pause, step, pace, cancel). Commands: any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace attn {

// Units of work, from fine to coarse.
enum class Granularity : int { kTile = 0, kKernel = 1, kLayer = 2, kStep = 3 };

class RunGate {
 public:
  enum class State { kRunning, kStepping, kPaused, kCancelled };

  // --- commands, any thread ---
  void run();
  void pause();
  void step(Granularity unit);
  // The most attention tiles per second, by all workers together; 0 = full speed. The least pace
  // above 0 is 0.001.
  void set_pace(double tiles_per_second);
  // Checkpoints return false from now on, until reset().
  void cancel();
  void reset(State state = State::kRunning);

  State state() const { return state_.load(std::memory_order_acquire); }
  double pace() const;
  // The number of threads that are in a wait here now, also one that is about to pass.
  int held() const { return held_.load(std::memory_order_acquire); }

  // --- the run, any worker ---
  // Returns true when the run may do its next `unit`; false: cancelled, stop working.
  bool checkpoint(Granularity unit) {
    if (open_.load(std::memory_order_acquire)) [[likely]]
      return true;
    return wait(unit);
  }
  // Whether every checkpoint passes at once.
  bool open() const { return open_.load(std::memory_order_acquire); }
  // Waits while the run is paused, but does not count as a unit of a step: for the tasks of a
  // kernel that has no tiles. False: cancelled.
  bool wait_while_paused() {
    const State now = state();
    if (now == State::kRunning || now == State::kStepping) [[likely]]
      return true;
    return hold();
  }
  bool cancelled() const { return state() == State::kCancelled; }

  enum class Passed { kYes, kInterrupted, kCancelled };
  // As checkpoint(), but in a paused run interrupt(true) ends the wait without passing. Until
  // interrupt(false) it does not wait in a paused run.
  Passed checkpoint_or_interrupt(Granularity unit);
  void interrupt(bool wanted);
  // Whether work has been held here since reset(). A run that was reset to paused begins with run()
  // or with the first unit that passes; waiting before that does not count.
  bool has_waited() const { return has_waited_.load(std::memory_order_acquire); }

 private:
  bool wait(Granularity unit) { return wait(unit, false) == Passed::kYes; }
  Passed wait(Granularity unit, bool interruptible);
  bool hold();
  void update_open();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<State> state_{State::kRunning};
  std::atomic<bool> open_{true};  // running at full speed: checkpoint() does not wait
  std::atomic<int> held_{0};
  std::atomic<bool> has_waited_{false};
  bool interrupted_ = false;
  Granularity step_unit_ = Granularity::kTile;
  bool begun_ = true;        // false after reset(kPaused), until run() or a wait() that passes
  bool step_begun_ = false;  // the step has passed a unit that is not coarser than its own
  double pace_ = 0;
  std::chrono::steady_clock::time_point next_tile_{};
};

}  // namespace attn
