// SPDX-License-Identifier: GPL-3.0-or-later
// The run's clock. Real: steady time since it was made, without the time that lanes waited at the
// gate or the run stood still. Virtual: spans cost a modelled time, and nothing is measured.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

namespace attn {

enum class ClockKind { kReal, kVirtual };

class RunClock {
 public:
  RunClock(ClockKind kind, int num_lanes);

  ClockKind kind() const { return kind_; }
  bool is_virtual() const { return kind_ == ClockKind::kVirtual; }

  // Time on `lane`'s clock, ns. Called by the thread that owns the lane.
  uint64_t now_ns(int lane) const {
    const Lane& at = lanes_[static_cast<size_t>(lane)];
    return is_virtual() ? at.virtual_ns : real_ns() - at.waited_ns;
  }
  // Notes that the lane's last event ended at `end_ns`. Called by the thread that owns the lane.
  void mark(int lane, uint64_t end_ns) { lanes_[static_cast<size_t>(lane)].last_ns = end_ns; }
  // The lane waited for `waited_ns`, at the gate or because the run stood still. Real clock: does
  // not count it. Virtual: no effect. Called by the thread that owns the lane.
  void leave_out(int lane, uint64_t waited_ns) {
    lanes_[static_cast<size_t>(lane)].waited_ns += waited_ns;
    someone_waited_.store(true, std::memory_order_relaxed);
  }
  // Adds `cost_ns` of modelled work to the lane's time. Does nothing on the real clock.
  void spend(int lane, uint64_t cost_ns) {
    if (is_virtual()) lanes_[static_cast<size_t>(lane)].virtual_ns += cost_ns;
  }
  // The lane waited for work of another lane that ended at `ns`. Does nothing on the real clock.
  void wait_until(int lane, uint64_t ns) {
    if (!is_virtual()) return;
    uint64_t& now = lanes_[static_cast<size_t>(lane)].virtual_ns;
    if (now < ns) now = ns;
  }
  // On the virtual clock all lanes move to the latest of them; on the real clock all lanes get the
  // waiting time of the engine's lane. Engine thread, workers idle.
  void join_lanes();
  // Call when a kernel that began at `begin_ns` has ended. Joins the lanes as join_lanes() does. On
  // the real clock, if lanes waited meanwhile, the kernel ends with its last event. Engine thread,
  // workers idle.
  void end_kernel(uint64_t begin_ns);

 private:
  uint64_t real_ns() const {
    return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                     std::chrono::steady_clock::now() - start_)
                                     .count());
  }
  struct alignas(64) Lane {
    uint64_t virtual_ns = 0;
    uint64_t waited_ns = 0;
    uint64_t last_ns = 0;
  };
  ClockKind kind_;
  std::chrono::steady_clock::time_point start_;
  std::vector<Lane> lanes_;
  std::atomic<bool> someone_waited_{false};
};

}  // namespace attn
