// SPDX-License-Identifier: GPL-3.0-or-later
// LessonLoader: computes the answers of a lesson on another thread, and repeats the learner's
// earlier answers. GUI thread; no Widgets.
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
  ~LessonLoader() override;  // cancels

  // Cancels the loading of another lesson. answers: of an earlier visit (lesson_answers.h); empty:
  // none.
  void load(std::shared_ptr<const lesson::Lesson> lesson, const QJsonObject& answers);
  void cancel();
  bool is_loading() const { return job_ != nullptr; }

 signals:
  // done: how many runs of the lesson's steps are computed.
  void progressed(int done, int all);
  // The lesson cannot be loaded: a sentence for each reason.
  void failed(const QStringList& reasons);
  void loaded(const std::shared_ptr<attn::lesson::Walk>& walk);

 private:
  struct Job;
  void finished(const std::shared_ptr<Job>& job);
  std::shared_ptr<Job> job_;  // null: nothing is loaded
  QThreadPool thread_;        // last member: its destructor waits for the work
};

}  // namespace attn::gui
