// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/lesson/lesson_progress.h"

#include <QJsonDocument>
#include <QSettings>
#include <algorithm>
#include <new>
#include <utility>

namespace attn::gui {
namespace {

constexpr qsizetype kMostBytes = 1 << 18;  // of one lesson; more is not read
constexpr int kMostTasks = 1000;

const QString kGroup = QStringLiteral("lessons");
const QString kOffered = QStringLiteral("first_lesson_offered");

// QSettings takes a '/' in a key for a group.
QString key_of(const QString& name) {
  QString key = name;
  return key.replace(QLatin1Char('/'), QLatin1Char('_'));
}

SavedLesson lesson_of(const QByteArray& bytes) {
  if (bytes.size() > kMostBytes) return {};
  const QJsonObject json = QJsonDocument::fromJson(bytes).object();
  const auto number = [&](const char* name) {
    return std::clamp(json.value(QLatin1String(name)).toInt(), 0, kMostTasks);
  };
  return {.hash = json.value(QLatin1String("hash")).toString(),
          .step = number("step"),
          .tasks = number("tasks"),
          .answered = number("answered"),
          .right = number("right"),
          .answers = json.value(QLatin1String("answers")).toObject(),
          .best_right = number("best_right"),
          .best_tasks = number("best_tasks")};
}

QByteArray bytes_of(const SavedLesson& lesson) {
  return QJsonDocument(QJsonObject{{QStringLiteral("hash"), lesson.hash},
                                   {QStringLiteral("step"), lesson.step},
                                   {QStringLiteral("tasks"), lesson.tasks},
                                   {QStringLiteral("answered"), lesson.answered},
                                   {QStringLiteral("right"), lesson.right},
                                   {QStringLiteral("answers"), lesson.answers},
                                   {QStringLiteral("best_right"), lesson.best_right},
                                   {QStringLiteral("best_tasks"), lesson.best_tasks}})
      .toJson(QJsonDocument::Compact);
}

}  // namespace

QString progress_name(const lesson::About& about) {
  const QString id = QString::fromStdString(about.id);
  return about.language == "en"
             ? id
             : QStringLiteral("%1 %2").arg(id, QString::fromStdString(about.language));
}

SavedLesson SavedLesson::with_best() const {
  SavedLesson best = *this;
  // The lesson may have had another number of tasks, so the shares are compared.
  if (is_done() && (best_tasks == 0 || right * best_tasks >= best_right * tasks)) {
    best.best_right = right;
    best.best_tasks = tasks;
  }
  return best;
}

LessonProgress::LessonProgress(bool keep, QObject* parent) : QObject(parent), keep_(keep) {}

SavedLesson LessonProgress::of(const QString& name) const {
  if (!keep_) {
    const auto at = here_.find(name);
    return at == here_.end() ? SavedLesson{} : at->second;
  }
  try {
    QSettings settings;
    settings.beginGroup(kGroup);
    return lesson_of(settings.value(key_of(name)).toByteArray());
  } catch (const std::bad_alloc&) {
    return {};  // the stored value asks for more memory than there is
  }
}

void LessonProgress::save(const QString& name, const SavedLesson& lesson) {
  if (keep_) {
    QSettings settings;
    settings.beginGroup(kGroup);
    settings.setValue(key_of(name), bytes_of(lesson));
  } else {
    here_[name] = lesson;
  }
  emit changed();
}

void LessonProgress::forget(const QString& name) {
  if (keep_) {
    QSettings settings;
    settings.beginGroup(kGroup);
    settings.remove(key_of(name));
  } else {
    here_.erase(name);
  }
  emit changed();
}

void LessonProgress::forget_answers(const QString& name) {
  const SavedLesson best = of(name).with_best();
  if (best.best_tasks == 0) return forget(name);
  SavedLesson kept;
  kept.best_right = best.best_right;
  kept.best_tasks = best.best_tasks;
  save(name, kept);
}

bool LessonProgress::any() const {
  if (!keep_) return !here_.empty();
  QSettings settings;
  settings.beginGroup(kGroup);
  return !settings.childKeys().isEmpty();
}

bool LessonProgress::may_offer() const {
  return !any() && !(keep_ ? QSettings().value(kOffered).toBool() : offered_);
}

void LessonProgress::note_offer() {
  if (keep_)
    QSettings().setValue(kOffered, true);
  else
    offered_ = true;
}

}  // namespace attn::gui

#include "moc_lesson_progress.cpp"
