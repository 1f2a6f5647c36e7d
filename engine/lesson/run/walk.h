// SPDX-License-Identifier: GPL-3.0-or-later
// Walk: a learner's way through a lesson: the step, the answers and the opened hints. A task opens
// when the tasks before it in its step are done. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/lesson/results/result.h"
#include "engine/lesson/run/class_counts.h"
#include "engine/lesson/run/grading.h"

namespace attn::lesson {

class Walk {
 public:
  explicit Walk(std::shared_ptr<const AnswerKey> key);

  const AnswerKey& key() const { return *key_; }
  const Lesson& lesson() const { return *key_->lesson; }
  size_t step() const { return step_; }
  bool at_end() const;
  // Back is always possible. Forward is possible when the tasks of the steps before are done.
  bool can_go_to(size_t step) const;
  void go_to(size_t step);

  struct TaskState {
    std::optional<Verdict> first, last;  // `first` counts in the results of a question
    int64_t tries = 0;
    size_t hints = 0;    // opened
    double seconds = 0;  // until the first answer
    bool skipped = false;
    bool reopened = false;  // can be tried again
    bool is_given_up() const { return skipped && !reopened; }
    bool revealed() const { return last.has_value() || is_given_up(); }
  };
  const TaskState& state(size_t step, size_t task) const;
  // The first task of the step that is not done. nullopt: none is left.
  std::optional<size_t> open_task() const;

  // Grades the answer to a task of this step. seconds: since the task was shown. `first` keeps the
  // verdict on the first answer, if the task was not skipped before. Throws Error(kBadInput) if a
  // task before it is open, and as grade() does.
  const Verdict& commit(size_t task, const Answer& answer, double seconds);
  // Counts tries of an earlier visit that did not reach a goal, before its next commit(). seconds:
  // until the first of them.
  void count_wrong_tries(size_t task, int64_t tries, double seconds);
  // The next hint. Null: there are no more.
  const Hint* open_hint(size_t task);
  // Gives the task up, so that its right answer can be shown. This does not count as an answer.
  // Throws Error(kBadInput) if a task before it is open.
  void skip(size_t task);
  // From now on, goals of this step that were skipped and not reached can be tried again.
  void reopen_goals();

  size_t answered() const;  // how many of the lesson().num_tasks() tasks
  size_t right_at_first() const;
  // A record per task that was answered or skipped, and one for the participant. A question whose
  // answers were counted has the counted answers only.
  std::vector<ResultRecord> records(const Participant& who, const ClassCounts& counts = {}) const;

 private:
  bool is_done(size_t step, size_t task) const;
  void refuse_if_closed(size_t task) const;

  std::shared_ptr<const AnswerKey> key_;
  std::vector<std::vector<TaskState>> states_;
  size_t step_ = 0;
};

}  // namespace attn::lesson
