// SPDX-License-Identifier: GPL-3.0-or-later
// Answers to a lesson as JSON, so that a lesson can be left and continued. Any thread.
#pragma once

#include <QJsonObject>
#include <QString>
#include <optional>
#include <vector>

#include "engine/lesson/run/walk.h"

namespace attn::gui {

// {"number": 40}, {"option": 2}, {"place": {...}} or {"settings": {"block_size": "4"}}.
QJsonObject json_of(const lesson::Answer& answer);

std::vector<lesson::Setting> settings_of_answer(const QJsonObject& answer);

struct ClassAnswer {
  int count = 0;
  std::optional<lesson::Place> place = std::nullopt;
  QString words = {};
};

struct SavedTask {
  QJsonObject answer;  // empty: none was given
  bool skipped = false;
  int hints = 0;
  int tries = 0;       // of a goal, before and after it was skipped
  double seconds = 0;  // Walk::TaskState::seconds
  std::vector<ClassAnswer> class_answers = {};
};
QJsonObject json_of(const SavedTask& task);
// Missing fields get their defaults. Numbers beyond their range are replaced by allowed ones. At
// most 100 of the class_answers are read.
SavedTask saved_task(const QJsonObject& json);

// The counted answers of a class. tasks: as for replay().
lesson::ClassCounts class_counts_of(const QJsonObject& tasks);

// Gives the saved answers to `walk` again, task by task, until one is missing or fails. tasks: a
// SavedTask as JSON for the name of each task. The answer to a goal runs a scenario. Throws
// Error(kCancelled).
void replay(lesson::Walk& walk, const QJsonObject& tasks, RunGate* gate = nullptr);

}  // namespace attn::gui
