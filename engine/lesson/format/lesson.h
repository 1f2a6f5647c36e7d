// SPDX-License-Identifier: GPL-3.0-or-later
// Lesson: what a lesson file says, after it was read and checked (docs/lessons.md describes the
// file). Answers are computed by run/answer_key.h. Plain data; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/lesson/format/expression.h"
#include "engine/lesson/quantity/place.h"
#include "engine/session/scenario/scenario.h"

namespace attn::lesson {

// The front matter, between two lines `---`.
struct About {
  std::string id;        // lower-case letters, digits, hyphens: "the-sink"
  std::string title;     // one line
  std::string language;  // "en", "de", "pt-BR"
  std::string part;      // part of the course, for a list of lessons; may be empty
  // Names of the shipped models that the lesson needs: `needs: model tinystories-gqa`. Empty:
  // `needs: nothing`.
  std::vector<std::string> needs_models;
  int64_t version = 1;  // of the lesson
};

// Text in Markdown (markdown.h). It may hold insertions `{{quantity}}`, which filled() in
// run/answer_key.h replaces by numbers or places of the run.
struct Text {
  struct Insertion {
    size_t begin = 0, end = 0;  // bytes of `markdown`
    Measure measure;
  };
  std::string markdown;
  std::vector<Insertion> insertions;  // ascending
  int line = 0;                       // of the file, from 1
  std::string language = "en";        // of the lesson

  bool empty() const { return markdown.empty(); }
};

// Where to look: a view and a place in it to ring.
struct Spotlight {
  std::string view;  // empty: that of the step
  // A place that is computed from the run. nullopt: the place of the answer (TaskKey::place).
  std::optional<Expression> at;
};
const std::vector<std::string>& view_names();
// Whether a view of this name is empty at the end of a run. In such a view a lesson shows an
// earlier step of the run.
bool is_empty_at_end(std::string_view view);

struct Hint {
  Text text;
  std::optional<Spotlight> show;
};

enum class Outcome {
  kRight,
  kTooLow,
  kTooHigh,  // a number above the right one
  kWrong,    // a wrong choice, place or goal
};
std::string_view name_of(Outcome outcome);  // "right", "low", "high", "wrong"
struct Explanation {
  std::optional<Outcome> when;  // nullopt: for every answer
  Text text;
};

// A number. It is right if |answer - value| <= tolerance, in the unit of `measure`, or
// 1 / factor <= answer / value <= factor.
struct NumberQuestion {
  Measure measure;
  double tolerance = 0;
  double factor = 1;                  // 1: only the tolerance counts
  double min = 0, max = 0, step = 0;  // of the slider
};
// One of several sentences. The one whose condition holds is right.
struct ChoiceQuestion {
  struct Option {
    Condition when;
    Text text;
    Text explanation;
    int line = 0;
  };
  std::vector<Option> options;        // 2 to 8
  std::optional<Expression> measure;  // what conditions such as `> 5` are about, if any
};
struct ClickQuestion {
  Expression target;
  PlaceKind kind = PlaceKind::kCell;  // what is to be clicked
};
// A change of the scenario after which all conditions hold.
struct Goal {
  std::vector<Control> controls;
  std::vector<Condition> conditions;
  // Settings that reach the goal.
  std::vector<Setting> solution;
};

enum class TaskKind {
  kPredict,  // before the run is shown
  kObserve,  // after the run is shown
  kChange,   // Goal
  kBuild,    // Goal
};
std::string_view name_of(TaskKind kind);  // "predict", ...

struct Task {
  TaskKind kind = TaskKind::kPredict;
  std::string name;  // for results, "step2-predict"
  Text question;
  // A click's question in a hand-out; empty: `question`, and a sentence on what to do.
  Text on_paper;
  std::variant<NumberQuestion, ChoiceQuestion, ClickQuestion, Goal> form;
  std::vector<Hint> hints;  // in this order
  std::optional<Spotlight> reveal;
  std::vector<Explanation> explanations;
  int line = 0;

  bool is_question() const { return !std::holds_alternative<Goal>(form); }
};

// A step of a lesson: from one `## heading` to the next.
struct Step {
  std::string title;
  Text text;          // before the tasks and facts
  Scenario scenario;  // as in frozen(), see run/frozen_run.h
  // The view to show at this step: its own, or that of the step before. Empty: the view does not
  // change.
  std::string view;
  // Conditions that the text relies on. They are not shown; `attn lesson check` tests them.
  std::vector<Condition> facts;
  std::vector<Task> tasks;  // in order; may be empty
  int line = 0;
  // The number of predictions, which are the first tasks.
  size_t num_predictions() const;
};

struct Lesson {
  About about;
  std::vector<Step> steps;
  std::string hash;    // XXH64 of the file
  std::string origin;  // the file's name, for messages and heading_of()
  size_t num_tasks() const;
  // An estimate of the minutes for reading and answering.
  double minutes() const;
};

}  // namespace attn::lesson
