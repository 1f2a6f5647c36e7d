// SPDX-License-Identifier: GPL-3.0-or-later
// The sheets of a hand-out. A part that tells the answer to an earlier question of its sheet goes
// onto a new sheet; the first task of a step takes the text of the step along. Any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/lesson/run/answer_key.h"

namespace attn::lesson {

// A part of a hand-out that is on one sheet: the text of a step, or a task.
struct HandoutPart {
  static constexpr size_t kStepText = static_cast<size_t>(-1);
  size_t step = 0;
  size_t task = kStepText;  // of the step
  bool operator==(const HandoutPart&) const = default;
};

struct SheetStart {
  HandoutPart first;  // its first part
  std::string tells;  // the earlier task whose answer this sheet tells: "step1-predict"
};
// The sheets after the first one, in order. Empty: one sheet is enough.
std::vector<SheetStart> further_sheets(const AnswerKey& key);
// The sheet that begins with this part, from 2; 0: none does.
size_t sheet_that_begins(const std::vector<SheetStart>& further, const HandoutPart& part);
// The line at the top of a sheet: "Sheet 2 of 3, after the answers to sheet 1". sheet: from 1.
std::string sheet_words(const std::vector<SheetStart>& further, size_t sheet,
                        std::string_view language);
// For a teacher: why there is more than one sheet. Empty: there is one.
std::string sheets_text(const AnswerKey& key);

// Whether a plain text tells the answer to a question: its number, rounded to the decimals of the
// text, or the words of its place. Whole numbers from 0 to 10 do not count. Goals, and choices
// without a quantity, are never told.
bool tells_answer(std::string_view plain, const Task& task, const TaskKey& right,
                  const FrozenRun& run);

}  // namespace attn::lesson
