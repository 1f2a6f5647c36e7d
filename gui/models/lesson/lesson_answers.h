// SPDX-License-Identifier: GPL-3.0-or-later
// Answers to a lesson as JSON, so that a lesson can be left and continued: a walk with the same
// answers given again is in the same state. Any thread.
#pragma once

#include <QJsonObject>
#include <QString>
#include <optional>
#include <vector>

#include "engine/lesson/run/walk.h"

namespace attn::gui {

// {"number": 40}, {"option": 2}, {"place": {...}} or {"settings": {"block_size": "4"}}.
QJsonObject json_of(const lesson::Answer& answer);

// The settings in an answer of the form {"settings": {...}}; empty if it has another form.
std::vector<lesson::Setting> settings_of_answer(const QJsonObject& answer);

// One row of the answers of a class, which a presenter has counted.
struct ClassAnswer {
  int count = 0;
  // A place that somebody named, and `words` for it; not set for other kinds of questions, whose
  // rows are known.
  std::optional<lesson::Place> place = std::nullopt;
  QString words = {};
};

// What was done with one task. A task that nothing was done with has no entry.
struct SavedTask {
  QJsonObject answer;  // empty: none was given
  bool skipped = false;
  int hints = 0;
  double seconds = 0;  // until the first answer
  std::vector<ClassAnswer> class_answers = {};
};
QJsonObject json_of(const SavedTask& task);
// Reads the fields that are there. Numbers beyond their range become the nearest allowed one.
SavedTask saved_task(const QJsonObject& json);

// Gives the answers again, by the names of the tasks, as far as they still fit the lesson. Runs
// scenarios where tasks ask for a change. Throws Error(kCancelled).
void replay(lesson::Walk& walk, const QJsonObject& tasks, RunGate* gate = nullptr);

}  // namespace attn::gui
