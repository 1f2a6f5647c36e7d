// SPDX-License-Identifier: GPL-3.0-or-later
// LessonProgress: how far each lesson was done, kept in the settings of the program or, for tests
// and pictures, only while it runs. GUI thread; no Widgets.
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QString>
#include <map>

namespace attn::gui {

struct SavedLesson {
  QString hash;         // of the lesson's file; answers to another one are not used
  int step = 0;         // where it was left, from 0
  int tasks = 0;        // of the lesson
  int answered = 0;     // tasks, the skipped ones among them
  int right = 0;        // tasks whose first answer was right
  QJsonObject answers;  // SavedTask by the name of the task
  bool is_done() const { return tasks > 0 && answered >= tasks; }
};

class LessonProgress : public QObject {
  Q_OBJECT
 public:
  explicit LessonProgress(bool keep, QObject* parent = nullptr);
  // Empty (no hash): the lesson was never begun.
  SavedLesson of(const QString& id) const;
  void save(const QString& id, const SavedLesson& lesson);
  void forget(const QString& id);
  bool any() const;  // whether any lesson was begun
  // Whether the first lesson is to be offered: until note_offer(), and not to somebody who began a
  // lesson.
  bool may_offer() const;
  void note_offer();

 signals:
  void changed();

 private:
  bool keep_, offered_ = false;
  std::map<QString, SavedLesson> here_;  // where nothing is kept
};

}  // namespace attn::gui
