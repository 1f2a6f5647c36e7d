// SPDX-License-Identifier: GPL-3.0-or-later
// LessonPage: the current step of a lesson: its text, the tasks shown so far, a note on the run,
// and the buttons below. GUI thread.
#pragma once

#include <QElapsedTimer>
#include <QPushButton>
#include <QScrollArea>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWidget>
#include <vector>

#include "gui/models/lesson/lesson_player.h"
#include "gui/views/lessons/lesson_text.h"
#include "gui/views/lessons/task_block.h"

namespace attn::gui {

class LessonPage : public QWidget {
  Q_OBJECT
 public:
  // A click on the main button within this time after a change of its action may be meant for the
  // earlier action.
  static constexpr int kLateClick_ms = 700;
  LessonPage(LessonPlayer& player, EngineBridge& bridge, Selection& selection, TimeCursor& cursor,
             QWidget* parent = nullptr);
  void set_presenting(bool presenting);
  bool is_presenting() const { return presenting_; }
  // Focuses the task that is asked, or else the main button.
  void begin();

  // Keys that were pressed in a view which does not use them: 1 to 9 and Enter. False: not taken.
  bool take_key(const QKeyEvent& event);
  // Commits the place of the open task. False: there is none, or it cannot be committed now.
  bool commit_place();

  QPushButton* primary() const { return primary_; }
  QToolButton* back_button() const { return back_; }
  QToolButton* hint_button() const { return hint_; }
  QToolButton* skip_button() const { return skip_; }
  const std::vector<TaskBlock*>& blocks() const { return blocks_; }
  QString note() const { return note_->plain(); }

 signals:
  void leave_asked();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  enum class Next : quint8 { kCommit, kReveal, kTry, kHurry, kRestore, kGoOn, kLeave, kWait };
  Next next() const;
  void build_footer(QVBoxLayout* column);
  void build_step();
  void refresh();
  void refresh_footer();
  void add_blocks();
  void go_on();
  bool take_enter(const QKeyEvent& event);
  bool is_late_click() const;
  bool is_second_half_of_next() const;
  void show_newest();
  void show_question();
  void show_hint();
  TaskBlock* open_block() const;
  TaskBlock* asked_block() const;
  QString note_text() const;

  LessonPlayer& player_;
  EngineBridge& bridge_;
  Selection& selection_;
  TimeCursor& cursor_;
  QScrollArea* scroll_;
  QWidget* content_ = nullptr;
  QVBoxLayout* column_ = nullptr;
  std::vector<TaskBlock*> blocks_;
  LessonText *note_, *trouble_;
  QToolButton *back_, *hint_, *skip_;
  QPushButton* primary_;
  bool presenting_ = false;
  bool begins_ = false;  // a class has not gone on from the beginning of the step; show_question()
  size_t focused_ = 0;   // 1 + index of the task that was focused last; 0: none
  bool focused_next_ = false;
  Next was_ = Next::kWait;   // what primary_ meant last; kWait after "To the end" was pressed
  QElapsedTimer since_end_;  // since "To the end" gave way to Next, Finish or Reveal
  QElapsedTimer since_next_;
};

}  // namespace attn::gui
