// SPDX-License-Identifier: GPL-3.0-or-later
// WindowLessons: lessons in the window: their menu and panel, the ring around what a view shows as
// selected, the return to the run from before the lesson, results and hand-outs. GUI thread.
#pragma once

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <QPointer>
#include <QTabWidget>
#include <memory>
#include <optional>
#include <vector>

#include "gui/app/bars/message_bar.h"
#include "gui/app/commands/actions.h"
#include "gui/app/lessons/class_dialog.h"
#include "gui/app/lessons/lesson_width.h"
#include "gui/app/lessons/user_work.h"
#include "gui/app/lessons/window_handouts.h"
#include "gui/app/lessons/window_results.h"
#include "gui/app/window/window_layouts.h"
#include "gui/models/lesson/lesson_loader.h"
#include "gui/views/lessons/lesson_panel.h"
#include "gui/widgets/spotlight/spotlight.h"

namespace attn::gui {

struct LessonTargets {
  RunControl& control;
  Selection& selection;
  TimeCursor& cursor;
  WindowSession& session;
  WindowLayouts& layouts;
  MessageBar& messages;
  const Actions& actions;
  QTabWidget& attention;
  const std::vector<View*>& views;  // named as in the registry (objectName())
  QMenu& menu;                      // WindowLessons fills it
  QMainWindow& window;
  bool keep;  // true: progress is kept in the settings
};

class WindowLessons : public QObject {
  Q_OBJECT
 public:
  explicit WindowLessons(const LessonTargets& targets);
  ~WindowLessons() override;

  void show();
  // Opens a shipped lesson by its name or number, or a file. step: the step to show, from 0.
  // nullopt: the step at which the lesson was left; the first step if the lesson is new, done or
  // changed.
  void open(const QString& name_or_file, std::optional<size_t> step = std::nullopt);
  void leave();
  // Begins the open lesson, or the listed lesson of this file, at its first step; its answers and
  // counts are forgotten.
  void begin_again();
  void begin_again(const QString& file);
  // Offers start_here() in the message bar, if LessonProgress::may_offer() and lessons are
  // installed.
  void offer_start();
  // Opens the first lesson that is not done and has no mistakes; if there is none, the first
  // lesson.
  void start_here();
  void refresh_menu();
  void ask_results();
  // Reads files of results, or folders with such files, and shows the table of the class.
  void take_results(const QStringList& files);
  ClassDialog* class_dialog() const { return class_dialog_; }  // null: there is none
  // Writes the answers to the open lesson. Returns what went wrong; empty: they are written.
  QString write_results(const QString& file, const QString& learner) const;
  void ask_handout(bool teacher);
  WindowHandouts& handouts() { return handouts_; }
  WindowResults& results() { return results_; }

  bool is_open() const { return !dock_->isHidden(); }
  bool is_busy() const;
  LessonPanel& panel() const { return *panel_; }
  LessonPlayer& player() { return player_; }
  LessonProgress& progress() { return progress_; }
  Spotlight& spotlight() { return *spotlight_; }

 signals:
  void failed(const QStringList& reasons);  // the lesson could not be computed
  void left();  // the lessons are closed and the work from before is back

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool is_in_view() const;
  void place_pointed();
  bool take_key(QObject* watched, const QKeyEvent& event);
  void results_read(const QStringList& files, const QString& trouble);
  void tell_mistakes(const QString& file, const QStringList& mistakes);
  void enter();
  void loaded(const std::shared_ptr<lesson::Walk>& walk);
  bool may_begin();
  void show_view(const QString& name);
  void ring(bool on, const QString& name);
  void hide_panels();
  void leave_job();
  View* view(const QString& name) const;
  void player_changed();
  const std::vector<LessonEntry>& entries();

  LessonTargets targets_;
  LessonProgress progress_;
  LessonPlayer player_;
  LessonLoader loader_;
  WindowHandouts handouts_;
  WindowResults results_;
  QString file_;  // of the open lesson
  LessonPanel* panel_;
  QDockWidget* dock_;
  LessonWidth* width_ = nullptr;
  Spotlight* spotlight_;
  std::vector<LessonEntry> entries_;
  bool entries_read_ = false;
  QAction *start_here_, *again_, *leave_;
  std::unique_ptr<UserWork> work_;  // the work from before the lessons; null: none
  std::optional<size_t> wanted_step_;
  QPointer<ClassDialog> class_dialog_;
  bool made_wide_ = false, quiet_ = false;
  bool pointed_ = false;  // a place was chosen in a view, which has got no key since
  bool ran_ = false;      // a lesson before the open one has run something
};

}  // namespace attn::gui
