// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/lesson/lesson_player.h"

#include <algorithm>
#include <utility>

#include "engine/core/error.h"
#include "gui/models/lesson/lesson_places.h"

namespace attn::gui {
namespace {

constexpr double kWatched_s = 2.5;  // about how long the tiles of a run take at pace_of_step()

bool same_work(Scenario a, Scenario b) {
  a.view = b.view;  // scenarios that differ only in what is shown, or in the pace, are the same
  return a == b;
}

std::vector<TraceEvent> by_begin(std::vector<TraceEvent> events) {
  std::ranges::stable_sort(events, {}, &TraceEvent::begin_ns);
  return events;
}

}  // namespace

LessonPlayer::LessonPlayer(RunControl& control, Selection& selection, TimeCursor& cursor,
                           LessonProgress& progress, QObject* parent)
    : QObject(parent),
      control_(control),
      selection_(selection),
      cursor_(cursor),
      progress_(progress) {
  grader_.setMaxThreadCount(1);
  connect(&control.bridge(), &EngineBridge::snapshot_changed, this, &LessonPlayer::look_at_run);
  connect(&control, &RunControl::state_changed, this, &LessonPlayer::look_at_run);
  connect(&control, &RunControl::started, this, [this] {
    if (!walk_ || starting_) return;
    control_.tell_remarks(true);
    expected_ = {};
    set_run(Run::kOther);
  });
  connect(&selection, &Selection::changed, this, [this] {
    if (walk_) emit changed();
  });
}

LessonPlayer::~LessonPlayer() = default;

void LessonPlayer::begin(std::shared_ptr<lesson::Walk> walk, std::optional<size_t> step) {
  walk_ = std::move(walk);
  answers_.clear();
  const SavedLesson saved = progress_.of(progress_name(lesson().about));
  keeps_result_ = saved.is_done();
  if (!keeps_result_ && saved.hash == QString::fromStdString(lesson().hash))
    for (auto at = saved.answers.begin(); at != saved.answers.end(); ++at)
      answers_[at.key().toStdString()] = at.value().toObject();
  // Saved answers may have led the walk to a later step.
  if (step && walk_->can_go_to(*step)) walk_->go_to(*step);
  if (step) {
    while (walk_->step() < std::min(*step, lesson().steps.size() - 1)) {
      while (const std::optional<size_t> open = walk_->open_task()) walk_->skip(*open);
      walk_->go_to(walk_->step() + 1);
    }
  }
  arrive();
}

void LessonPlayer::end() {
  if (!walk_) return;
  save();
  ++visit_;
  emit ring_wanted(false, {});
  walk_.reset();
  control_.tell_remarks(true);
  has_run_ = false;
  pending_.reset();
  attempt_.reset();
  tried_.reset();
  emit changed();
}

QString LessonPlayer::filled(const lesson::Text& text) const {
  try {
    return QString::fromStdString(lesson::filled(text, *walk_->key().steps[walk_->step()].run));
  } catch (const Error&) {
    return QString::fromStdString(text.markdown);  // check_lesson() reports the error
  }
}

// --- the run of the step ---

void LessonPlayer::arrive() {
  pending_.reset();
  walk_->reopen_goals();
  tried_ = reached_goal();
  trouble_.clear();
  run_ = Run::kLoading;
  emit ring_wanted(false, {});
  emit arrived();  // before the run of the new step is started
  if (!step().view.empty()) emit view_wanted(QString::fromStdString(step().view));
  selection_.begin_anew();
  restore_run();
  since_shown_.start();
  save();
  emit changed();
}

void LessonPlayer::restore_run() {
  attempt_.reset();
  shown_.reset();
  const std::optional<size_t> task = walk_->open_task();
  // An open goal begins with the scenario of the step. A goal that was reached or skipped shows the
  // run with the settings of tried_.
  if (tried_ && task == tried_->task) tried_.reset();
  Scenario scenario =
      tried_ ? lesson::with_settings(step().scenario, tried_->settings) : step().scenario;
  hold_ = !pending_ && task && step().tasks[*task].kind == lesson::TaskKind::kPredict;
  scenario.view.pace_tiles_per_s = hold_ || pending_ ? pace_of_step() : 0;
  start(scenario, hold_);
}

// The last goal of the step that has been reached before, with the settings that reached it;
// nullopt: none that is saved.
std::optional<LessonPlayer::Tried> LessonPlayer::reached_goal() const {
  std::optional<Tried> reached;
  for (size_t task = 0; task < step().tasks.size(); ++task) {
    if (step().tasks[task].is_question() || !state(task).last || !state(task).last->is_right())
      continue;
    const auto saved = answers_.find(step().tasks[task].name);
    if (saved != answers_.end())
      reached = {task, settings_of_answer(saved_task(saved->second).answer)};
  }
  return reached;
}

void LessonPlayer::start(const Scenario& scenario, bool paused) {
  ++visit_;
  expected_ = scenario;
  const auto latest = control_.bridge().runner().snapshot();
  after_run_ = latest ? latest->run : 0;
  starting_ = true;
  // Of the runs that a lesson starts, only an attempt at a goal shows the engine's remarks.
  control_.tell_remarks(attempt_.has_value());
  control_.show_scenario(scenario);
  const bool started = control_.start(paused);
  starting_ = false;
  has_run_ = has_run_ || started;
  set_run(started ? Run::kLoading : Run::kOther);
}

double LessonPlayer::pace_of_step() const {
  const auto& run = walk_->key().steps[walk_->step()].run;
  if (!run) return 0;
  const auto tiles = std::ranges::count(run->events(), EventKind::kTile, &TraceEvent::kind);
  return std::max(1.0, static_cast<double>(tiles) / kWatched_s);
}

void LessonPlayer::hurry() {
  control_.bridge().set_pace(0);
}

bool LessonPlayer::uses_view(const QString& view) const {
  const std::string name = view.toStdString();
  if (step().view == name) return true;
  return std::ranges::any_of(step().tasks, [&](const lesson::Task& task) {
    return task.reveal && task.reveal->view == name;
  });
}

void LessonPlayer::set_run(Run run) {
  if (run == run_) return;
  run_ = run;
  emit changed();
}

bool LessonPlayer::is_our_run() const {
  const auto& snapshot = control_.bridge().snapshot();
  return snapshot && snapshot->scenario && snapshot->run > after_run_ &&
         !control_.bridge().session() && same_work(*snapshot->scenario, expected_);
}

void LessonPlayer::look_at_run() {
  if (!walk_ || starting_ || run_ == Run::kOther) return;
  if (!is_our_run()) {
    // Until the engine has begun this run, the earlier one is still shown.
    if (run_ != Run::kLoading) set_run(Run::kOther);
    return;
  }
  const EnginePhase phase = control_.bridge().snapshot()->phase;
  if (phase == EnginePhase::kLoading) return;
  if (phase == EnginePhase::kFailed || phase == EnginePhase::kCancelled)
    return set_run(Run::kStopped);
  if (phase == EnginePhase::kFinished) {
    if (run_ == Run::kDone) return;
    // Gives the views all events of the run before the answer is shown in them.
    control_.bridge().catch_up();
    if (run_ == Run::kDone || !walk_) return;  // catch_up() called this function again
    run_ = Run::kDone;
    run_ended();
    emit changed();
    return;
  }
  if (hold_) return set_run(Run::kWaiting);
  if (control_.bridge().gate_state() == RunGate::State::kPaused && run_ != Run::kRunning) {
    control_.bridge().run();  // for a task that was answered before the run had paused
  }
  set_run(Run::kRunning);
}

void LessonPlayer::run_ended() {
  if (tried_ && (attempt_ || !shown_)) grade_tried();
  if (attempt_) return;
  if (pending_) {
    const size_t task = *std::exchange(pending_, std::nullopt);
    since_shown_.start();
    // The outcomes of all predictions are shown at the same time; the first one's place is shown.
    return show_run_of(task < step().num_predictions() ? 0 : task);
  }
  size_t told = 0;
  while (told < step().tasks.size() && state(told).revealed()) ++told;
  if (told > 0) show_run_of(told - 1);
  const std::optional<size_t> goal = told > 0 ? std::optional(told - 1) : walk_->open_task();
  if (goal) show_step_of_goal(*goal, *run_of_window());
}

std::shared_ptr<const lesson::FrozenRun> LessonPlayer::run_of_window() const {
  return std::make_shared<const lesson::FrozenRun>(control_.bridge().snapshot(),
                                                   by_begin(control_.bridge().events()));
}

// If the view of this step of the lesson is empty at the end of a run, shows the step of the run
// that the goal is about.
void LessonPlayer::show_step_of_goal(size_t task, const lesson::FrozenRun& run) {
  const auto* goal = std::get_if<lesson::Goal>(&step().tasks[task].form);
  if (!goal || !lesson::is_empty_at_end(step().view)) return;
  if (const int64_t at = lesson::step_of(*goal, run); at > 0)
    cursor_.go_to(static_cast<uint32_t>(at));
}

// --- tasks ---

std::optional<size_t> LessonPlayer::open_task() const {
  return pending_ ? std::nullopt : walk_->open_task();
}

size_t LessonPlayer::num_shown() const {
  if (pending_) return *pending_ + 1;
  const std::optional<size_t> open = walk_->open_task();
  return open ? *open + 1 : step().tasks.size();
}

bool LessonPlayer::is_computed(size_t task) const {
  if (!state(task).revealed() || pending_ == task) return false;
  const size_t predictions = step().num_predictions();
  return task >= predictions || !(asks_for_more() || (pending_ && *pending_ < predictions));
}

bool LessonPlayer::is_told(size_t task) const {
  if (!is_computed(task)) return false;
  const size_t predictions = step().num_predictions();
  const size_t next = task < predictions ? predictions : task + 1;
  return next >= step().tasks.size() || step().tasks[next].kind != lesson::TaskKind::kObserve ||
         (state(next).revealed() && pending_ != next);
}

bool LessonPlayer::asks_for_more() const {
  const std::optional<size_t> open = walk_->open_task();
  return open && *open < step().num_predictions();
}

const std::vector<lesson::ConditionValue>* LessonPlayer::conditions(size_t task) const {
  if (tried_ && tried_->task == task) return shown_ ? &shown_->conditions : nullptr;
  const std::optional<lesson::Verdict>& last = state(task).last;
  if (last && last->is_right()) return &last->conditions;  // another run is shown
  return &walk_->key().steps[walk_->step()].tasks[task].start;
}

lesson::Verdict LessonPlayer::verdict(size_t task) const {
  if (shown_ && tried_ && tried_->task == task) return *shown_;
  const lesson::Walk::TaskState& done = state(task);
  if (done.last) return *done.last;
  return lesson::grade(walk_->key(), walk_->step(), task,
                       lesson::right_answer(walk_->key(), walk_->step(), task));
}

void LessonPlayer::commit(const lesson::Answer& answer) {
  const std::optional<size_t> task = open_task();
  if (!task || !step().tasks[*task].is_question()) return;
  walk_->commit(*task, answer, static_cast<double>(since_shown_.elapsed()) / 1000);
  remember(*task, answer);
  let_run(*task);
}

void LessonPlayer::let_run(size_t task) {
  if (asks_for_more()) {
    since_shown_.start();
    save();
    emit changed();
    return;
  }
  pending_ = task;
  save();
  if (run_ == Run::kDone) {
    run_ended();
  } else if (run_ == Run::kOther || run_ == Run::kStopped) {
    restore_run();
  } else {
    hold_ = false;
    if (run_ == Run::kWaiting) {
      control_.bridge().run();
      set_run(Run::kRunning);
    }
  }
  emit changed();
}

std::vector<ClassAnswer> LessonPlayer::class_answers(size_t task) const {
  const auto saved = answers_.find(step().tasks[task].name);
  return saved == answers_.end() ? std::vector<ClassAnswer>{}
                                 : saved_task(saved->second).class_answers;
}

void LessonPlayer::keep_class_answers(size_t task, const std::vector<ClassAnswer>& rows) {
  keeps_result_ = false;
  QJsonObject& kept = answers_[step().tasks[task].name];
  SavedTask saved = saved_task(kept);
  saved.class_answers = rows;
  kept = json_of(saved);
  save();
}

lesson::ClassCounts LessonPlayer::class_counts() const {
  return class_counts_of(json_of_answers());
}

void LessonPlayer::skip() {
  const std::optional<size_t> task = open_task();
  if (!task) return;
  const auto* goal = std::get_if<lesson::Goal>(&step().tasks[*task].form);
  keeps_result_ = false;
  attempt_.reset();  // one that was stopped is given up
  trouble_.clear();  // that of an attempt
  walk_->skip(*task);
  SavedTask saved = saved_task(answers_[step().tasks[*task].name]);
  saved.skipped = true;
  answers_[step().tasks[*task].name] = json_of(saved);
  if (goal) {
    Scenario solved = lesson::with_settings(step().scenario, goal->solution);
    tried_ = {*task, goal->solution};
    shown_.reset();
    hold_ = false;
    solved.view.pace_tiles_per_s = 0;
    selection_.begin_anew();
    start(solved, false);
    save();
    emit changed();
    return;
  }
  let_run(*task);
}

QString LessonPlayer::try_settings(const std::vector<lesson::Setting>& settings) {
  const std::optional<size_t> task = open_task();
  if (!task || step().tasks[*task].is_question()) return {};
  Scenario scenario;
  try {
    scenario = lesson::with_settings(step().scenario, settings);
  } catch (const Error& error) {
    return QString::fromUtf8(error.what());
  }
  trouble_.clear();
  attempt_ = settings;
  tried_ = {*task, settings};
  shown_.reset();
  hold_ = false;
  scenario.view.pace_tiles_per_s = 0;
  selection_.begin_anew();  // the settings may choose another layer or head
  start(scenario, false);
  if (run_ == Run::kOther) attempt_.reset();  // not started
  emit changed();
  return {};
}

// Grading can need further runs. It is done on another thread first; take_grade() then grades
// again.
void LessonPlayer::grade_tried() {
  lesson::GoalAnswer answer{tried_->settings, run_of_window()};
  grader_.start(
      [this, answer, visit = visit_, task = tried_->task, at = walk_->step(), walk = walk_] {
        try {
          lesson::grade(walk->key(), at, task, answer);
        } catch (const std::exception&) {
          // take_grade() grades again and reports the error.
        }
        QMetaObject::invokeMethod(
            this,
            [this, answer, visit] {
              if (visit == visit_ && walk_) take_grade(answer);
            },
            Qt::QueuedConnection);
      });
}

// Only an attempt counts as the learner's answer. The grade of another run is only shown.
void LessonPlayer::take_grade(const lesson::GoalAnswer& answer) {
  const size_t task = tried_->task;
  const bool is_attempt = attempt_.has_value();
  attempt_.reset();
  try {
    if (!is_attempt) {
      shown_ = lesson::grade(walk_->key(), walk_->step(), task, answer);
    } else {
      shown_ = walk_->commit(task, answer, static_cast<double>(since_shown_.elapsed()) / 1000);
      remember(task, answer);
      if (walk_->open_task() != task) {
        since_shown_.start();
        show_answer(task);
      }
    }
    show_step_of_goal(task, *answer.run);
  } catch (const Error& error) {
    trouble_ = QString::fromUtf8(error.what());
  }
  save();
  emit changed();
}

bool LessonPlayer::can_hint() const {
  const std::optional<size_t> task = open_task();
  return task && state(*task).hints < step().tasks[*task].hints.size();
}

void LessonPlayer::open_hint() {
  const std::optional<size_t> task = open_task();
  if (!task) return;
  const lesson::Hint* hint = walk_->open_hint(*task);
  if (!hint) return;
  SavedTask saved = saved_task(answers_[step().tasks[*task].name]);
  saved.hints = static_cast<int>(state(*task).hints);
  answers_[step().tasks[*task].name] = json_of(saved);
  if (hint->show) show(*hint->show, walk_->key().steps[walk_->step()].tasks[*task].place);
  save();
  emit changed();
}

// --- showing where answers are ---

// Shows where the answer of a task is. If the task that is open now asks for a click on a place,
// nothing is selected, because the selection would count as that click.
void LessonPlayer::show_run_of(size_t task) {
  const std::optional<size_t> open = open_task();
  if (!open || !std::holds_alternative<lesson::ClickQuestion>(step().tasks[*open].form))
    return show_answer(task);
  const lesson::TaskKey& key = walk_->key().steps[walk_->step()].tasks[task];
  if (!key.reveal.view.empty()) emit view_wanted(QString::fromStdString(key.reveal.view));
  if (!key.place) return;
  lesson::Place place = *key.place;
  if (!lesson::can_be_shown(place)) place.step = key.step;
  go_to_step_of(place);
}

void LessonPlayer::show_answer(size_t task) {
  const lesson::TaskKey& key = walk_->key().steps[walk_->step()].tasks[task];
  if (!step().tasks[task].is_question()) {
    // For a goal, the key's place is one of the run before the learner's change, so it is not
    // shown.
    if (!key.reveal.view.empty()) emit view_wanted(QString::fromStdString(key.reveal.view));
    return;
  }
  if (key.place || key.reveal.at || !key.reveal.view.empty() || key.step > 0)
    show(key.reveal, key.place, key.step);
}

void LessonPlayer::show(const lesson::Spotlight& where, const std::optional<lesson::Place>& place,
                        int64_t in_step) {
  std::optional<lesson::Place> at = place;
  if (where.at) {
    try {
      at = lesson::value_of(*where.at, *walk_->key().steps[walk_->step()].run).place;
    } catch (const Error&) {
      at.reset();
    }
  }
  if (at && !lesson::can_be_shown(*at)) at.reset();
  if (!where.view.empty()) emit view_wanted(QString::fromStdString(where.view));
  if (at) {
    if (at->step <= 0) at->step = in_step;
    select(*at);
  } else if (in_step > 0 && cursor_.range().last > 0) {
    cursor_.go_to(static_cast<uint32_t>(in_step));
  }
  emit ring_wanted(at.has_value(),
                   QString::fromStdString(where.view.empty() ? step().view : where.view));
}

void LessonPlayer::go_to_step_of(const lesson::Place& place) {
  if (place.step > 0 && cursor_.range().last > 0)
    cursor_.go_to(static_cast<uint32_t>(place.step));
  else
    cursor_.go_live();
}

void LessonPlayer::select(const lesson::Place& place) {
  go_to_step_of(place);
  show_place(place, control_.bridge(), selection_);
}

std::optional<lesson::Place> LessonPlayer::pointed_place() const {
  const std::optional<size_t> task = open_task();
  if (!task) return std::nullopt;
  const auto* click = std::get_if<lesson::ClickQuestion>(&step().tasks[*task].form);
  return click ? place_of_selection(click->kind, selection_, cursor_) : std::nullopt;
}

// --- steps and progress ---

void LessonPlayer::go_to(size_t step) {
  if (!walk_->can_go_to(step)) return;
  walk_->go_to(step);
  arrive();
}

void LessonPlayer::begin_again() {
  auto key = std::make_shared<const lesson::AnswerKey>(walk_->key());
  progress_.forget_answers(progress_name(lesson().about));
  begin(std::make_shared<lesson::Walk>(std::move(key)));
}

void LessonPlayer::remember(size_t task, const lesson::Answer& answer) {
  keeps_result_ = false;
  const std::string& name = step().tasks[task].name;
  SavedTask saved = saved_task(answers_[name]);
  const bool is_goal = !step().tasks[task].is_question();
  if (saved.answer.isEmpty() || is_goal) saved.answer = json_of(answer);
  if (is_goal) saved.tries = static_cast<int>(state(task).tries);
  saved.seconds = state(task).seconds;
  answers_[name] = json_of(saved);
}

// The number of the lesson's tasks that are done: questions that are answered, goals that are
// reached, and tasks that are skipped.
int LessonPlayer::num_done() const {
  int done = 0;
  for (size_t step = 0; step < lesson().steps.size(); ++step)
    for (size_t task = 0; task < lesson().steps[step].tasks.size(); ++task) {
      const lesson::Walk::TaskState& of = walk_->state(step, task);
      const bool answered = lesson().steps[step].tasks[task].is_question()
                                ? of.first.has_value()
                                : of.last && of.last->is_right();
      done += answered || of.skipped ? 1 : 0;
    }
  return done;
}

QJsonObject LessonPlayer::json_of_answers() const {
  QJsonObject answers;
  for (const auto& [name, answer] : answers_) answers.insert(QString::fromStdString(name), answer);
  return answers;
}

void LessonPlayer::save() {
  if (keeps_result_) return;
  const SavedLesson before = progress_.of(progress_name(lesson().about)).with_best();
  const SavedLesson saved{.hash = QString::fromStdString(lesson().hash),
                          .step = static_cast<int>(walk_->step()),
                          .tasks = static_cast<int>(lesson().num_tasks()),
                          .answered = num_done(),
                          .right = static_cast<int>(walk_->right_at_first()),
                          .answers = json_of_answers(),
                          .best_right = before.best_right,
                          .best_tasks = before.best_tasks};
  progress_.save(progress_name(lesson().about), saved);
  if (!before.is_done() && saved.is_done()) emit finished();
}

}  // namespace attn::gui

#include "moc_lesson_player.cpp"
