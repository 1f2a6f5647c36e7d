// SPDX-License-Identifier: GPL-3.0-or-later
// LessonProgress: how far each lesson was done, kept in the settings or, if `keep` is false, in
// this object. GUI thread; no Widgets.
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QString>
#include <map>

namespace attn::gui {

struct SavedLesson {
  QString hash;         // of the lesson's file; for another file the answers do not count
  int step = 0;         // from 0
  int tasks = 0;        // of the lesson
  int answered = 0;     // tasks, including the skipped ones
  int right = 0;        // tasks whose first answer was right
  QJsonObject answers;  // SavedTask by the name of the task
  bool is_done() const { return tasks > 0 && answered >= tasks; }
};

class LessonProgress : public QObject {
  Q_OBJECT
 public:
  explicit LessonProgress(bool keep, QObject* parent = nullptr);
  // Empty (no hash): nothing is kept of the lesson.
  SavedLesson of(const QString& id) const;
  void save(const QString& id, const SavedLesson& lesson);
  void forget(const QString& id);
  bool any() const;  // whether any lesson was begun
  // The offer is made once, and not after any lesson was begun.
  bool may_offer() const;
  void note_offer();

 signals:
  void changed();

 private:
  bool keep_, offered_ = false;
  std::map<QString, SavedLesson> here_;  // where nothing is kept
};

}  // namespace attn::gui
