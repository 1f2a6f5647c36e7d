// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lesson/run/grading.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/lesson/format/markdown.h"

namespace attn::lesson {
namespace {

const Task& task_at(const AnswerKey& key, size_t step, size_t task) {
  return key.lesson->steps.at(step).tasks.at(task);
}
const TaskKey& key_at(const AnswerKey& key, size_t step, size_t task) {
  return key.steps.at(step).tasks.at(task);
}

bool is_near(const NumberQuestion& question, double answer, double right) {
  // Allows for rounding between two ways of computing the same number.
  const double rounding = 1e-9 * std::max(1.0, std::abs(right));
  if (std::abs(answer - right) <= question.tolerance + rounding) return true;
  if (question.factor <= 1 || answer * right <= 0) return false;
  const double ratio = answer / right;
  return ratio <= question.factor * (1 + 1e-9) && ratio >= 1 / question.factor * (1 - 1e-9);
}

std::string settings_text(const std::vector<Setting>& settings) {
  std::string text;
  for (const Setting& setting : settings)
    text += (text.empty() ? "" : "; ") + setting.control + '=' + setting.value;
  return text;
}

[[noreturn]] void wrong_form(const Task& task, const char* allowed) {
  throw_bad_input(
      {"the answer has another form than the question", task.name, "another form", allowed, ""});
}

class Grader {
 public:
  Grader(const AnswerKey& key, size_t step, size_t task)
      : task_(task_at(key, step, task)),
        key_(key_at(key, step, task)),
        run_(*key.steps.at(step).run) {}

  Verdict grade(const Answer& answer) {
    verdict_.right = answer_words(task_, key_);
    if (const auto* question = std::get_if<NumberQuestion>(&task_.form))
      number(*question, answer);
    else if (const auto* choice = std::get_if<ChoiceQuestion>(&task_.form))
      choose(*choice, answer);
    else if (std::holds_alternative<ClickQuestion>(task_.form))
      click(answer);
    else
      goal(std::get<Goal>(task_.form), answer);
    for (const bool general : {false, true})
      for (const Explanation& explanation : task_.explanations)
        if (general ? !explanation.when : explanation.when == verdict_.outcome)
          explain(explanation.text);
    return std::move(verdict_);
  }

 private:
  void explain(const Text& text) { verdict_.explanations.push_back(filled(text, run_)); }

  void number(const NumberQuestion& question, const Answer& answer) {
    const auto* given = std::get_if<NumberAnswer>(&answer);
    if (!given || !std::isfinite(given->number)) wrong_form(task_, "a number");
    Measure measure = question.measure;
    measure.scale = 1;
    verdict_.answered = shown(measure, given->number);
    verdict_.outcome = is_near(question, given->number, key_.number) ? Outcome::kRight
                       : given->number < key_.number                 ? Outcome::kTooLow
                                                                     : Outcome::kTooHigh;
  }
  void choose(const ChoiceQuestion& choice, const Answer& answer) {
    const auto* given = std::get_if<ChoiceAnswer>(&answer);
    if (!given || given->option >= choice.options.size())
      wrong_form(task_, "one of the answers to choose from");
    const ChoiceQuestion::Option& option = choice.options[given->option];
    verdict_.answered = markdown_to_plain(filled(option.text, run_));
    verdict_.outcome = given->option == key_.option ? Outcome::kRight : Outcome::kWrong;
    explain(option.explanation);
    // The sentence of the right answer often has the number of the run.
    if (given->option != key_.option) explain(choice.options.at(key_.option).explanation);
  }
  void click(const Answer& answer) {
    const auto* given = std::get_if<ClickAnswer>(&answer);
    if (!given) wrong_form(task_, "a place in a view");
    verdict_.answered = place_text(given->place, run_, task_.question.language);
    verdict_.outcome =
        key_.place && is_at(given->place, *key_.place) ? Outcome::kRight : Outcome::kWrong;
  }
  void goal(const Goal& wanted, const Answer& answer) {
    const auto* given = std::get_if<GoalAnswer>(&answer);
    if (!given || !given->run) wrong_form(task_, "settings and their run");
    bool all = true;
    for (const Condition& condition : wanted.conditions) {
      try {
        verdict_.conditions.push_back(value_of(condition, *given->run));
      } catch (const Error& error) {
        // The learner's run may lack what a condition looks at, such as a second request.
        if (error.code() == ErrorCode::kCancelled) throw;
        verdict_.conditions.emplace_back().left = std::numeric_limits<double>::quiet_NaN();
        verdict_.explanations.push_back(escape_unprintable(error.what()));
      }
      all = all && verdict_.conditions.back().holds;
    }
    verdict_.answered = settings_text(given->settings);
    verdict_.outcome = all ? Outcome::kRight : Outcome::kWrong;
  }

  const Task& task_;
  const TaskKey& key_;
  const FrozenRun& run_;
  Verdict verdict_;
};

}  // namespace

Verdict grade(const AnswerKey& key, size_t step, size_t task, const Answer& answer) {
  return Grader(key, step, task).grade(answer);
}

GoalAnswer try_settings(const AnswerKey& key, size_t step, size_t task,
                        std::vector<Setting> settings, RunGate* gate) {
  const auto* goal = std::get_if<Goal>(&task_at(key, step, task).form);
  if (!goal) wrong_form(task_at(key, step, task), "a task to change or build");
  for (const Setting& setting : settings)
    if (std::ranges::find(goal->controls, setting.control, &Control::name) == goal->controls.end())
      throw_bad_input({"the task has no such control", task_at(key, step, task).name,
                       quote_text(setting.control), "one of its controls", ""});
  const Scenario changed = with_settings(key.lesson->steps.at(step).scenario, settings);
  return {std::move(settings), FrozenRun::make(changed, *key.sources, gate)};
}

Answer right_answer(const AnswerKey& key, size_t step, size_t task) {
  const Task& of = task_at(key, step, task);
  const TaskKey& right = key_at(key, step, task);
  if (std::holds_alternative<NumberQuestion>(of.form)) return NumberAnswer{right.number};
  if (std::holds_alternative<ChoiceQuestion>(of.form)) return ChoiceAnswer{right.option};
  if (std::holds_alternative<ClickQuestion>(of.form))
    return ClickAnswer{right.place.value_or(Place{})};
  return try_settings(key, step, task, std::get<Goal>(of.form).solution);
}

std::optional<Answer> wrong_answer(const AnswerKey& key, size_t step, size_t task) {
  const Task& of = task_at(key, step, task);
  const TaskKey& right = key_at(key, step, task);
  if (const auto* number = std::get_if<NumberQuestion>(&of.form)) {
    for (const double end : {number->min, number->max})
      if (!is_near(*number, end, right.number)) return NumberAnswer{end};
    return std::nullopt;
  }
  if (const auto* choice = std::get_if<ChoiceQuestion>(&of.form))
    return ChoiceAnswer{(right.option + 1) % choice->options.size()};
  if (std::holds_alternative<ClickQuestion>(of.form)) {
    Place other = right.place.value_or(Place{});
    for (int64_t* field : {&other.query, &other.key, &other.token, &other.block, &other.request,
                           &other.step, &other.head})
      if (*field >= 0) *field = *field > 0 ? *field - 1 : *field + 1;
    return ClickAnswer{other};
  }
  return GoalAnswer{{}, key.steps.at(step).run};
}

}  // namespace attn::lesson
