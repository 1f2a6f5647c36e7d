// SPDX-License-Identifier: GPL-3.0-or-later
// WindowLessons: lessons in the window: their menu, the panel at the right of all others, the ring
// around what is to be looked at, and the return to the run that the person had before. GUI thread.
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
#include "gui/app/lessons/user_work.h"
#include "gui/app/lessons/window_handouts.h"
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
  const std::vector<View*>& views;  // their object names are those of the registry
  QMenu& menu;                      // is filled
  QMainWindow& window;
  bool keep;  // progress is kept in the settings
};

class WindowLessons : public QObject {
  Q_OBJECT
 public:
  explicit WindowLessons(const LessonTargets& targets);
  ~WindowLessons() override;

  // Shows the list of lessons, or gives the keyboard to the lesson that is taken.
  void show();
  // Opens a shipped lesson by its name or number, or a file; what is wrong with it is told in the
  // message bar, and its mistakes also in the panel, unless a lesson is taken there. Mistakes that
  // only its runs show are told in the panel alone. step: from 0; nothing: where it was left, or
  // the first if it was done or has changed. Tasks before it that were not answered count as
  // skipped.
  void open(const QString& name_or_file, std::optional<size_t> step = std::nullopt);
  // Closes the lessons; the run that was shown before them comes back.
  void leave();
  // Offers the first lesson in the message bar: once, and not to a person who has begun a lesson.
  void offer_start();
  // Opens the first lesson that is not done, as the first entry of the menu does; if all are done,
  // the first of all.
  void start_here();
  // Fills the menu; also done when it opens.
  void refresh_menu();
  // Asks for the person's name and for a file, then writes the results there.
  void ask_results();
  // Reads files of results, or folders that hold some, and shows the table of the class. What is
  // wrong with them goes into the message bar.
  void take_results(const QStringList& files);
  ClassDialog* class_dialog() const { return class_dialog_; }  // null: there is none
  // Writes the answers of the lesson that is taken. Returns what went wrong; empty: nothing.
  QString write_results(const QString& file, const QString& learner) const;
  // Asks for a file, then writes the hand-out of the lesson that is taken, as PDF.
  void ask_handout(bool teacher);
  WindowHandouts& handouts() { return handouts_; }

  bool is_open() const { return !dock_->isHidden(); }
  // Whether a lesson is being loaded, or the run of its step has not ended and does not wait for an
  // answer.
  bool is_busy() const;
  LessonPanel& panel() const { return *panel_; }
  LessonPlayer& player() { return player_; }
  LessonProgress& progress() { return progress_; }
  Spotlight& spotlight() { return *spotlight_; }

 signals:
  void left();  // the lessons are closed, and what was shown before is back

 private:
  void results_read(const QStringList& files, const QString& trouble);
  void tell_mistakes(const QString& file, const QStringList& mistakes);
  void enter();
  void loaded(const std::shared_ptr<lesson::Walk>& walk);
  bool may_begin();
  void show_view(const QString& name);
  void ring(bool on, const QString& name);
  void hide_panels();
  void place_panel();
  View* view(const QString& name) const;
  void player_changed();
  const std::vector<LessonEntry>& entries();
  int panel_width() const;

  LessonTargets targets_;
  LessonProgress progress_;
  LessonPlayer player_;
  LessonLoader loader_;
  WindowHandouts handouts_;
  QString file_;  // of the lesson that is taken
  LessonPanel* panel_;
  QDockWidget* dock_;  // at the right of all other panels; hidden unless lessons are open
  Spotlight* spotlight_;
  std::vector<LessonEntry> entries_;
  bool entries_read_ = false;
  QAction *start_here_, *leave_;
  std::unique_ptr<UserWork> work_;  // null: no lessons are open, and nothing is being given back
  std::optional<size_t> wanted_step_;
  QPointer<ClassDialog> class_dialog_;
  QString learner_;  // the name that was typed last
  bool made_wide_ = false, quiet_ = false;
  bool ran_ = false;  // a lesson that was left for another one has run something
};

}  // namespace attn::gui
