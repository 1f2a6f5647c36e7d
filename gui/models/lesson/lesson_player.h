// SPDX-License-Identifier: GPL-3.0-or-later
// LessonPlayer: a lesson that is taken in the window. It runs the scenario of each step, holds the
// run until predictions are given, shows where answers are, and saves the progress. lesson::Walk
// has the answers and knows which tasks are done. GUI thread; no Widgets.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QThreadPool>
#include <map>
#include <memory>
#include <optional>

#include "engine/lesson/run/walk.h"
#include "gui/models/lesson/lesson_answers.h"
#include "gui/models/lesson/lesson_progress.h"
#include "gui/models/run_control.h"
#include "gui/models/selection.h"
#include "gui/models/time_cursor.h"

namespace attn::gui {

class LessonPlayer : public QObject {
  Q_OBJECT
 public:
  LessonPlayer(RunControl& control, Selection& selection, TimeCursor& cursor,
               LessonProgress& progress, QObject* parent = nullptr);
  ~LessonPlayer() override;

  // Begins the lesson at `step` (from 0, at most the last), or at the present step of `walk`. Open
  // tasks of the steps before `step` are skipped. If the lesson was finished before, that result is
  // kept until a task is answered or skipped, and `walk` should have no answers.
  void begin(std::shared_ptr<lesson::Walk> walk, std::optional<size_t> step = std::nullopt);
  // Ends the lesson. The run stays as it is.
  void end();
  bool is_on() const { return walk_ != nullptr; }
  // Whether LessonProgress still has the result of an earlier visit, in which all was answered.
  bool keeps_result() const { return walk_ && keeps_result_; }
  const lesson::Walk& walk() const { return *walk_; }
  const lesson::Lesson& lesson() const { return walk_->lesson(); }
  const lesson::Step& step() const { return lesson().steps[walk_->step()]; }
  QString filled(const lesson::Text& text) const;

  // --- the run of the step ---
  enum class Run : quint8 {
    kLoading,
    kWaiting,  // it is paused before its first unit of work until the predictions are given
    kRunning,
    kDone,
    kStopped,  // it was cancelled, or it failed
    kOther,    // the lesson's run could not be started, or another run is shown
  };
  Run run() const { return run_; }
  // Whether a run of a lesson was started since end().
  bool has_run() const { return has_run_; }
  bool uses_view(const QString& view) const;
  // Starts the run of the step again, or that of a reached or skipped goal, without
  // Selection::begin_anew().
  void restore_run();
  void hurry();

  // --- the tasks of the step ---
  // The task to be answered now; nullopt: none is left, or the run that shows the last answer has
  // not ended.
  std::optional<size_t> open_task() const;
  size_t num_shown() const;
  // Whether the outcome of a task is known: the task is answered or skipped, and, after a question,
  // the run has ended. The outcome of a prediction is known when this is so for all predictions of
  // the step.
  bool is_computed(size_t task) const;
  // Whether the outcome of a task is shown. It is shown once is_computed(). But if an observation
  // follows the task (or, for a prediction, the last prediction), it is shown once that observation
  // is computed, too.
  bool is_told(size_t task) const;
  // The grade of the shown run if tried() is not null and that run is graded, else the grade of the
  // last answer; without an answer the grade that the right answer gets.
  lesson::Verdict verdict(size_t task) const;
  const lesson::Walk::TaskState& state(size_t task) const {
    return walk_->state(walk_->step(), task);
  }
  void commit(const lesson::Answer& answer);
  // Runs the step's scenario with these settings; the open goal is graded when the run has ended.
  // Returns what is wrong with the settings; empty: nothing, or no goal is open.
  QString try_settings(const std::vector<lesson::Setting>& settings);
  bool is_trying() const { return attempt_.has_value(); }
  // Why a run for a goal could not be graded; empty: no error.
  const QString& trouble() const { return trouble_; }
  // The settings with which the lesson's last run was started for this goal: those tried last, the
  // solution after a skip, or those that reached it before. Null: not started for this goal.
  const std::vector<lesson::Setting>* tried(size_t task) const {
    return tried_ && tried_->task == task ? &tried_->settings : nullptr;
  }
  // The values of a goal's conditions: in the run of tried() if that is not null (null: that run is
  // not graded yet), else in the run that reached the goal, else in the run of the step.
  const std::vector<lesson::ConditionValue>* conditions(size_t task) const;
  std::vector<ClassAnswer> class_answers(size_t task) const;
  void keep_class_answers(size_t task, const std::vector<ClassAnswer>& rows);
  lesson::ClassCounts class_counts() const;  // of all questions of the lesson
  void skip();
  void open_hint();  // shows the next hint of the open task
  bool can_hint() const;
  void show_answer(size_t task);
  // The selection as a place of the kind that the open ClickQuestion asks for. nullopt: the open
  // task is no ClickQuestion, or nothing of this kind is selected.
  std::optional<lesson::Place> pointed_place() const;

  // --- steps ---
  bool can_go_on() const { return walk_->can_go_to(walk_->step() + 1); }
  bool can_go_back() const { return walk_->step() > 0; }
  void go_to(size_t step);
  bool is_finished() const { return walk_->at_end() && !pending_; }
  void begin_again();

 signals:
  void arrived();  // a step of the lesson was entered
  void changed();
  void view_wanted(const QString& view);  // to bring this view to the front; never empty
  // on: to put a ring around the selection in this view (empty: in the current tab). Not on: to
  // remove the ring.
  void ring_wanted(bool on, const QString& view);
  void finished();

 private:
  struct Tried {
    size_t task = 0;
    std::vector<lesson::Setting> settings;
  };
  void arrive();
  std::optional<Tried> reached_goal() const;
  void start(const Scenario& scenario, bool paused);
  void look_at_run();
  void set_run(Run run);
  bool is_our_run() const;
  void run_ended();
  void show_run_of(size_t task);
  void go_to_step_of(const lesson::Place& place);
  // in_step: the step of the run to be shown if the place has no step, or if there is no place; 0:
  // none.
  void show(const lesson::Spotlight& where, const std::optional<lesson::Place>& place,
            int64_t in_step = 0);
  std::shared_ptr<const lesson::FrozenRun> run_of_window() const;  // the shown run, which has ended
  void show_step_of_goal(size_t task, const lesson::FrozenRun& run);
  bool asks_for_more() const;
  void let_run(size_t task);
  void select(const lesson::Place& place);
  void grade_tried();
  void take_grade(const lesson::GoalAnswer& answer);
  void remember(size_t task, const lesson::Answer& answer);
  int num_done() const;
  QJsonObject json_of_answers() const;  // as SavedLesson::answers
  void save();
  double pace_of_step() const;

  RunControl& control_;
  Selection& selection_;
  TimeCursor& cursor_;
  LessonProgress& progress_;
  std::shared_ptr<lesson::Walk> walk_;
  std::map<std::string, QJsonObject> answers_;
  Run run_ = Run::kLoading;
  Scenario expected_;
  uint64_t after_run_ = 0;  // EngineSnapshot::run of the run before that of expected_
  bool keeps_result_ = false;
  bool hold_ = false;  // the run is held until the predictions are given
  bool starting_ = false, has_run_ = false;
  std::optional<size_t> pending_;                        // a task whose run has not ended yet
  std::optional<std::vector<lesson::Setting>> attempt_;  // settings being run or graded
  std::optional<Tried> tried_;
  std::optional<lesson::Verdict> shown_;  // the grade of the run with the settings of tried_
  QString trouble_;
  uint64_t visit_ = 0;  // grows with each run and at end(); grades of older runs are dropped
  QElapsedTimer since_shown_;
  QThreadPool grader_;  // last member: its destructor waits for the work
};

}  // namespace attn::gui
