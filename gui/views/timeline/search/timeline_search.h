// SPDX-License-Identifier: GPL-3.0-or-later
// TimelineSearch: the spans of the timeline that a line of text finds: in the name of the event,
// kernel or state, the lane, the request, and "layer 3", "head 0", "step 12". Every term must be
// found (SearchTerms). It looks at new spans as the run grows, some per call, so that a long run
// delays no frame. Times: ns on the run's clock. No Widgets. One thread.
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
  // Matches are in order of their begin, then of the lanes from top to bottom, then of recording.
  struct Match {
    uint64_t begin_ns = 0;
    int lane = 0;
    uint32_t event = 0;
    auto operator<=>(const Match&) const = default;
  };

  // Looks for another text from now on; a text without a word: for nothing.
  void set_text(const QString& text);
  void restart();  // another run: what was found is forgotten
  const QString& text() const { return text_; }
  bool active() const { return !terms_.empty(); }

  // Looks at the spans that it has not seen, at most `most`. True: it has seen all.
  // events: all events of the run.
  bool look(const TimelineModel& model, const std::vector<TraceEvent>& events, uint64_t most);
  uint64_t version() const { return version_; }  // grows with every change

  // --- what was found so far, of what the model shows (at a past step, what had begun by then) ---
  uint64_t count(const TimelineModel& model) const;
  // How many matches come before this one.
  uint64_t rank(const TimelineModel& model, const Match& match) const;
  bool holds(const TimelineModel& model, const Match& match) const;
  // The nearest match after `from` (direction 1) or before it (-1).
  std::optional<Match> next(const TimelineModel& model, const Match& from, int direction) const;
  // The spans found in a lane, without the state that has not ended; null: none.
  const LodIndex* found_in(const TimelineLane& lane) const;
  // Whether the lane's state that has not ended is a match.
  bool finds_open(const TimelineModel& model, const TimelineLane& lane) const;
  // Matches by the time at which they begin, without states that have not ended.
  const TimeBins<uint32_t>& bins() const { return bins_; }

 private:
  struct Begin {
    uint64_t begin_ns = 0;
    uint32_t event = 0;
    auto operator<=>(const Begin&) const = default;
  };
  struct Found {
    uint64_t looked_at = 0;  // spans of the lane
    uint64_t lane_bits = 0;  // terms in the name of the lane
    LodIndex spans;
    std::vector<Begin> begins;  // sorted
  };
  void tabulate();
  Found& found_of(const TimelineLane& lane);
  uint64_t lane_bits(const TimelineLane& lane) const;
  uint64_t bits_of(const TimelineModel& model, const TraceEvent& event);
  uint64_t request_bits(const TimelineModel& model, uint32_t request);
  // The number of matches of a lane that are shown and come before (begin, event).
  uint64_t before(const TimelineModel& model, const TimelineLane& lane, const Begin& at) const;

  QString text_;
  SearchTerms terms_;
  uint64_t all_bits_ = 0;
  // The terms in what the events of one kind, kernel, layer, ... have in common.
  std::array<uint64_t, kEventKinds> kind_bits_{};
  std::array<uint64_t, kSpanClasses> class_bits_{};
  std::array<uint64_t, 256> kernel_bits_{}, layer_bits_{}, head_bits_{};
  std::unordered_map<uint32_t, uint64_t> request_bits_;
  int64_t last_step_ = -1;  // the step whose terms are step_bits_
  uint64_t step_bits_ = 0;

  std::unordered_map<const TimelineLane*, Found> found_;
  TimeBins<uint32_t> bins_;
  uint64_t version_ = 1;
};

}  // namespace attn::gui
