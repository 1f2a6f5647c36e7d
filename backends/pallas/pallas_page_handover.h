// SPDX-License-Identifier: GPL-3.0-or-later
// Passes the two page buffers of a core between the worker that copies pages into them and the
// worker that computes on them. Compute block i uses buffer i % 2.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace attn::backends::pallas {

// One object per core and call. On the virtual clock a wait moves the worker's time on to the end
// of what it waited for, if that is later.
class PageHandover {
 public:
  // Called by the copying worker: waits until the buffer of block i is free. False only after
  // stop().
  template <class Probe>
  bool wait_until_free(size_t i, Probe& probe) {
    if (i < 2) return true;
    if (!wait_for(computed_, i - 1)) return false;
    probe.wait_until(computed_ns_[i % 2]);
    return true;
  }
  // Called by the copying worker when it has copied block i into its buffer.
  template <class Probe>
  void copied(size_t i, Probe& probe) {
    copied_ns_[i % 2] = probe.now_ns();
    publish(copied_, i + 1);
  }
  // Called by the computing worker: waits until block i is in its buffer.
  template <class Probe>
  void wait_until_copied(size_t i, Probe& probe) {
    wait_for(copied_, i + 1);
    probe.wait_until(copied_ns_[i % 2]);
  }
  // Called by the computing worker when block i is computed: its buffer may be overwritten.
  template <class Probe>
  void computed(size_t i, Probe& probe) {
    computed_ns_[i % 2] = probe.now_ns();
    publish(computed_, i + 1);
  }
  // Called by the computing worker when it is cancelled and computes no further block.
  void stop() { publish(computed_, kStopped); }

 private:
  static constexpr size_t kStopped = std::numeric_limits<size_t>::max();

  static bool wait_for(const std::atomic<size_t>& count, size_t wanted) {
    size_t now = count.load(std::memory_order_acquire);
    for (; now < wanted; now = count.load(std::memory_order_acquire))
      count.wait(now, std::memory_order_acquire);
    return now != kStopped;
  }
  static void publish(std::atomic<size_t>& count, size_t value) {
    count.store(value, std::memory_order_release);
    count.notify_one();
  }

  std::atomic<size_t> copied_{0}, computed_{0};  // numbers of blocks; stop(): computed_ = kStopped
  uint64_t copied_ns_[2] = {}, computed_ns_[2] = {};
};

}  // namespace attn::backends::pallas
