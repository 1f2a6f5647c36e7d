// SPDX-License-Identifier: GPL-3.0-or-later
// LessonLoader: computes the answers of a lesson on another thread, which takes about a second, and
// gives the answers of an earlier visit again. GUI thread; no Widgets.
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

  // Loads the lesson in place of the one that is being loaded. answers: of an earlier visit
  // (lesson_answers.h); empty: from the beginning.
  void load(std::shared_ptr<const lesson::Lesson> lesson, const QJsonObject& answers);
  void cancel();
  bool is_loading() const { return job_ != nullptr; }

 signals:
  // How many of the runs of the lesson's steps are computed, and how many there are.
  void progressed(int done, int all);
  // The answers cannot be computed: a sentence for each reason.
  void failed(const QStringList& reasons);
  void loaded(const std::shared_ptr<attn::lesson::Walk>& walk);

 private:
  struct Job;
  void finished(const std::shared_ptr<Job>& job);
  std::shared_ptr<Job> job_;  // null: nothing is loaded
  QThreadPool thread_;        // last member: its destructor waits for the work
};

}  // namespace attn::gui
