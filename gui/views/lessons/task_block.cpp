// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/lessons/task_block.h"

#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/lesson/quantity/lesson_language.h"
#include "gui/theme/icons.h"
#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

constexpr int kMostDecimals = 6;

int decimals_of(double step) {
  int decimals = 0;
  while (decimals < kMostDecimals &&
         std::abs(step - std::round(step)) > 1e-9 * std::max(1.0, step)) {
    step *= 10;
    ++decimals;
  }
  return decimals;
}

// The table of controls does not know how many layers and heads there are.
void limit_to_source(lesson::Control& control, const std::vector<lesson::Control>& all,
                     const lesson::FrozenRun* run) {
  const auto limit = [&](const char* shown, const char* changed, int64_t number) {
    if (control.name == shown &&
        std::ranges::find(all, changed, &lesson::Control::name) == all.end())
      control.max = static_cast<double>(number - 1);
  };
  if (!run) return;
  limit("view_layer", "num_layers", run->end().source.num_layers);
  limit("view_head", "num_heads", run->end().source.num_heads);
}

QString unit_of(const lesson::NumberQuestion& question) {
  return QString::fromStdString(
      std::string(lesson::in_language(question.measure.unit, question.measure.language)));
}

}  // namespace

class TaskBlock::Line : public QWidget {
 public:
  enum class Mark : quint8 { kNone, kGood, kBad };
  explicit Line(QWidget* parent) : QWidget(parent), mark_(new QLabel), text_(new LessonText) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(mark_, 0, Qt::AlignTop);
    row->addWidget(text_, 1);
    connect(&Theme::instance(), &Theme::changed, this, &Line::restyle);
    hide();
  }
  void show_line(Mark mark, const QString& text) {
    kind_ = mark;
    text_->set_plain(text);
    restyle();
    setVisible(!text.isEmpty());
  }
  QString plain() const { return isHidden() ? QString() : text_->plain(); }

 private:
  void restyle() {
    const Theme& theme = Theme::instance();
    mark_->setVisible(kind_ != Mark::kNone);
    if (kind_ == Mark::kNone) return;
    const bool good = kind_ == Mark::kGood;
    mark_->setPixmap(icon_pixmap(good ? Icon::kCheck : Icon::kClose, theme.px(18),
                                 good ? theme.colors().good : theme.colors().bad,
                                 devicePixelRatioF()));
  }
  QLabel* mark_;
  LessonText* text_;
  Mark kind_ = Mark::kNone;
};

TaskBlock::TaskBlock(LessonPlayer& player, EngineBridge& bridge, Selection& selection,
                     TimeCursor& cursor, size_t task, bool presenting, QWidget* parent)
    : QWidget(parent),
      player_(player),
      task_(task),
      presenting_(presenting && player.step().tasks[task].is_question()),
      column_(new QVBoxLayout(this)),
      question_(new LessonText(presenting ? TextRole::kLarge : TextRole::kBody)) {
  column_->setContentsMargins(0, 0, 0, 0);
  column_->setSpacing(Theme::instance().px(8));
  column_->addWidget(question_);
  question_->set_markdown(player.filled(description().question));
  build_input(bridge, selection, cursor);
  if (presenting_) build_board();
  counting_ = presenting_ && board_->total() == 0 && player.state(task).revealed();
  outcome_ = new Line(this);
  column_->addWidget(outcome_);
  connect(&Theme::instance(), &Theme::changed, this, &TaskBlock::restyle);
  refresh();
}

const lesson::Task& TaskBlock::description() const {
  return player_.step().tasks[task_];
}

const lesson::TaskKey& TaskBlock::key() const {
  return player_.walk().key().steps[player_.walk().step()].tasks[task_];
}

void TaskBlock::build_input(EngineBridge& bridge, Selection& selection, TimeCursor& cursor) {
  const QString question = question_->plain();
  if (const auto* number = std::get_if<lesson::NumberQuestion>(&description().form)) {
    number_ = new NumberInput(this);
    number_->set_range(number->min, number->max, number->step, decimals_of(number->step),
                       unit_of(*number), question);
    number_->set_tolerance(QString::fromStdString(lesson::tolerance_words(*number)));
    column_->addWidget(number_);
    connect(number_, &NumberInput::changed, this, &TaskBlock::answer_changed);
    number_->setVisible(!presenting_);
  } else if (const auto* choice = std::get_if<lesson::ChoiceQuestion>(&description().form)) {
    choice_ = new ChoiceInput(this);
    QStringList options;
    for (const auto& option : choice->options) {
      LessonText text;
      text.set_markdown(player_.filled(option.text));
      options.append(text.plain().simplified());
    }
    choice_->set_choices(question, options);
    column_->addWidget(choice_);
    connect(choice_, &ChoiceInput::changed, this, &TaskBlock::answer_changed);
    choice_->setVisible(!presenting_);
  } else if (const auto* click = std::get_if<lesson::ClickQuestion>(&description().form)) {
    place_ = new PlaceInput(click->kind, bridge, selection, cursor, this);
    column_->addWidget(place_);
    connect(place_, &PlaceInput::changed, this, &TaskBlock::answer_changed);
  } else if (const auto* goal = std::get_if<lesson::Goal>(&description().form)) {
    const std::string& language = player_.lesson().about.language;
    std::vector<lesson::Control> controls = goal->controls;
    for (lesson::Control& control : controls) {
      control.label = lesson::in_language(control.label, language);
      control.unit = lesson::in_language(control.unit, language);
      limit_to_source(control, goal->controls,
                      player_.walk().key().steps[player_.walk().step()].run.get());
    }
    goal_ = new GoalInput(controls, player_.step().scenario, this);
    column_->addWidget(goal_);
    connect(goal_, &GoalInput::changed, this, &TaskBlock::answer_changed);
    connect(goal_, &GoalInput::changed, this, &TaskBlock::show_conditions);
    begun_with_ = goal_->settings();
    follow_shown_head(selection);
    for (size_t i = 0; i < goal->conditions.size(); ++i) {
      conditions_.push_back(new Line(this));
      column_->addWidget(conditions_.back());
    }
  }
}

// Puts a newly shown layer or head into the fields of an open goal, unless a try runs. The first
// head of a new run changes no field.
void TaskBlock::follow_shown_head(Selection& selection) {
  shown_head_ = {selection.shown_layer(), selection.shown_head()};
  connect(&selection, &Selection::shown_changed, this, [this, &selection] {
    if (selection.shown_request() < 0) {  // a run begins
      shown_head_.reset();
      return;
    }
    const std::pair now{selection.shown_layer(), selection.shown_head()};
    const auto before = std::exchange(shown_head_, now);
    if (closed_ || player_.is_trying() || !before) return;
    std::vector<lesson::Setting> settings;
    if (now.first != before->first) settings.push_back({"view_layer", std::to_string(now.first)});
    if (now.second != before->second) settings.push_back({"view_head", std::to_string(now.second)});
    goal_->set_settings(settings);
  });
}

// --- the answers of a class ---

void TaskBlock::build_board() {
  board_ = new CountBoard(this);
  if (const auto* choice = std::get_if<lesson::ChoiceQuestion>(&description().form)) {
    for (size_t i = 0; i < choice->options.size(); ++i) {
      LessonText text;
      text.set_markdown(player_.filled(choice->options[i].text));
      board_answers_.append(QStringLiteral("%1  %2").arg(ChoiceInput::letter(static_cast<int>(i)),
                                                         text.plain().simplified()));
    }
  } else if (const auto* number = std::get_if<lesson::NumberQuestion>(&description().form)) {
    const QLocale locale;
    const auto words = [&](double value) { return locale.toString(value, 'g', 6); };
    for (const auto& [least, most] : lesson::number_rows(*number))
      board_answers_.append(
          (least == most ? tr("%1 %2").arg(words(least), unit_of(*number))
                         : tr("%1 to %2 %3").arg(words(least), words(most), unit_of(*number)))
              .trimmed());
    // The field of a learner says it, too, but that is hidden here.
    if (const std::string near = lesson::tolerance_words(*number); !near.empty()) {
      near_ = new LessonText;
      near_->set_plain(QString::fromStdString(near));
      column_->addWidget(near_);
    }
  } else {
    add_ = new QPushButton(tr("Add this answer"));
    add_->setToolTip(tr("Adds a row in which this answer of the class is counted."));
    connect(add_, &QPushButton::clicked, this, &TaskBlock::add_place_to_board);
    column_->addWidget(add_, 0, Qt::AlignLeft);
  }
  board_->set_answers(board_answers_);
  column_->addWidget(board_);
  restore_counts();
  connect(board_, &CountBoard::changed, this, &TaskBlock::keep_counts);
  connect(board_, &CountBoard::changed, this, &TaskBlock::answer_changed);
}

void TaskBlock::keep_counts() {
  std::vector<ClassAnswer> rows;
  const std::vector<int> counts = board_->counts();
  for (size_t i = 0; i < counts.size(); ++i) {
    rows.push_back({.count = counts[i]});
    if (!add_) continue;
    rows.back().place = board_places_[i];
    rows.back().words = board_answers_[static_cast<qsizetype>(i)];
  }
  player_.keep_class_answers(task_, rows);
}

void TaskBlock::restore_counts() {
  std::vector<int> counts;
  for (const ClassAnswer& row : player_.class_answers(task_)) {
    if (add_ && !row.place) continue;
    counts.push_back(row.count);
    if (!add_) continue;
    board_places_.push_back(*row.place);
    board_answers_.append(row.words);
  }
  board_->set_answers(board_answers_);
  board_->set_counts(counts);
}

void TaskBlock::add_place_to_board() {
  const auto place = place_->place();
  if (!place || std::ranges::find(board_places_, *place) != board_places_.end()) return;
  std::vector<int> counts = board_->counts();
  board_places_.push_back(*place);
  board_answers_.append(place_->words());
  counts.push_back(1);
  {
    const QSignalBlocker whole(board_);  // new rows start empty
    board_->set_answers(board_answers_);
    board_->set_counts(counts);
  }
  keep_counts();
  emit answer_changed();
}

// --- answering ---

std::optional<lesson::Answer> TaskBlock::answer() const {
  if (number_ && number_->value()) return lesson::NumberAnswer{*number_->value()};
  if (choice_ && choice_->chosen() >= 0)
    return lesson::ChoiceAnswer{static_cast<size_t>(choice_->chosen())};
  if (place_ && place_->place()) return lesson::ClickAnswer{*place_->place()};
  return std::nullopt;
}

std::vector<lesson::Setting> TaskBlock::settings() const {
  return goal_ ? goal_->settings() : std::vector<lesson::Setting>{};
}

void TaskBlock::begin() {
  if (board_) return board_->setFocus();
  if (number_) return number_->begin();
  if (place_) return place_->begin();
  if (choice_) return choice_->setFocus();
  if (goal_) goal_->setFocus();
}

void TaskBlock::close_input() {
  if (number_) number_->close();
  if (choice_) choice_->close(-1);
  if (place_) place_->close();
  if (add_) {
    add_->hide();
    place_->hide();
  }
  if (goal_) goal_->close();
  closed_ = true;
}

void TaskBlock::refresh() {
  const lesson::Walk::TaskState& state = player_.state(task_);
  for (size_t i = hints_.size(); i < state.hints; ++i) {
    auto* hint = new LessonText;
    hint->set_markdown(
        tr("**Hint %1:** %2").arg(i + 1).arg(player_.filled(description().hints[i].text)));
    column_->insertWidget(column_->indexOf(outcome_), hint);
    hint->show();
    hints_.push_back(hint);
  }
  if (goal_) {
    // An open task keeps the learner's settings unless a try runs.
    const auto* tried = player_.tried(task_);
    if (tried && (player_.is_trying() || player_.open_task() != task_)) goal_->set_settings(*tried);
    show_conditions();
  }
  if (counting_) return;
  const bool is_open = player_.open_task() == task_;
  if (!closed_ && !is_open) close_input();
  if (presenting_ && player_.is_computed(task_)) show_right_answer(verdict());
  if (!told_ && player_.is_told(task_)) show_outcome();
}

void TaskBlock::end_counting() {
  counting_ = false;
  refresh();
}

// A class is told the right answer, not how this window answered before.
lesson::Verdict TaskBlock::verdict() const {
  if (!board_) return player_.verdict(task_);
  const size_t step = player_.walk().step();
  return lesson::grade(player_.walk().key(), step, task_,
                       lesson::right_answer(player_.walk().key(), step, task_));
}

bool TaskBlock::is_judged() const {
  const auto* tried = player_.tried(task_);
  const std::vector<lesson::Setting> now = goal_->settings();
  return std::ranges::all_of(tried ? *tried : begun_with_, [&now](const auto& judged) {
    const auto field = std::ranges::find(now, judged.control, &lesson::Setting::control);
    return field == now.end() || field->value == judged.value;
  });
}

void TaskBlock::show_conditions() {
  const auto& goal = std::get<lesson::Goal>(description().form);
  const std::vector<lesson::ConditionValue>* shown = player_.conditions(task_);
  if (!shown)
    for (Line* line : conditions_) line->show_line(Line::Mark::kNone, {});
  const std::vector<lesson::ConditionValue>& values =
      shown ? *shown : std::vector<lesson::ConditionValue>{};
  const bool is_now = is_judged();
  for (size_t i = 0; i < std::min(conditions_.size(), values.size()); ++i)
    conditions_[i]->show_line(
        !is_now           ? Line::Mark::kNone
        : values[i].holds ? Line::Mark::kGood
                          : Line::Mark::kBad,
        QString::fromStdString(lesson::goal_words(goal.conditions[i], values[i],
                                                  player_.lesson().about.language, is_now)));
}

void TaskBlock::show_outcome() {
  const lesson::Walk::TaskState& state = player_.state(task_);
  // A goal is told again with each try until it is reached or given up.
  const auto* conditions = goal_ ? player_.conditions(task_) : nullptr;
  told_ = !goal_ || (conditions && (state.is_given_up() || (state.last && state.last->is_right())));
  if (goal_ && state.is_given_up()) {
    outcome_->show_line(
        Line::Mark::kNone,
        tr("One solution: %1.")
            .arg(QString::fromStdString(lesson::solution_words(
                std::get<lesson::Goal>(description().form), player_.lesson().about.language))));
    if (conditions) show_explanations(player_.verdict(task_));
    return;
  }
  const lesson::Verdict verdict = this->verdict();
  if (goal_)
    outcome_->show_line(
        verdict.is_right() ? Line::Mark::kGood : Line::Mark::kBad,
        verdict.is_right() ? tr("The goal is reached.") : tr("The goal is not reached yet."));
  else
    show_right_answer(verdict);
  show_explanations(verdict);
  add_show_button();
}

void TaskBlock::show_right_answer(const lesson::Verdict& verdict) {
  if (std::exchange(right_shown_, true)) return;
  const QString right = choice_ ? ChoiceInput::letter(static_cast<int>(key().option))
                                : QString::fromStdString(verdict.right);
  if (board_ || player_.state(task_).skipped) {
    outcome_->show_line(Line::Mark::kNone, tr("The run says: %1.").arg(right));
  } else if (verdict.is_right()) {
    outcome_->show_line(Line::Mark::kGood, choice_ ? tr("Correct: %1.").arg(right)
                                                   : tr("Correct. The run says: %1.").arg(right));
  } else {
    outcome_->show_line(Line::Mark::kBad,
                        choice_ && choice_->chosen() >= 0
                            ? tr("Not %1. The right answer is %2.")
                                  .arg(ChoiceInput::letter(choice_->chosen()), right)
                            : tr("You said: %1. The run says: %2.")
                                  .arg(QString::fromStdString(verdict.answered), right));
  }
  if (choice_) choice_->close(static_cast<int>(key().option));
  if (board_)
    board_->reveal(
        lesson::row_marks(player_.walk().key(), player_.walk().step(), task_, board_places_));
}

void TaskBlock::show_explanations(const lesson::Verdict& verdict) {
  for (LessonText* old : explanations_) old->deleteLater();
  explanations_.clear();
  for (const std::string& text : verdict.explanations) {
    auto* explanation = new LessonText;
    explanation->set_markdown(QString::fromStdString(text));
    column_->addWidget(explanation);
    explanation->show();
    explanations_.push_back(explanation);
  }
}

// One place is ringed at a time: the button chooses among several predictions.
void TaskBlock::add_show_button() {
  if (show_ || player_.step().num_predictions() < 2 || task_ >= player_.step().num_predictions() ||
      (!key().place && key().reveal.view.empty()))
    return;
  show_ = new QPushButton(tr("Show where"));
  show_->setToolTip(tr("Rings the answer to this question in its view."));
  show_->setAccessibleName(tr("Show where the answer to question %1 is").arg(task_ + 1));
  show_->setFocusPolicy(Qt::TabFocus);
  connect(show_, &QPushButton::clicked, this, [this] { player_.show_answer(task_); });
  column_->addWidget(show_, 0, Qt::AlignLeft);
  show_->show();
}

QString TaskBlock::told() const {
  QStringList all;
  if (!outcome_->plain().isEmpty()) all.append(outcome_->plain());
  for (const LessonText* explanation : explanations_) all.append(explanation->plain());
  return all.join(QLatin1Char('\n'));
}

void TaskBlock::restyle() {
  column_->setSpacing(Theme::instance().px(8));
}

}  // namespace attn::gui

#include "moc_task_block.cpp"
