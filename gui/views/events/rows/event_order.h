// SPDX-License-Identifier: GPL-3.0-or-later
// EventOrder: by which column the table is sorted, and in which direction. EventKeys: the numbers
// that are compared; the first that differs decides. Events with equal keys stay in order of
// recording. Any thread.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gui/models/event_words.h"
#include "gui/views/events/rows/step_times.h"

namespace attn::gui {

enum class EventColumn {
  kNumber,  // order of recording, from 1
  kTime,
  kDuration,
  kKind,
  kLane,
  kStep,
  kLayer,
  kRequest,
  kBlock,
  kDetails,
  kCount
};
inline constexpr int kEventColumns = static_cast<int>(EventColumn::kCount);

struct EventOrder {
  EventColumn column = EventColumn::kNumber;
  bool descending = false;
  bool operator==(const EventOrder&) const = default;
};

class EventKeys {
 public:
  static constexpr size_t kMostKeys = 5;  // the names of the facts, then up to four facts
  // `messages` are those of warnings.
  EventKeys(EventOrder order, const StepTimes& steps, std::span<const std::string> messages);

  // The number of sort keys of an event. In the order of time the second key is the lane, because
  // the order of recording differs from run to run.
  size_t count() const {
    if (order_.column == EventColumn::kTime) return 2;
    return order_.column == EventColumn::kDetails ? kMostKeys : 1;
  }
  // In ascending order an event without a value in the column has the smallest key. In descending
  // order the keys are inverted.
  uint64_t key(const TraceEvent& event, uint32_t index, size_t which, size_t& near) const;

 private:
  uint64_t details_key(const TraceEvent& event, size_t which) const;

  EventOrder order_;
  StepTimes steps_;
  std::array<uint32_t, kEventKinds> kind_rank_{};     // place of each kind by its words
  std::array<uint32_t, kEventKinds> details_rank_{};  // place of each kind by its facts' names
  std::array<uint32_t, 256> kernel_rank_{};
  std::array<uint32_t, 16> state_rank_{};
  std::vector<uint32_t> message_rank_;
};

}  // namespace attn::gui
