// SPDX-License-Identifier: GPL-3.0-or-later
// Grading: compares an answer with the key and picks the sentences to show. Also runs a learner's
// settings, and gives a right and a wrong answer. Any thread.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "engine/lesson/run/answer_key.h"

namespace attn::lesson {

struct NumberAnswer {
  double number = 0;  // in the shown unit
};
struct ChoiceAnswer {
  size_t option = 0;
};
struct ClickAnswer {
  Place place;
};
// A change or build: the settings, and the finished run with them.
struct GoalAnswer {
  std::vector<Setting> settings;
  std::shared_ptr<const FrozenRun> run;
};
using Answer = std::variant<NumberAnswer, ChoiceAnswer, ClickAnswer, GoalAnswer>;

struct Verdict {
  Outcome outcome = Outcome::kWrong;
  std::string answered;  // in words: "40 %", "block 3"
  std::string right;     // of a goal: its conditions
  // Explanations to show, in Markdown with the numbers put in: those of the chosen option and of
  // the right one, or why a condition of a goal cannot be computed; then those for this outcome;
  // then those for every answer.
  std::vector<std::string> explanations;
  std::vector<ConditionValue> conditions;  // Goal: as Goal::conditions
  bool is_right() const { return outcome == Outcome::kRight; }
};

// Throws Error(kBadInput) for an answer that the task does not take, such as a number that is not
// finite, and where a number in an explanation cannot be computed.
Verdict grade(const AnswerKey& key, size_t step, size_t task, const Answer& answer);

// Runs the step's scenario with these settings. Throws Error(kBadInput) for a question, for a
// control that the task does not have, and what with_settings() and FrozenRun::make() throw.
GoalAnswer try_settings(const AnswerKey& key, size_t step, size_t task,
                        std::vector<Setting> settings, RunGate* gate = nullptr);

// The right answer, for which the solution of a goal is run, and one that should be wrong (of a
// goal: the start). nullopt: the task has no wrong answer within its range.
Answer right_answer(const AnswerKey& key, size_t step, size_t task);
std::optional<Answer> wrong_answer(const AnswerKey& key, size_t step, size_t task);

}  // namespace attn::lesson
