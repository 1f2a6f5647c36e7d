// SPDX-License-Identifier: GPL-3.0-or-later
// LessonLoader: computes the right answers of a lesson on another thread, and then gives the
// learner's saved answers to it again. GUI thread; no Widgets.
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QThreadPool>
#include <memory>

#include "engine/lesson/run/walk.h"
#include "engine/trace/run_gate.h"

namespace attn::gui {

class LessonLoader : public QObject {
  Q_OBJECT
 public:
  explicit LessonLoader(QObject* parent = nullptr);
  ~LessonLoader() override;  // cancels the loading

  // Cancels the loading that goes on, if any. answers: the learner's answers from an earlier visit
  // (lesson_answers.h); empty: none.
  void load(std::shared_ptr<const lesson::Lesson> lesson, const QJsonObject& answers);
  void cancel();
  bool is_loading() const { return job_ != nullptr; }

 signals:
  // done: for how many of the lesson's `all` steps the run and the answers are computed.
  void progressed(int done, int all);
  // The lesson cannot be loaded: a sentence for each reason.
  void failed(const QStringList& reasons);
  void loaded(const std::shared_ptr<attn::lesson::Walk>& walk);

 private:
  struct Job;
  void finished(const std::shared_ptr<Job>& job);
  std::shared_ptr<Job> job_;  // null: nothing is being loaded, or it was cancelled
  QThreadPool thread_;        // last member: its destructor waits for the work
};

}  // namespace attn::gui
