// SPDX-License-Identifier: GPL-3.0-or-later
// The answers of a class to a question, counted in rows: a row for each option of a choice, for
// each number or range of numbers, or for each place that was named. Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/lesson/results/result.h"
#include "engine/lesson/run/answer_key.h"

namespace attn::lesson {

// kHolds: a row of numbers that is right in part: one end of its range is right and the other is
// not, or neither is, but the number of the run lies in it or at most half a step outside.
enum class RowMark : uint8_t { kWrong, kRight, kHolds };

// How many of a class gave the answer of a row. place: of a ClickQuestion.
struct CountedRow {
  int64_t count = 0;
  std::optional<Place> place = std::nullopt;
};
// By the name of the task. The rows of a choice are in the order of ChoiceQuestion::options, those
// of a number in the order of number_rows(), those of a click in any order.
using ClassCounts = std::map<std::string, std::vector<CountedRow>>;

// The numbers (least, most) of each row. Rows do not overlap.
std::vector<std::pair<double, double>> number_rows(const NumberQuestion& question);
// One for each row of a question. places: those of the rows of a ClickQuestion.
std::vector<RowMark> row_marks(const AnswerKey& key, size_t step, size_t task,
                               const std::vector<Place>& places = {});
// A record for each row with a count above 0, from `base`, which has the task.
std::vector<ResultRecord> counted_records(const AnswerKey& key, size_t step, size_t task,
                                          const std::vector<CountedRow>& rows,
                                          const ResultRecord& base);

}  // namespace attn::lesson
