// SPDX-License-Identifier: GPL-3.0-or-later
// Titles and questions of shipped lessons, for tables whose records have only names. Any thread; an
// object is used by one thread at a time.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "engine/lesson/format/lesson.h"
#include "engine/lesson/results/result.h"

namespace attn::lesson {

class ShippedLessons {
 public:
  explicit ShippedLessons(std::string language) : language_(std::move(language)) {}
  // The shipped lesson with this id in the language. Null: there is none that can be read.
  const Lesson* find(const std::string& id);

 private:
  std::string language_;
  std::map<std::string, std::shared_ptr<const Lesson>> read_;  // by id; null: none
};

// Null: the lesson has no task of this name.
const Task* find_task(const Lesson& lesson, std::string_view name);
// Sets ClassTable::Task::title and question: of a task of a shipped lesson the lesson's title and
// the question as plain text, else the names.
void name_tasks(ClassTable& table, ShippedLessons& lessons);

}  // namespace attn::lesson
