// SPDX-License-Identifier: GPL-3.0-or-later
// EventFilter: which events the table shows: the words and terms of a line of text, the chosen
// kinds, the selection. Made on the GUI thread; then plain data that any thread may ask.
//   request:3 request:Lily block:17 step:10..20 kind:tile layer:2 lane:worker1 duration:>50us
//   time:<3ms flash
// Terms of different fields must all hold, of the values of one field (a,b) any. Words are looked
// for in kind, lane and details, without regard to case.
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

// What the filter needs besides the event itself.
struct EventContext {
  const StepTimes* steps = nullptr;
  std::span<const std::string> messages;  // Recorder::messages()
  size_t near = 0;                        // last place found, for StepTimes::step_at()
  std::string text;                       // buffer for details
};

// Fields of a term whose value is a number, in the order of their names in field_names().
enum class NumberField { kNumber, kTime, kDuration, kStep, kLayer, kRequest, kBlock, kCount };

// The events of what is selected: for a span those within it; for an event without a duration those
// that name its block or else its request; for a block its changes and the tiles that read it; for
// a token or cell the tiles that cover it and the sampling of the token. If nothing is selected:
// the events of the request that is shown.
class SelectedEvents {
 public:
  // span: the event of a kSpan selection.
  SelectedEvents(const SelectionState& selection, int64_t shown_request, const TraceEvent* span,
                 const EngineSnapshot* snapshot);
  bool matches(const TraceEvent& event, uint32_t index) const;

 private:
  SelectionState selection_;
  EventMatcher matcher_;
  TraceEvent span_;
  int64_t request_ = -1;  // every event that names this request matches
};

class EventFilter {
 public:
  EventFilter() { kinds_.set(); }
  // problem: empty, or a sentence on what is wrong with the text and what is allowed; then the
  // result is of no use.
  // named: returns the requests whose names begin with a text or, if the text is the whole name of
  // some, only these. Null: names are not known, and a name fits no event.
  using Named = std::function<std::vector<int64_t>(const QString& name)>;
  static EventFilter parse(const QString& text, QString& problem, const Named& named = {});
  void set_kinds(const std::bitset<kEventKinds>& kinds) { chosen_ = kinds; }
  void set_selected(std::optional<SelectedEvents> selected) { selected_ = std::move(selected); }

  bool passes_all() const;
  bool asks_steps() const { return !numbers_[static_cast<size_t>(NumberField::kStep)].empty(); }
  // index: the event's place in the order of recording. certain: set to false if the answer may
  // change when the running step has ended.
  bool matches(const TraceEvent& event, uint32_t index, EventContext& context, bool& certain) const;

 private:
  struct Range {
    int64_t least = 0, most = 0;  // both inclusive
  };
  struct Word {
    std::string text;                  // lower case
    std::bitset<kEventKinds> in_kind;  // kinds whose name, words or fixed details have it
    std::bitset<256> in_lane;
    std::bitset<static_cast<size_t>(KernelId::kCount)> in_kernel;
    bool plain = true;  // true: letters only, so not part of a number
    // The number that the word is, if it has digits alone; and 10 to the number of its digits.
    std::optional<int64_t> number;
    int64_t beyond = 1;
  };
  bool matches_words(const TraceEvent& event, EventContext& context) const;
  bool matches_numbers(const TraceEvent& event, uint32_t index, EventContext& context,
                       bool& certain) const;
  static Word word_of(const QString& text);
  // These return the problem.
  QString take_term(const QString& field, const QString& value, const Named& named);
  QString take_kinds(const QString& value);
  QString take_lanes(const QString& value);

  std::bitset<kEventKinds> kinds_, chosen_ = ~std::bitset<kEventKinds>{};
  std::optional<std::bitset<256>> lanes_;
  // The terms of each field; in each the ranges of which one must hold.
  std::vector<std::vector<Range>> numbers_[static_cast<size_t>(NumberField::kCount)];
  std::vector<Word> words_;
  std::optional<SelectedEvents> selected_;
};

// "kind", "lane", "time", ...: what may stand before the colon.
QStringList field_names();
// Terms that could stand for the last one of `text`, "kind:tile" for "kind:ti"; empty: none.
QStringList completions_of(const QString& text);

}  // namespace attn::gui
