// SPDX-License-Identifier: GPL-3.0-or-later
// WindowResults: asks for a name and a file, and saves the results of a learner: those of the open
// lesson, or the kept answers of a finished one, which are graded again. GUI thread.
#pragma once

#include <QMainWindow>
#include <QObject>

#include "gui/app/bars/message_bar.h"
#include "gui/models/lesson/lesson_loader.h"
#include "gui/models/lesson/lesson_player.h"

namespace attn::gui {

class WindowResults : public QObject {
  Q_OBJECT
 public:
  WindowResults(QMainWindow& window, MessageBar& messages, const LessonProgress& progress,
                QObject* parent);

  void ask(const LessonPlayer& player);
  void ask_kept(const QString& lesson);  // lesson: its file
  // The same without asking. The file is written later, after the lesson is computed.
  void write_kept(const QString& lesson, const QString& file, const QString& learner);
  // Proposes no name from now on, because another person may take the next lesson.
  void forget_name() { name_.clear(); }
  // Returns what went wrong; empty: they are written.
  static QString write(const QString& file, const lesson::Walk& walk,
                       const lesson::ClassCounts& counts, const QString& learner);

 private:
  struct Wanted {
    QString learner, file;
  };
  QString ask_name(const QString& proposed);  // empty: cancelled, or none was given
  // Empty: cancelled.
  QString ask_file(const std::string& lesson_id, const QString& learner);
  void tell(const QString& file, const QString& trouble);

  QMainWindow& window_;
  MessageBar& messages_;
  const LessonProgress& progress_;
  LessonLoader loader_;
  Wanted wanted_;  // what loader_ loads the lesson for
  lesson::ClassCounts counts_;
  QString name_;  // given for the open lesson
};

}  // namespace attn::gui
