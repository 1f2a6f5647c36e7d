// SPDX-License-Identifier: GPL-3.0-or-later
// Lesson: what a lesson file says, after it was read and checked (docs/lessons.md describes the
// file). It has no answers: an answer is computed from the run of its step (run/answer_key.h).
// Plain data; any thread.
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

// What stands above the first step, between two lines `---`.
struct About {
  std::string id;        // lower-case letters, digits and hyphens: "the-sink"
  std::string title;     // one line
  std::string language;  // "en", "de", "pt-BR"
  std::string part;      // part of the course, for a list of lessons; may be empty
  // Names of the bundled models without which the lesson cannot run. In the file `needs: model
  // tinystories-gqa`; empty where the file says `needs: nothing`.
  std::vector<std::string> needs_models;
  int64_t version = 1;  // of the lesson; grows with each change
};

// Text in Markdown, the subset of markdown.h. It may hold insertions `{{quantity}}`: numbers that
// are computed from the run of the step. filled() in run/answer_key.h puts them in.
struct Text {
  struct Insertion {
    size_t begin = 0, end = 0;  // bytes of `markdown`, with the braces
    Measure measure;
  };
  std::string markdown;
  std::vector<Insertion> insertions;  // ascending
  int line = 0;                       // of the file, from 1
  std::string language = "en";        // of the lesson: places are named in it

  bool empty() const { return markdown.empty(); }
};

// Where to look: a view and the cell, token, block or span in it that is to be ringed.
struct Spotlight {
  std::string view;  // one of view_names(); empty: the view that is shown
  // The place is computed from the run. nullopt: the place that belongs to the task's quantity.
  std::optional<Expression> at;
};
// Names of the views that a lesson can show. `--views` of the window's program knows them by the
// same names.
const std::vector<std::string>& view_names();

struct Hint {
  Text text;
  std::optional<Spotlight> show;
};

// How an answer differs from the right one.
enum class Outcome {
  kRight,
  kTooLow,   // a number below the right one
  kTooHigh,  // a number above it
  kWrong,    // a wrong choice or place; a goal that was not reached
};
std::string_view name_of(Outcome outcome);  // "right", "low", "high", "wrong"
// A text for those who gave one kind of answer.
struct Explanation {
  std::optional<Outcome> when;  // nullopt: for every answer, shown after the others
  Text text;
};

// A number, right if |answer - value| <= tolerance or value / factor <= answer <= value * factor,
// in the unit of `measure`.
struct NumberQuestion {
  Measure measure;
  double tolerance = 0;
  double factor = 1;                  // 1: only the tolerance counts
  double min = 0, max = 0, step = 0;  // of the slider
};
// One of several sentences. Which one is right is a condition on the run, and exactly one holds.
struct ChoiceQuestion {
  struct Option {
    Condition when;
    Text text;
    Text explanation;
    int line = 0;
  };
  std::vector<Option> options;        // 2 to 8
  std::optional<Expression> measure;  // the quantity of conditions such as `> 5`, if any are such
};
// A click on the cell, token, block, head, request or step that is meant.
struct ClickQuestion {
  Expression target;
  PlaceKind kind = PlaceKind::kCell;  // what is to be clicked
};
// A change of the scenario after which all conditions hold. The learner sees only `controls`.
struct Goal {
  std::vector<Control> controls;
  std::vector<Condition> conditions;
  // Settings that reach the goal; `attn lesson check` tries them. At the start the goal is not
  // reached.
  std::vector<Setting> solution;
};

enum class TaskKind {
  kPredict,  // asked before anything of the run is shown
  kObserve,  // asked after the reveal: what was to be seen
  kChange,   // Goal: some controls of the scenario at hand
  kBuild,    // Goal: the last task of a part, with more freedom
};
std::string_view name_of(TaskKind kind);  // "predict", ...

struct Task {
  TaskKind kind = TaskKind::kPredict;
  std::string name;  // unique in the lesson, for results: "step2-predict"
  Text question;
  // The question in a hand-out, where a question that asks for a click cannot stand as it is;
  // empty: the same question.
  Text on_paper;
  std::variant<NumberQuestion, ChoiceQuestion, ClickQuestion, Goal> form;
  std::vector<Hint> hints;  // in this order, only when asked for
  std::optional<Spotlight> reveal;
  std::vector<Explanation> explanations;
  int line = 0;

  bool is_question() const { return !std::holds_alternative<Goal>(form); }
};

// A step of a lesson: what stands from one `## heading` to the next.
struct Step {
  std::string title;
  Text text;          // short; shown before the first task
  Scenario scenario;  // frozen: on the virtual clock, with two threads; restored on arrival
  // The view to show when the learner comes to the step: the step's own, or that of the step
  // before; empty: the view that is shown stays.
  std::string view;
  // What the text relies on, a condition each; not shown. `attn lesson check` tests them.
  std::vector<Condition> facts;
  std::vector<Task> tasks;  // in order; may be empty
  int line = 0;
  // The number of predictions. They are the first tasks; all are asked before the run is shown.
  size_t num_predictions() const;
};

struct Lesson {
  About about;
  std::vector<Step> steps;
  std::string hash;    // 16 hex digits (XXH64 of the file)
  std::string origin;  // the file's name, for messages
  // The number of tasks, and the time that reading and answering will take at ordinary speed.
  size_t num_tasks() const;
  double minutes() const;
};

}  // namespace attn::lesson
