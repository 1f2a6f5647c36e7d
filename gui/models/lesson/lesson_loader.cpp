// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/lesson/lesson_loader.h"

#include <utility>

#include "engine/core/error.h"
#include "gui/models/lesson/lesson_answers.h"

namespace attn::gui {

// Shared with the thread that loads the lesson.
struct LessonLoader::Job {
  std::shared_ptr<const lesson::Lesson> lesson;
  QJsonObject answers;
  RunGate gate;
  std::shared_ptr<lesson::Walk> walk;
  QStringList reasons;
  bool cancelled = false;
};

namespace {

QStringList reasons_of(const Error& error) {
  QStringList reasons;
  for (const std::string& sentence : error.sentences())
    reasons.append(QString::fromStdString(sentence));
  if (reasons.isEmpty()) reasons.append(QString::fromUtf8(error.what()));
  return reasons;
}

}  // namespace

LessonLoader::LessonLoader(QObject* parent) : QObject(parent) {
  thread_.setMaxThreadCount(1);
}

LessonLoader::~LessonLoader() {
  cancel();
}

void LessonLoader::load(std::shared_ptr<const lesson::Lesson> lesson, const QJsonObject& answers) {
  cancel();
  auto job = std::make_shared<Job>();
  job->lesson = std::move(lesson);
  job->answers = answers;
  job_ = job;
  thread_.start([this, job] {
    const auto tell = [&](size_t done, size_t all) {
      QMetaObject::invokeMethod(
          this,
          [this, job, done, all] {
            if (job_ == job) emit progressed(static_cast<int>(done), static_cast<int>(all));
          },
          Qt::QueuedConnection);
    };
    try {
      auto key = std::make_shared<lesson::AnswerKey>(lesson::make_answer_key(
          job->lesson, {.sources = nullptr, .gate = &job->gate, .progress = tell}));
      job->walk = std::make_shared<lesson::Walk>(std::move(key));
      replay(*job->walk, job->answers, &job->gate);
    } catch (const Error& error) {
      job->cancelled = error.code() == ErrorCode::kCancelled;
      job->reasons = reasons_of(error);
    } catch (const std::exception& error) {
      job->reasons = {QString::fromUtf8(message_of(error))};
    }
    QMetaObject::invokeMethod(
        this, [this, job] { finished(job); }, Qt::QueuedConnection);
  });
}

void LessonLoader::finished(const std::shared_ptr<Job>& job) {
  if (job_ != job) return;  // cancelled, or replaced by another lesson
  job_ = nullptr;
  if (job->cancelled) return;
  if (job->reasons.isEmpty())
    emit loaded(job->walk);
  else
    emit failed(job->reasons);
}

void LessonLoader::cancel() {
  if (!job_) return;
  job_->gate.cancel();
  job_ = nullptr;
}

}  // namespace attn::gui

#include "moc_lesson_loader.cpp"
