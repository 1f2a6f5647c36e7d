// SPDX-License-Identifier: GPL-3.0-or-later
// EventFilter: which events the table shows: by a line of text, the chosen kinds and the selection.
// It is made on the GUI thread and read on any thread. An event must fit each term of the text,
// such as request:Lily, step:10..20, time:<3ms or flash; of several values (step:1,3) one must fit.
// Words are looked for in kind, lane and details, without regard to case.
#pragma once

#include <QString>
#include <QStringList>
#include <bitset>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gui/models/event_matcher.h"
#include "gui/models/event_words.h"
#include "gui/views/events/rows/step_times.h"

namespace attn::gui {

struct EventContext {
  const StepTimes* steps = nullptr;
  std::span<const std::string> messages;  // Recorder::messages()
  size_t near = 0;                        // last place found, for StepTimes::step_at()
  std::string text;                       // buffer for details
};

// Fields that have a number, in the order in which field_names() has them.
enum class NumberField { kNumber, kTime, kDuration, kStep, kLayer, kRequest, kBlock, kCount };

// The events of what is selected. For a span: those within it. For an event without a duration:
// those that name its block, else its request. If nothing is selected: those of the shown request.
class SelectedEvents {
 public:
  // `span` is the event of a kSpan selection.
  SelectedEvents(const SelectionState& selection, int64_t shown_request, const TraceEvent* span,
                 const EngineSnapshot* snapshot);
  bool matches(const TraceEvent& event, uint32_t index) const;

 private:
  SelectionState selection_;
  EventMatcher matcher_;
  TraceEvent span_;
  int64_t request_ = -1;  // if matches() compares requests: the request that fits; -1: none
};

class EventFilter {
 public:
  EventFilter() { kinds_.set(); }
  // Returns the requests with this name or, if there is none, those whose names begin so.
  using Named = std::function<std::vector<int64_t>(const QString& name)>;
  // Sets `problem` to what is wrong with the text, or empties it. If `named` is null, a name fits
  // no event.
  static EventFilter parse(const QString& text, QString& problem, const Named& named = {});
  void set_kinds(const std::bitset<kEventKinds>& kinds) { chosen_ = kinds; }
  void set_selected(std::optional<SelectedEvents> selected) { selected_ = std::move(selected); }

  bool passes_all() const;
  bool asks_steps() const { return !numbers_[static_cast<size_t>(NumberField::kStep)].empty(); }
  // `index` is the place in order of recording. `certain` becomes false if the answer may change
  // when a step ends.
  bool matches(const TraceEvent& event, uint32_t index, EventContext& context, bool& certain) const;

 private:
  struct Range {
    int64_t least = 0, most = 0;  // both inclusive
  };
  struct Word {
    std::string text;                  // with folded case
    std::bitset<kEventKinds> in_kind;  // kinds whose events all contain the word
    std::bitset<256> in_lane;
    std::bitset<static_cast<size_t>(KernelId::kCount)> in_kernel;
    bool plain = true;  // true: letters and underscores only
    // For a word of up to 18 digits: its value, and 10 to the number of digits.
    std::optional<int64_t> number;
    int64_t beyond = 1;
  };
  bool matches_words(const TraceEvent& event, EventContext& context) const;
  bool matches_numbers(const TraceEvent& event, uint32_t index, EventContext& context,
                       bool& certain) const;
  static Word word_of(const QString& text);
  // These return what is wrong with the field or the value; empty: nothing.
  QString take_term(const QString& field, const QString& value, const Named& named);
  QString take_kinds(const QString& value);
  QString take_lanes(const QString& value);

  std::bitset<kEventKinds> kinds_, chosen_ = ~std::bitset<kEventKinds>{};
  std::optional<std::bitset<256>> lanes_;
  // [field][term]: the ranges of a term. A value of the event must lie in a range of each term.
  std::vector<std::vector<Range>> numbers_[static_cast<size_t>(NumberField::kCount)];
  std::vector<Word> words_;
  std::optional<SelectedEvents> selected_;
};

// What may be before a colon, such as "kind".
QStringList field_names();
// Completions of the last term of `text`, such as "kind:tile" for "kind:ti".
QStringList completions_of(const QString& text);

}  // namespace attn::gui
