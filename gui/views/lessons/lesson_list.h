// SPDX-License-Identifier: GPL-3.0-or-later
// LessonList: the shipped lessons by part, each with its progress. GUI thread.
#pragma once

#include <QAbstractButton>
#include <QScrollArea>
#include <vector>

#include "gui/models/lesson/lesson_progress.h"

namespace attn::gui {

struct LessonEntry {
  QString file;      // path
  QString number;    // "6"; empty: none
  QString progress;  // progress_name()
  QString id;        // About::id
  QString title, part;
  int minutes = 0;
  int mistakes = 0;  // number of mistakes in the file
};
std::vector<LessonEntry> shipped_lesson_entries(const QString& language);
// "about 4 minutes, 3 of 7 answered"
QString state_words(const LessonEntry& entry, const SavedLesson& saved);

class LessonList : public QScrollArea {
  Q_OBJECT
 public:
  explicit LessonList(const LessonProgress& progress, QWidget* parent = nullptr);
  void set_entries(std::vector<LessonEntry> entries);
  const std::vector<LessonEntry>& entries() const { return entries_; }
  QAbstractButton* button(int index) const;
  static QString handout_words(bool teacher);  // of a command that writes a hand-out
  // Focuses the first lesson that is not done, or else the first lesson.
  void begin();

 signals:
  void chosen(const QString& file);
  void again_asked(const QString& file);    // to begin it again, without the answers so far
  void results_asked(const QString& file);  // to save those of a finished lesson
  void handout_asked(const QString& file, bool teacher);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  class Button;
  void add_actions(Button& button, const LessonEntry& entry);
  void refresh();
  const LessonProgress& progress_;
  std::vector<LessonEntry> entries_;
  std::vector<Button*> buttons_;
};

}  // namespace attn::gui
