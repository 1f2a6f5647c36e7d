// SPDX-License-Identifier: GPL-3.0-or-later
// LessonProgress: how far the user got in each lesson, and whether the first lesson was offered;
// kept in the settings or, if `keep` is false, only in this object. GUI thread; no Widgets.
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QString>
#include <map>

#include "engine/lesson/format/lesson.h"

namespace attn::gui {

struct SavedLesson {
  QString hash;         // of the lesson's file; with another hash the answers do not count
  int step = 0;         // where the user left the lesson, from 0
  int tasks = 0;        // number of tasks in the lesson
  int answered = 0;     // tasks that are done, including the skipped ones
  int right = 0;        // tasks whose first answer was right
  QJsonObject answers;  // SavedTask by the name of the task
  // The best result of earlier times in which all tasks were done; best_tasks 0: there is none. It
  // stays when the lesson is taken anew or has changed.
  int best_right = 0, best_tasks = 0;
  bool is_done() const { return tasks > 0 && answered >= tasks; }
  bool was_done() const { return is_done() || best_tasks > 0; }
  // This result with its own tasks as the best one, if they are done and not worse.
  SavedLesson with_best() const;
};

// The name under which the progress of a lesson is kept. Each language of a lesson has its own, so
// that the lesson in one language does not replace the answers to it in another.
QString progress_name(const lesson::About& about);

class LessonProgress : public QObject {
  Q_OBJECT
 public:
  explicit LessonProgress(bool keep, QObject* parent = nullptr);
  // name: progress_name(). The result has no hash if no answers are kept of this lesson, or nothing
  // that can be read.
  SavedLesson of(const QString& name) const;
  void save(const QString& name, const SavedLesson& lesson);
  void forget(const QString& name);
  // Forgets the answers, and keeps the best result.
  void forget_answers(const QString& name);
  bool any() const;  // whether progress of any lesson is kept
  // Whether the window may offer the first lesson: it offers it once, and not if any().
  bool may_offer() const;
  void note_offer();

 signals:
  void changed();

 private:
  bool keep_, offered_ = false;
  std::map<QString, SavedLesson> here_;  // by progress_name(); used if `keep` was false
};

}  // namespace attn::gui
