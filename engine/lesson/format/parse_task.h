// SPDX-License-Identifier: GPL-3.0-or-later
// Reads texts, and the directives of a step except `:::scenario`. One thread.
#pragma once

#include <string>

#include "engine/lesson/format/lesson.h"
#include "engine/lesson/format/mistakes.h"
#include "engine/lesson/format/outline.h"

namespace attn::lesson {

// Text with its insertions. Adds the mistakes that it finds.
Text read_text(std::string markdown, int line, Mistakes& mistakes);

class TaskReader {
 public:
  // step: gets the tasks and facts. index: the place of the step in the lesson, from 0.
  TaskReader(Step& step, size_t index, Mistakes& mistakes)
      : step_(step), index_(index), mistakes_(mistakes) {}

  // Reads a directive other than `scenario`.
  void take(const OutlineDirective& directive);
  // Makes the checks that need all directives and the scenario of the step. has_scenario: there is
  // one; without it nothing is checked.
  void finish(bool has_scenario);

 private:
  void question(const OutlineDirective& directive, TaskKind kind);
  void goal(const OutlineDirective& directive, TaskKind kind);
  void reveal(const OutlineDirective& directive);
  void hint(const OutlineDirective& directive);
  void explain(const OutlineDirective& directive);
  void fact(const OutlineDirective& directive);
  void add_task(Task task, const OutlineDirective& directive);
  // The task to which a hint, reveal or explanation belongs. Null, with a mistake: there is none.
  Task* task_before(const OutlineDirective& directive);
  void check_task(const Task& task);

  Step& step_;
  size_t index_;
  Mistakes& mistakes_;
};

}  // namespace attn::lesson
