// SPDX-License-Identifier: GPL-3.0-or-later
// AnswerKey: the answers of a lesson, computed by running the scenario of each step. Steps with the
// same scenario share a run. A finished key can be read on any thread. Also declared here: the
// words of answers and goals, check_lesson() and key_text().
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/lesson/format/parse_lesson.h"
#include "engine/lesson/run/frozen_run.h"

namespace attn::lesson {

struct ConditionValue {
  double left = 0, right = 0, upper = 0;  // left is NaN if one of them cannot be computed
  bool holds = false;
  // The step of the left side, if the condition gives it as a word or not at all; 0: neither.
  int64_t step = 0;
};

struct TaskKey {
  double number = 0;           // NumberQuestion: scaled to the shown unit; others: unscaled
  size_t option = 0;           // ChoiceQuestion: index
  std::optional<Place> place;  // ClickQuestion: the target; others: where to ring
  std::string shown;           // "12.5 %", "block 3"; ChoiceQuestion: in Markdown
  Spotlight reveal;            // the view to show
  // Questions: the step in which to show the answer: the step of the place or of the quantity, if
  // there is one. Otherwise, in the view Blocks, FrozenRun::Peak::step_to_show, because at the end
  // of a run no request holds any blocks. 0: the last step.
  int64_t step = 0;
  std::vector<ConditionValue> start;  // Goal: its conditions before anything is changed
};

struct StepKey {
  std::shared_ptr<const FrozenRun> run;
  std::vector<TaskKey> tasks;  // as Step::tasks
};

struct AnswerKey {
  std::shared_ptr<const Lesson> lesson;
  std::shared_ptr<SourceCache> sources;
  std::vector<StepKey> steps;  // as Lesson::steps
};

struct KeyOptions {
  std::shared_ptr<SourceCache> sources;  // null: one is made
  RunGate* gate = nullptr;               // can cancel
  std::function<void(size_t step, size_t steps)> progress = {};
};

// Throws Error(kBadInput) with a sentence for each step that cannot be run and each task whose
// answer cannot be computed, and Error(kCancelled).
AnswerKey make_answer_key(std::shared_ptr<const Lesson> lesson, const KeyOptions& options = {});

// The key of a lesson that may have mistakes, which are added to `mistakes`. Parts that cannot be
// computed are empty (StepKey::run null). Throws Error(kCancelled).
AnswerKey try_answer_key(std::shared_ptr<const Lesson> lesson, const KeyOptions& options,
                         std::vector<Mistake>& mistakes);

// The quantity that a question is about. Null: a goal, or a choice without one.
const Expression* subject_of(const Task& task);
// The step of the run in which views show what the first quantity that takes a step is about. 0:
// there is no such quantity, or the run does not have the step. Of a goal: the first such step of
// the left sides of its conditions.
int64_t step_of(const Expression& expression, const FrozenRun& run);
int64_t step_of(const Goal& goal, const FrozenRun& run);
// A place with the texts of its tokens: "query 13 “.”, key 0 “Once”", "block 3". Of a request: its
// name.
std::string place_text(const Place& place, const FrozenRun& run, std::string_view language = "en");
// How far off an answer counts as right: "an answer up to 8 % too small or too large is right".
// Empty: an answer one step of the slider away from the right one is wrong.
std::string tolerance_words(const NumberQuestion& question);
// TaskKey::shown as plain text.
std::string answer_words(const Task& task, const TaskKey& right);
// The same, and after a number the tolerance_words() in brackets.
std::string teacher_words(const Task& task, const TaskKey& right);
std::string filled(const Text& text, const FrozenRun& run);
// Throw Error(kBadInput) if there is no value.
QuantityValue value_of(const Expression& expression, const FrozenRun& run);
ConditionValue value_of(const Condition& condition, const FrozenRun& run);
// The left side of a condition with its value in a run: "waste is 25 %".
std::string sentence_of(const Condition& condition, const ConditionValue& value);
// A condition with its value, for a learner: "empty slots: 25.0 % now; wanted: less than 5 %". With
// ConditionValue::step: "25.0 % now, in step 7".
// is_now: false: "before" instead of "now".
std::string goal_words(const Condition& condition, const ConditionValue& value,
                       std::string_view language = "en", bool is_now = true);
// All conditions of a goal: "empty slots: less than 10 %; blocks used: at most 40 blocks".
std::string wanted_words(const Goal& goal, const TaskKey& key, std::string_view language = "en");
// The settings that solve a goal: "Tokens per block = 10".
std::string solution_words(const Goal& goal, std::string_view language = "en");

// What `attn lesson check` finds beyond the parser: facts that do not hold, choices without exactly
// one right option, goals that are reached at the start or not by their solution, wrong answers
// that are graded as right, and more. key: as far as it could be computed.
struct LessonCheck {
  std::vector<Mistake> mistakes;
  std::vector<std::string> notes;  // not mistakes
  std::optional<AnswerKey> key;
};
LessonCheck check_lesson(std::shared_ptr<const Lesson> lesson, const KeyOptions& options = {});
// The key for a reader: a line for each step and each task.
std::string key_text(const AnswerKey& key);

}  // namespace attn::lesson
