// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/recorder.h"

#include <algorithm>

namespace attn {

Recorder::Recorder(int num_workers, uint32_t ring_capacity) {
  for (int lane = 0; lane < 1 + num_workers; ++lane)
    rings_.push_back(std::make_unique<TraceRing>(ring_capacity));
}

uint64_t Recorder::drain() {
  std::lock_guard lock(mutex_);
  uint64_t moved = 0;
  for (auto& ring : rings_) {
    moved += ring->drain([this](const TraceEvent& event) {
      if (size_ % kChunk == 0) chunks_.emplace_back().reserve(kChunk);
      chunks_.back().push_back(event);
      ++size_;
    });
  }
  return moved;
}

uint64_t Recorder::size() const {
  std::lock_guard lock(mutex_);
  return size_;
}

uint64_t Recorder::read(uint64_t from, std::vector<TraceEvent>& out, uint64_t most) const {
  std::lock_guard lock(mutex_);
  const uint64_t to = from < size_ ? from + std::min(most, size_ - from) : from;
  while (from < to) {
    const std::vector<TraceEvent>& chunk = chunks_[from / kChunk];
    const uint64_t first = from % kChunk,
                   count = std::min<uint64_t>(to - from, chunk.size() - first);
    const auto begin = chunk.begin() + static_cast<std::ptrdiff_t>(first);
    out.insert(out.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
    from += count;
  }
  return from;
}

std::vector<TraceEvent> Recorder::sorted() const {
  std::vector<TraceEvent> events;
  read(0, events);
  std::stable_sort(events.begin(), events.end(), [](const TraceEvent& x, const TraceEvent& y) {
    return x.begin_ns != y.begin_ns ? x.begin_ns < y.begin_ns : x.lane < y.lane;
  });
  return events;
}

TraceCounts Recorder::counts() const {
  TraceCounts counts;
  for (const auto& ring : rings_) {
    counts.pushed += ring->pushed();
    counts.dropped += ring->dropped();
  }
  counts.recorded = size();
  return counts;
}

void Recorder::clear() {
  drain();
  std::lock_guard lock(mutex_);
  chunks_.clear();
  messages_.clear();
  size_ = 0;
}

uint32_t Recorder::add_message(std::string text) {
  std::lock_guard lock(mutex_);
  messages_.push_back(std::move(text));
  return static_cast<uint32_t>(messages_.size() - 1);
}

std::vector<std::string> Recorder::messages() const {
  std::lock_guard lock(mutex_);
  return messages_;
}

}  // namespace attn
