// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/events/rows/event_order.h"

#include <QString>
#include <algorithm>
#include <map>

#include "engine/scheduler/request.h"

namespace attn::gui {
namespace {

// Gives each text its place in sorted order; equal texts have one place.
template <class Text, class Ranks>
void rank(const std::vector<Text>& texts, Ranks& ranks) {
  std::map<Text, uint32_t> places;
  for (const Text& text : texts) places.emplace(text, 0);
  uint32_t next = 0;
  for (auto& [text, place] : places) place = next++;
  for (size_t i = 0; i < texts.size(); ++i) ranks[i] = places.at(texts[i]);
}

bool is_detail(const EventFact& fact) {
  return fact.value > FactValue::kBlock;
}

}  // namespace

EventKeys::EventKeys(EventOrder order, const StepTimes& steps,
                     std::span<const std::string> messages)
    : order_(order), steps_(steps), message_rank_(messages.size()) {
  std::vector<QString> kinds;
  std::vector<std::string> details, kernels, states;
  for (size_t i = 0; i < kEventKinds; ++i) {
    TraceEvent event;
    event.kind = static_cast<EventKind>(i);
    kinds.push_back(kind_words(event.kind));
    std::string names;
    for (const EventFact& fact : facts_of(event))
      if (is_detail(fact)) (names += fact.name) += '\n';
    details.push_back(names);
  }
  for (uint32_t i = 0; i < kernel_rank_.size(); ++i) kernels.emplace_back(kernel_stem(i));
  for (int i = 0; i <= static_cast<int>(RequestState::kFinishedIgnored); ++i)
    states.emplace_back(name_of(static_cast<RequestState>(i)));
  rank(kinds, kind_rank_);
  rank(details, details_rank_);
  rank(kernels, kernel_rank_);
  rank(states, state_rank_);
  rank(std::vector<std::string>(messages.begin(), messages.end()), message_rank_);
}

uint64_t EventKeys::key(const TraceEvent& event, uint32_t index, size_t which, size_t& near) const {
  const auto or_none = [](int64_t value) { return static_cast<uint64_t>(value + 1); };
  uint64_t key = 0;
  switch (order_.column) {
    case EventColumn::kTime:
      key = which == 0 ? event.begin_ns : event.lane;
      break;
    case EventColumn::kDuration:
      key = is_span(event.kind) ? event.duration_ns + 1 : 0;
      break;
    case EventColumn::kKind:
      key = kind_rank_[static_cast<size_t>(event.kind)];
      break;
    case EventColumn::kLane:
      key = event.lane;
      break;
    case EventColumn::kStep:
      key = or_none(steps_.step_at(event, index, near).step);
      break;
    case EventColumn::kLayer:
      key = event.layer == kNoLayer ? 0 : event.layer + 1u;
      break;
    case EventColumn::kRequest:
      key = or_none(request_of(event));
      break;
    case EventColumn::kBlock:
      key = or_none(block_of(event));
      break;
    case EventColumn::kDetails:
      key = details_key(event, which);
      break;
    case EventColumn::kNumber:
    case EventColumn::kCount:
      break;
  }
  return order_.descending ? ~key : key;
}

uint64_t EventKeys::details_key(const TraceEvent& event, size_t which) const {
  if (which == 0) return details_rank_[static_cast<size_t>(event.kind)];
  size_t at = 0;
  for (const EventFact& fact : facts_of(event)) {
    if (!is_detail(fact) || ++at != which) continue;
    const auto number = static_cast<uint64_t>(fact.number);
    switch (fact.value) {
      case FactValue::kKernel:
        return 1 + kernel_rank_[std::min<uint64_t>(number, kernel_rank_.size() - 1)];
      case FactValue::kText:
        return 1 + (number < state_rank_.size() ? state_rank_[number] : number);
      case FactValue::kMessage:
        return 1 + (number < message_rank_.size() ? message_rank_[number] : number);
      default: {
        // A number is sorted like the first number of a range.
        const int64_t count = fact.value == FactValue::kRange ? fact.count : 0;
        return 1 + (number << 24 | static_cast<uint64_t>(count));
      }
    }
  }
  return 0;  // the event has fewer facts
}

}  // namespace attn::gui
