// SPDX-License-Identifier: GPL-3.0-or-later
// LessonPanel: the list of lessons, the lesson that is taken, the progress while one is prepared,
// or the mistakes of a file. GUI thread.
#pragma once

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>

#include "gui/theme/panel_header.h"
#include "gui/views/lessons/lesson_list.h"
#include "gui/views/lessons/lesson_page.h"
#include "gui/widgets/view.h"

namespace attn::gui {

class LessonPanel : public QWidget {
  Q_OBJECT
 public:
  LessonPanel(LessonPlayer& player, const LessonProgress& progress, EngineBridge& bridge,
              Selection& selection, TimeCursor& cursor, QWidget* parent = nullptr);

  void show_list(std::vector<LessonEntry> entries);
  void show_busy(const QString& title);
  void show_progress(int done, int all);
  // mistakes: one text each. The first 20 are shown.
  void show_mistakes(const QString& file, const QStringList& mistakes);
  void show_lesson();
  void begin();
  QSize sizeHint() const override;

  LessonList* list() const { return list_; }
  LessonPage* page() const { return page_; }
  // Empty if no mistakes are shown.
  QString mistakes_text() const;
  QToolButton* presenter_button() const { return presenter_; }
  QToolButton* results_button() const { return results_; }
  QToolButton* handout_button() const { return handout_; }
  QToolButton* close_button() const { return close_; }
  QPushButton* again_button() const { return again_; }  // opens the file with mistakes again
  static QString handout_words(bool teacher);
  static QString handout_meaning(bool teacher);

 signals:
  void chosen(const QString& file);
  void leave_asked();
  void results_asked();
  void handout_asked(bool teacher);
  void presenting_changed(bool presenting);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void refresh_header();
  void build_handout_menu();
  QWidget* build_busy();
  QWidget* build_mistakes();
  void restyle();

  LessonPlayer& player_;
  PanelHeader* header_;
  QToolButton *presenter_, *handout_, *results_, *close_;
  QStackedWidget* stack_;
  LessonList* list_;
  LessonPage* page_;
  LessonText *busy_text_, *mistakes_title_;
  QProgressBar* busy_;
  QScrollArea* mistakes_;
  QVBoxLayout* mistakes_column_;
  std::vector<LessonText*> mistake_lines_;
  QPushButton* again_;
  QString mistaken_file_;
  QWidget* busy_page_;
};

std::vector<KeyHelp> lesson_key_help();

}  // namespace attn::gui
