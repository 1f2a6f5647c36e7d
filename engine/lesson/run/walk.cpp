// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lesson/run/walk.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/core/error.h"

namespace attn::lesson {
namespace {

RecordType record_type_of(TaskKind kind) {
  switch (kind) {
    case TaskKind::kPredict:
      return RecordType::kPrediction;
    case TaskKind::kObserve:
      return RecordType::kObservation;
    case TaskKind::kChange:
      return RecordType::kChange;
    case TaskKind::kBuild:
      return RecordType::kBuild;
  }
  return RecordType::kPrediction;
}

// What a task asks about, as written in the lesson.
std::string quantity_of(const Task& task) {
  if (const auto* number = std::get_if<NumberQuestion>(&task.form))
    return number->measure.expression.text;
  if (const auto* click = std::get_if<ClickQuestion>(&task.form)) return click->target.text;
  if (const auto* choice = std::get_if<ChoiceQuestion>(&task.form))
    return choice->measure ? choice->measure->text : choice->options.front().when.left.text;
  std::string text;
  for (const Condition& condition : std::get<Goal>(task.form).conditions)
    text += (text.empty() ? "" : " and ") + condition.text;
  return text;
}

}  // namespace

Walk::Walk(std::shared_ptr<const AnswerKey> key) : key_(std::move(key)) {
  for (const Step& step : lesson().steps) states_.emplace_back(step.tasks.size());
}

const Walk::TaskState& Walk::state(size_t step, size_t task) const {
  return states_.at(step).at(task);
}

// A goal is done when it is reached or given up, a question when it was answered or skipped.
bool Walk::is_done(size_t step, size_t task) const {
  const TaskState& of = states_.at(step).at(task);
  if (of.is_given_up()) return true;
  return lesson().steps[step].tasks[task].is_question() ? of.first.has_value()
                                                        : of.last && of.last->is_right();
}

std::optional<size_t> Walk::open_task() const {
  for (size_t task = 0; task < states_[step_].size(); ++task)
    if (!is_done(step_, task)) return task;
  return std::nullopt;
}

bool Walk::at_end() const {
  return step_ + 1 == states_.size() && !open_task();
}

bool Walk::can_go_to(size_t step) const {
  if (step >= states_.size()) return false;
  for (size_t before = 0; before < step; ++before)
    for (size_t task = 0; task < states_[before].size(); ++task)
      if (!is_done(before, task)) return false;
  return true;
}

void Walk::go_to(size_t step) {
  if (can_go_to(step)) step_ = step;
}

void Walk::refuse_if_closed(size_t task) const {
  for (size_t before = 0; before < task; ++before)
    if (!is_done(step_, before))
      throw_bad_input({"the task before this one is open", lesson().steps[step_].tasks[task].name,
                       lesson().steps[step_].tasks[before].name, "the tasks in their order", ""});
}

const Verdict& Walk::commit(size_t task, const Answer& answer, double seconds) {
  refuse_if_closed(task);
  TaskState& of = states_[step_].at(task);
  of.last = grade(*key_, step_, task, answer);
  ++of.tries;
  if (!of.first && !of.skipped) {
    of.first = of.last;
    of.seconds = std::max(0.0, seconds);
  }
  return *of.last;
}

void Walk::count_wrong_tries(size_t task, int64_t tries, double seconds) {
  refuse_if_closed(task);
  TaskState& of = states_[step_].at(task);
  of.tries += tries;
  of.first = Verdict{};
  of.seconds = std::max(0.0, seconds);
}

const Hint* Walk::open_hint(size_t task) {
  const std::vector<Hint>& hints = lesson().steps[step_].tasks.at(task).hints;
  TaskState& of = states_[step_][task];
  return of.hints < hints.size() ? &hints[of.hints++] : nullptr;
}

void Walk::skip(size_t task) {
  refuse_if_closed(task);
  states_[step_].at(task).skipped = true;
  states_[step_][task].reopened = false;
}

void Walk::reopen_goals() {
  for (size_t task = 0; task < states_[step_].size(); ++task) {
    TaskState& of = states_[step_][task];
    const bool reached = of.last && of.last->is_right();
    if (of.skipped && !reached && !lesson().steps[step_].tasks[task].is_question())
      of.reopened = true;
  }
}

size_t Walk::answered() const {
  size_t count = 0;
  for (const auto& step : states_)
    count += static_cast<size_t>(
        std::ranges::count_if(step, [](const TaskState& of) { return of.first.has_value(); }));
  return count;
}

size_t Walk::right_at_first() const {
  size_t count = 0;
  for (const auto& step : states_)
    count += static_cast<size_t>(std::ranges::count_if(
        step, [](const TaskState& of) { return of.first && of.first->is_right(); }));
  return count;
}

std::vector<ResultRecord> Walk::records(const Participant& who, const ClassCounts& counts) const {
  std::vector<ResultRecord> records;
  ResultRecord head;
  head.participant = who.name;
  head.lesson = lesson().about.id;
  head.language = lesson().about.language;
  head.lesson_version = lesson().about.version;
  head.lesson_hash = lesson().hash;
  head.program = who.program;
  for (size_t step = 0; step < states_.size(); ++step) {
    const Step& of = lesson().steps[step];
    for (size_t index = 0; index < of.tasks.size(); ++index) {
      const TaskState& state = states_[step][index];
      ResultRecord record = head;
      record.step = static_cast<int64_t>(step) + 1;
      record.task = of.tasks[index].name;
      record.quantity = quantity_of(of.tasks[index]);
      record.actual = answer_words(of.tasks[index], key_->steps[step].tasks[index]);
      record.scenario_hash = scenario_hash(of.scenario);
      if (const auto rows = counts.find(record.task); rows != counts.end()) {
        std::vector<ResultRecord> counted =
            counted_records(*key_, step, index, rows->second, record);
        std::ranges::move(counted, std::back_inserter(records));
        if (!counted.empty()) continue;
      }
      if (!state.revealed() && !state.skipped) continue;
      const bool goal = !of.tasks[index].is_question();
      const std::optional<Verdict>& counting = goal ? state.last : state.first;
      record.record_type = record_type_of(of.tasks[index].kind);
      record.predicted = counting ? counting->answered : "";
      // With the solution shown, the goal does not count as reached.
      record.correct = counting && counting->is_right() && !(goal && state.skipped);
      record.tries = state.tries;
      record.hints = static_cast<int64_t>(state.hints);
      record.seconds = state.seconds;
      records.push_back(std::move(record));
    }
  }
  head.hash = results_hash(records);
  records.insert(records.begin(), std::move(head));
  return records;
}

}  // namespace attn::lesson
