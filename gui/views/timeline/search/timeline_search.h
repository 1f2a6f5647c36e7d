// SPDX-License-Identifier: GPL-3.0-or-later
// TimelineSearch: the spans of the timeline that have all terms of a text (SearchTerms) in the
// names of event, kernel, state, lane and request, or in words such as "layer 3". Times: ns on the
// run's clock. No Widgets. One thread.
#pragma once

#include <array>
#include <compare>
#include <optional>
#include <unordered_map>
#include <vector>

#include "gui/models/event_words.h"
#include "gui/views/timeline/minimap/time_bins.h"
#include "gui/views/timeline/search/search_terms.h"
#include "gui/views/timeline/timeline_model.h"

namespace attn::gui {

class TimelineSearch {
 public:
  // Matches are ordered by begin, then by lane from top to bottom, then by event.
  struct Match {
    uint64_t begin_ns = 0;
    int lane = 0;
    uint32_t event = 0;
    auto operator<=>(const Match&) const = default;
  };

  // Without a word nothing is looked for.
  void set_text(const QString& text);
  void restart();  // forgets what was found
  const QString& text() const { return text_; }
  bool active() const { return !terms_.empty(); }

  // Looks at up to `most` new spans. True: no new ones are left. events: all events of the run.
  bool look(const TimelineModel& model, const std::vector<TraceEvent>& events, uint64_t most);
  uint64_t version() const { return version_; }  // grows with every change

  // --- found so far, of what the model shows ---
  uint64_t count(const TimelineModel& model) const;
  uint64_t rank(const TimelineModel& model, const Match& match) const;
  bool holds(const TimelineModel& model, const Match& match) const;
  // The nearest match after `from` (direction 1) or before it (-1).
  std::optional<Match> next(const TimelineModel& model, const Match& from, int direction) const;
  // The spans found in a lane, without its open state; null: not looked at yet.
  const LodIndex* found_in(const TimelineLane& lane) const;
  bool finds_open(const TimelineModel& model, const TimelineLane& lane) const;
  // The number of matches by the time at which they begin, without open states.
  const TimeBins<uint32_t>& bins() const { return bins_; }

 private:
  struct Begin {
    uint64_t begin_ns = 0;
    uint32_t event = 0;
    auto operator<=>(const Begin&) const = default;
  };
  struct Found {
    uint64_t looked_at = 0;  // number of spans of the lane that were looked at
    uint64_t lane_bits = 0;  // bits of the terms that describe the lane
    LodIndex spans;
    std::vector<Begin> begins;  // sorted
  };
  void tabulate();
  Found& found_of(const TimelineLane& lane);
  uint64_t lane_bits(const TimelineLane& lane) const;
  uint64_t bits_of(const TimelineModel& model, const TraceEvent& event);
  uint64_t request_bits(const TimelineModel& model, uint32_t request);
  // How many shown matches of a lane come before `at`.
  uint64_t before(const TimelineModel& model, const TimelineLane& lane, const Begin& at) const;

  QString text_;
  SearchTerms terms_;
  uint64_t all_bits_ = 0;
  // The terms in the words of each kind, class, kernel, layer and head.
  std::array<uint64_t, kEventKinds> kind_bits_{};
  std::array<uint64_t, kSpanClasses> class_bits_{};
  std::array<uint64_t, 256> kernel_bits_{}, layer_bits_{}, head_bits_{};
  std::unordered_map<uint32_t, uint64_t> request_bits_;
  int64_t last_step_ = -1;  // the step of step_bits_
  uint64_t step_bits_ = 0;

  std::unordered_map<const TimelineLane*, Found> found_;
  TimeBins<uint32_t> bins_;
  uint64_t version_ = 1;
};

}  // namespace attn::gui
