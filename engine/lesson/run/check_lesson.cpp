// SPDX-License-Identifier: GPL-3.0-or-later
// check_lesson(): checks a lesson that was read, by running its scenarios and grading answers.
// key_text(): the answer key as text. Declared in answer_key.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/core/counted.h"
#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/lesson/format/markdown.h"
#include "engine/lesson/run/answer_key.h"
#include "engine/lesson/run/grading.h"
#include "engine/lesson/run/why_not_shared.h"

namespace attn::lesson {
namespace {

constexpr double kMostMinutes = 5;

class Checker {
 public:
  Checker(const AnswerKey& key, LessonCheck& check) : key_(key), check_(check) {}

  void run() {
    for (size_t step = 0; step < key_.steps.size(); ++step) {
      if (!key_.steps[step].run) continue;
      const Step& of = key_.lesson->steps[step];
      const FrozenRun& frozen_run = *key_.steps[step].run;
      fills(of.text, frozen_run);
      for (const Condition& fact : of.facts) check_fact(fact, of.line, frozen_run);
      for (size_t task = 0; task < of.tasks.size(); ++task) check_task(step, task);
    }
  }

 private:
  void add(int line, std::string what, std::string found, std::string allowed,
           std::string advice = "") {
    check_.mistakes.push_back(
        {line, std::move(what), std::move(found), std::move(allowed), std::move(advice)});
  }
  // Adds the Error that `work` throws as a mistake.
  template <class Work>
  void hold(int line, Work&& work) {
    try {
      work();
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kCancelled) throw;
      const ErrorParts& parts = error.parts();
      add(line, parts.what, parts.where.empty() ? parts.found : parts.where + ": " + parts.found,
          parts.allowed, parts.advice);
    }
  }
  void fills(const Text& text, const FrozenRun& frozen_run) {
    hold(text.line, [&] { (void)filled(text, frozen_run); });
  }
  void check_fact(const Condition& fact, int line, const FrozenRun& frozen_run) {
    hold(line, [&] {
      const ConditionValue value = value_of(fact, frozen_run);
      if (!value.holds)
        add(line, "what the text relies on does not hold", sentence_of(fact, value), fact.text,
            why_not_shared(fact.left, value.left, frozen_run));
    });
  }
  void check_task(size_t step, size_t index) {
    const Task& task = key_.lesson->steps[step].tasks[index];
    const TaskKey& right = key_.steps[step].tasks[index];
    const FrozenRun& frozen_run = *key_.steps[step].run;
    if (right.shown.empty()) return;  // it is a mistake that was added before
    note_nothing_shared(task, right, frozen_run);
    fills(task.question, frozen_run);
    fills(task.on_paper, frozen_run);
    for (const Hint& hint : task.hints) {
      fills(hint.text, frozen_run);
      if (hint.show && hint.show->at)
        hold(hint.text.line, [&] { (void)value_of(*hint.show->at, frozen_run); });
    }
    for (const Explanation& explanation : task.explanations) fills(explanation.text, frozen_run);
    if (const auto* number = std::get_if<NumberQuestion>(&task.form);
        number && (right.number < number->min || right.number > number->max))
      add(task.line, "the right answer is not on the slider", right.shown,
          fmt::format("{} to {}", number->min, number->max), "Change min and max");
    if (const auto* goal = std::get_if<Goal>(&task.form))
      if (std::ranges::all_of(right.start, &ConditionValue::holds))
        add(task.line, "the goal is reached before anything is changed",
            goal->conditions.empty()
                ? ""
                : fmt::format("{}; wanted: {}",
                              sentence_of(goal->conditions.front(), right.start.front()),
                              goal->conditions.front().text),
            "a scenario in which it is not");
    answers(step, index);
  }
  // A 0 may be meant, so this is a note and no mistake.
  void note_nothing_shared(const Task& task, const TaskKey& right, const FrozenRun& frozen_run) {
    const Expression* subject = subject_of(task);
    if (!subject || noted_ == &frozen_run) return;
    const std::string why = why_not_shared(*subject, right.number, frozen_run);
    if (why.empty()) return;
    noted_ = &frozen_run;
    check_.notes.push_back(fmt::format("{} is 0 in line {}: {}", subject->text, task.line, why));
  }
  // The right answer must be graded as right, and a wrong one as wrong.
  void answers(size_t step, size_t index) {
    const Task& task = key_.lesson->steps[step].tasks[index];
    hold(task.line, [&] {
      const Answer right = right_answer(key_, step, index);
      const Verdict verdict = grade(key_, step, index, right);
      if (verdict.is_right()) return;
      const auto& goal = std::get<Goal>(task.form);
      for (size_t i = 0; i < goal.conditions.size(); ++i)
        if (!verdict.conditions[i].holds)
          add(task.line, "the solution does not reach the goal",
              sentence_of(goal.conditions[i], verdict.conditions[i]), goal.conditions[i].text,
              why_not_shared(goal.conditions[i].left, verdict.conditions[i].left,
                             *std::get<GoalAnswer>(right).run));
    });
    hold(task.line, [&] {
      const auto wrong = wrong_answer(key_, step, index);
      if (!wrong)
        return add(task.line, "every answer is right", "the whole slider is within the tolerance",
                   "a smaller tolerance");
      if (std::holds_alternative<Goal>(task.form)) return;  // its conditions were checked before
      if (grade(key_, step, index, *wrong).is_right())
        add(task.line, "a wrong answer counts as right", task.name, "another target");
    });
  }

  const AnswerKey& key_;
  LessonCheck& check_;
  const FrozenRun* noted_ = nullptr;
};

std::string solution_text(const Goal& goal) {
  std::string text;
  for (const Setting& setting : goal.solution)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", setting.control, setting.value);
  return text;
}

}  // namespace

LessonCheck check_lesson(std::shared_ptr<const Lesson> lesson, const KeyOptions& options) {
  LessonCheck check;
  AnswerKey key = try_answer_key(std::move(lesson), options, check.mistakes);
  Checker(key, check).run();
  std::ranges::stable_sort(check.mistakes, {}, &Mistake::line);
  if (const double minutes = key.lesson->minutes(); minutes > kMostMinutes)
    check.notes.push_back(fmt::format("the lesson will take about {:.1f} minutes, more than {:.0f}",
                                      minutes, kMostMinutes));
  check.key = std::move(key);
  return check;
}

std::string key_text(const AnswerKey& key) {
  std::string text;
  for (size_t step = 0; step < key.steps.size(); ++step) {
    const Step& of = key.lesson->steps[step];
    text += fmt::format("  {}. {}\n", step + 1, of.title);
    for (size_t task = 0; task < key.steps[step].tasks.size(); ++task) {
      const TaskKey& right = key.steps[step].tasks[task];
      std::string answer = answer_words(of.tasks[task], right);
      std::ranges::replace(answer, '\n', ' ');
      text += fmt::format("     {:<18} {}", of.tasks[task].name, answer);
      if (const auto* goal = std::get_if<Goal>(&of.tasks[task].form))
        text += fmt::format("; for example {}", solution_text(*goal));
      if (const auto* number = std::get_if<NumberQuestion>(&of.tasks[task].form))
        text += number->factor > 1 ? fmt::format(" (within a factor of {})", number->factor)
                                   : fmt::format(" (± {})", number->tolerance);
      text += '\n';
    }
  }
  return text;
}

}  // namespace attn::lesson
