// SPDX-License-Identifier: GPL-3.0-or-later
// Recorder: owns one ring per lane, the list of all events drained from them, and the texts of
// warnings. Lanes push; drain() and the readers may be called from any thread. They share a lock,
// which push() takes only when the lane's ring is full.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/trace/event.h"
#include "engine/trace/ring.h"

namespace attn {

// pushed == recorded + dropped when all rings are drained and no lane pushes, until clear().
struct TraceCounts {
  uint64_t pushed = 0, recorded = 0, dropped = 0;
};

class Recorder {
 public:
  explicit Recorder(int num_workers, uint32_t ring_capacity = 1u << 17);

  int num_lanes() const { return static_cast<int>(rings_.size()); }  // 1 + workers
  TraceRing& ring(int lane) { return *rings_[static_cast<size_t>(lane)]; }

  // Adds an event to its lane's ring; a full ring is drained first. The lane's own thread only.
  void push(const TraceEvent& event) {
    TraceRing& ring = *rings_[event.lane];
    if (ring.full()) drain();
    ring.push(event);
  }
  // Moves all events from the rings into the record. Returns their number.
  uint64_t drain();
  uint64_t size() const;
  // Appends events [from, size()), at most `most` of them, to `out`, in order of draining. Returns
  // the new `from`. Within a lane, events are in order of their end, except that a request may have
  // arrived (kRequestQueued) before the events that were recorded before its arrival was noticed.
  uint64_t read(uint64_t from, std::vector<TraceEvent>& out, uint64_t most = ~uint64_t{0}) const;
  // All drained events, sorted by (begin_ns, lane, order of recording).
  std::vector<TraceEvent> sorted() const;
  TraceCounts counts() const;
  void clear();

  // Texts of kWarning events. Any thread.
  uint32_t add_message(std::string text);
  std::vector<std::string> messages() const;

 private:
  static constexpr size_t kChunk = 1u << 14;
  std::vector<std::unique_ptr<TraceRing>> rings_;
  mutable std::mutex mutex_;
  std::vector<std::vector<TraceEvent>> chunks_;
  uint64_t size_ = 0;
  std::vector<std::string> messages_;
};

}  // namespace attn
