// SPDX-License-Identifier: GPL-3.0-or-later
// TraceRing: single producer (one lane), single consumer (the Recorder), bounded. A full ring drops
// a new event and counts it. Neither side waits.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "engine/trace/event.h"

namespace attn {

class TraceRing {
 public:
  explicit TraceRing(uint32_t capacity = 1u << 16);  // rounded up to a power of two

  // Producer thread of this lane only.
  bool push(const TraceEvent& event) {
    const uint64_t head = head_.load(std::memory_order_relaxed);
    pushed_.store(pushed_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    if (head - cached_tail_ > mask_) {
      cached_tail_ = tail_.load(std::memory_order_acquire);
      if (head - cached_tail_ > mask_) {
        dropped_.store(dropped_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        return false;
      }
    }
    slots_[head & mask_] = event;
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

  // Producer only: whether the next push would be dropped.
  bool full() {
    const uint64_t head = head_.load(std::memory_order_relaxed);
    if (head - cached_tail_ <= mask_) return false;
    cached_tail_ = tail_.load(std::memory_order_acquire);
    return head - cached_tail_ > mask_;
  }

  // Consumer only: takes out all events, calls fn(event) for each and returns how many there were.
  template <class Fn>
  uint64_t drain(Fn&& fn) {
    uint64_t tail = tail_.load(std::memory_order_relaxed);
    const uint64_t head = head_.load(std::memory_order_acquire);
    const uint64_t count = head - tail;
    for (; tail != head; ++tail) fn(slots_[tail & mask_]);
    tail_.store(tail, std::memory_order_release);
    return count;
  }

  uint64_t pushed() const { return pushed_.load(std::memory_order_relaxed); }    // any thread
  uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }  // any thread

 private:
  std::unique_ptr<TraceEvent[]> slots_;
  uint64_t mask_;
  alignas(64) std::atomic<uint64_t> head_{0};
  uint64_t cached_tail_ = 0;
  std::atomic<uint64_t> pushed_{0}, dropped_{0};
  alignas(64) std::atomic<uint64_t> tail_{0};
};

}  // namespace attn
