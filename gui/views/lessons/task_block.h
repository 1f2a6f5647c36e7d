// SPDX-License-Identifier: GPL-3.0-or-later
// TaskBlock: one task of a step of a lesson, with its input and its outcome. GUI thread.
#pragma once

#include <QPushButton>
#include <QVBoxLayout>
#include <QWidget>
#include <optional>
#include <vector>

#include "gui/models/lesson/lesson_player.h"
#include "gui/views/lessons/choice_input.h"
#include "gui/views/lessons/count_board.h"
#include "gui/views/lessons/goal_input.h"
#include "gui/views/lessons/lesson_text.h"
#include "gui/views/lessons/number_input.h"
#include "gui/views/lessons/place_input.h"

namespace attn::gui {

class TaskBlock : public QWidget {
  Q_OBJECT
 public:
  // presenting: the answers of a class are counted if the task is a question.
  TaskBlock(LessonPlayer& player, EngineBridge& bridge, Selection& selection, TimeCursor& cursor,
            size_t task, bool presenting, QWidget* parent = nullptr);

  size_t task() const { return task_; }
  bool is_goal() const { return goal_ != nullptr; }
  std::optional<lesson::Answer> answer() const;
  std::vector<lesson::Setting> settings() const;
  // Whether the numbers of a goal are within their ranges.
  bool can_be_tried() const { return goal_ && goal_->is_valid(); }
  // Whether a question that was answered or skipped before is now put to a class. end_counting()
  // shows the outcome.
  bool is_counting() const { return counting_; }
  void end_counting();
  void begin();
  void refresh();

  ChoiceInput* choice() const { return choice_; }
  NumberInput* number() const { return number_; }
  PlaceInput* place() const { return place_; }
  GoalInput* goal() const { return goal_; }
  CountBoard* board() const { return board_; }
  // Which answers near the right one count as right, above the board of a number; null: none, or
  // there is no board.
  const LessonText* near_words() const { return near_; }
  QString told() const;
  const std::vector<LessonText*>& hints() const { return hints_; }  // the hints that were opened
  // null: there is no such button
  QPushButton* show_button() const { return show_; }

 signals:
  void answer_changed();

 private:
  class Line;
  const lesson::Task& description() const;
  const lesson::TaskKey& key() const;
  void build_input(EngineBridge& bridge, Selection& selection, TimeCursor& cursor);
  void build_board();
  void add_place_to_board();
  void keep_counts();
  void restore_counts();
  void close_input();
  lesson::Verdict verdict() const;
  void show_outcome();
  void show_right_answer(const lesson::Verdict& verdict);
  void show_explanations(const lesson::Verdict& verdict);
  void add_show_button();
  void show_conditions();
  void follow_shown_head(Selection& selection);
  bool is_judged() const;
  void restyle();

  LessonPlayer& player_;
  size_t task_;
  bool presenting_;
  QVBoxLayout* column_;
  LessonText* question_;
  ChoiceInput* choice_ = nullptr;
  NumberInput* number_ = nullptr;
  PlaceInput* place_ = nullptr;
  GoalInput* goal_ = nullptr;
  CountBoard* board_ = nullptr;
  LessonText* near_ = nullptr;
  QStringList board_answers_;
  std::vector<lesson::Place> board_places_;
  std::vector<Line*> conditions_;
  std::vector<LessonText*> hints_;
  Line* outcome_;
  std::vector<LessonText*> explanations_;
  QPushButton *show_ = nullptr, *add_ = nullptr;
  bool closed_ = false, told_ = false, right_shown_ = false, counting_ = false;
  std::vector<lesson::Setting> begun_with_;  // the goal's first settings
  // The layer and head shown last; nullopt: none since a run began, or the task is no goal.
  std::optional<std::pair<int64_t, int64_t>> shown_head_;
};

}  // namespace attn::gui
