// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lesson/run/class_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/lesson/quantity/lesson_language.h"
#include "engine/lesson/run/grading.h"

namespace attn::lesson {
namespace {

constexpr int64_t kMostSingle = 12;  // up to this many numbers, 1 apart, have a row each
constexpr int64_t kRanges = 5;       // other numbers are in at most this many ranges

const Task& task_of(const AnswerKey& key, size_t step, size_t task) {
  return key.lesson->steps.at(step).tasks.at(task);
}

// The answers of each row: one, or the least and the largest of a range.
std::vector<std::vector<Answer>> answers_of(const Task& task, const std::vector<Place>& places) {
  std::vector<std::vector<Answer>> rows;
  if (const auto* number = std::get_if<NumberQuestion>(&task.form)) {
    for (const auto& [least, most] : number_rows(*number)) {
      rows.push_back({NumberAnswer{least}});
      if (most != least) rows.back().emplace_back(NumberAnswer{most});
    }
  } else if (const auto* choice = std::get_if<ChoiceQuestion>(&task.form)) {
    for (size_t option = 0; option < choice->options.size(); ++option)
      rows.push_back({ChoiceAnswer{option}});
  } else if (std::holds_alternative<ClickQuestion>(task.form)) {
    for (const Place& place : places) rows.push_back({ClickAnswer{place}});
  }
  return rows;
}

}  // namespace

std::vector<std::pair<double, double>> number_rows(const NumberQuestion& question) {
  const int64_t numbers = std::llround((question.max - question.min) / question.step) + 1;
  const bool singly = question.step == 1 && numbers <= kMostSingle;
  const int64_t parts = singly ? numbers : std::min(kRanges, numbers);
  const auto number = [&](int64_t at) {
    return question.min + static_cast<double>(at) * question.step;
  };
  std::vector<std::pair<double, double>> rows;
  for (int64_t part = 0; part < parts; ++part)
    rows.emplace_back(number(part * numbers / parts), number((part + 1) * numbers / parts - 1));
  return rows;
}

std::vector<RowMark> row_marks(const AnswerKey& key, size_t step, size_t task,
                               const std::vector<Place>& places) {
  const Task& of = task_of(key, step, task);
  const double right = key.steps.at(step).tasks.at(task).number;
  const auto* number = std::get_if<NumberQuestion>(&of.form);
  std::vector<RowMark> marks;
  for (const std::vector<Answer>& answers : answers_of(of, places)) {
    // The right numbers form one interval around the number of the run.
    const auto is_right = [&](const Answer& answer) {
      return grade(key, step, task, answer).is_right();
    };
    const auto rights = static_cast<size_t>(std::ranges::count_if(answers, is_right));
    const double half = number ? number->step / 2 : 0;
    const bool has_number = number &&
                            right >= std::get<NumberAnswer>(answers.front()).number - half &&
                            right < std::get<NumberAnswer>(answers.back()).number + half;
    marks.push_back(rights == answers.size()   ? RowMark::kRight
                    : rights > 0 || has_number ? RowMark::kHolds
                                               : RowMark::kWrong);
  }
  return marks;
}

std::vector<ResultRecord> counted_records(const AnswerKey& key, size_t step, size_t task,
                                          const std::vector<CountedRow>& rows,
                                          const ResultRecord& base) {
  std::vector<Place> places;
  for (const CountedRow& row : rows)
    if (row.place) places.push_back(*row.place);
  const Task& of = task_of(key, step, task);
  const std::vector<RowMark> marks = row_marks(key, step, task, places);
  const std::vector<std::vector<Answer>> answers = answers_of(of, places);
  std::vector<ResultRecord> records;
  for (size_t i = 0; i < std::min(rows.size(), answers.size()); ++i) {
    if (rows[i].count <= 0) continue;
    ResultRecord record = base;
    record.record_type =
        marks[i] == RowMark::kHolds ? RecordType::kCountedRange : RecordType::kCounted;
    record.predicted = grade(key, step, task, answers[i].front()).answered;
    if (answers[i].size() > 1)
      record.predicted =
          fmt::format("{} {} {}", record.predicted, in_language("to", of.question.language),
                      grade(key, step, task, answers[i].back()).answered);
    record.correct = marks[i] != RowMark::kWrong;
    record.tries = rows[i].count;
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace attn::lesson
