// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/lesson/lesson_answers.h"

#include <QJsonArray>
#include <algorithm>
#include <array>
#include <utility>

#include "engine/core/error.h"

namespace attn::gui {
namespace {

constexpr double kLongest_s = 1e6;  // seconds; the longest time of a saved answer
constexpr int kMostOfClass = 999;   // the largest count of one answer in a class
constexpr int kMostTries = 1'000'000;
constexpr qsizetype kMostRows = 100, kMostLetters = 200;

using Field = std::pair<const char*, int64_t lesson::Place::*>;
constexpr std::array<Field, 8> kFields{{{"request", &lesson::Place::request},
                                        {"layer", &lesson::Place::layer},
                                        {"head", &lesson::Place::head},
                                        {"query", &lesson::Place::query},
                                        {"key", &lesson::Place::key},
                                        {"token", &lesson::Place::token},
                                        {"block", &lesson::Place::block},
                                        {"step", &lesson::Place::step}}};

QJsonObject json_of_place(const lesson::Place& place) {
  QJsonObject json{{QStringLiteral("kind"), static_cast<int>(place.kind)}};
  for (const auto& [name, field] : kFields)
    if (place.*field >= 0) json.insert(QLatin1String(name), static_cast<qint64>(place.*field));
  return json;
}

lesson::Place place_of_json(const QJsonObject& json) {
  lesson::Place place;
  const int kind = json.value(QLatin1String("kind")).toInt();
  place.kind = static_cast<lesson::PlaceKind>(
      std::clamp(kind, 0, static_cast<int>(lesson::PlaceKind::kStep)));
  for (const auto& [name, field] : kFields)
    place.*field = std::max<int64_t>(-1, json.value(QLatin1String(name)).toInteger(-1));
  return place;
}

QJsonObject json_of_class(const ClassAnswer& answer) {
  QJsonObject json{{QStringLiteral("count"), answer.count}};
  if (answer.place) {
    json.insert(QStringLiteral("place"), json_of_place(*answer.place));
    json.insert(QStringLiteral("words"), answer.words);
  }
  return json;
}

ClassAnswer class_of_json(const QJsonObject& json) {
  ClassAnswer answer{.count =
                         std::clamp(json.value(QLatin1String("count")).toInt(), 0, kMostOfClass)};
  if (json.contains(QLatin1String("place"))) {
    answer.place = place_of_json(json.value(QLatin1String("place")).toObject());
    answer.words = json.value(QLatin1String("words")).toString().left(kMostLetters);
  }
  return answer;
}

// The saved answer of a task. For a goal this runs the scenario with the saved settings, and throws
// Error if the settings do not fit, or if the run fails or is cancelled.
lesson::Answer answer_of(const lesson::Walk& walk, size_t task, const QJsonObject& json,
                         RunGate* gate) {
  const auto& form = walk.lesson().steps[walk.step()].tasks[task].form;
  if (std::holds_alternative<lesson::NumberQuestion>(form))
    return lesson::NumberAnswer{json.value(QLatin1String("number")).toDouble()};
  if (std::holds_alternative<lesson::ChoiceQuestion>(form))
    return lesson::ChoiceAnswer{
        static_cast<size_t>(std::max(0, json.value(QLatin1String("option")).toInt()))};
  if (std::holds_alternative<lesson::ClickQuestion>(form))
    return lesson::ClickAnswer{place_of_json(json.value(QLatin1String("place")).toObject())};
  return lesson::try_settings(walk.key(), walk.step(), task, settings_of_answer(json), gate);
}

}  // namespace

std::vector<lesson::Setting> settings_of_answer(const QJsonObject& answer) {
  const QJsonObject json = answer.value(QLatin1String("settings")).toObject();
  std::vector<lesson::Setting> settings;
  for (auto at = json.begin(); at != json.end(); ++at)
    settings.push_back({at.key().toStdString(), at.value().toString().toStdString()});
  return settings;
}

QJsonObject json_of(const lesson::Answer& answer) {
  if (const auto* number = std::get_if<lesson::NumberAnswer>(&answer))
    return {{QStringLiteral("number"), number->number}};
  if (const auto* choice = std::get_if<lesson::ChoiceAnswer>(&answer))
    return {{QStringLiteral("option"), static_cast<int>(choice->option)}};
  if (const auto* click = std::get_if<lesson::ClickAnswer>(&answer))
    return {{QStringLiteral("place"), json_of_place(click->place)}};
  QJsonObject settings;
  for (const lesson::Setting& setting : std::get<lesson::GoalAnswer>(answer).settings)
    settings.insert(QString::fromStdString(setting.control), QString::fromStdString(setting.value));
  return {{QStringLiteral("settings"), settings}};
}

QJsonObject json_of(const SavedTask& task) {
  QJsonObject json{{QStringLiteral("seconds"), task.seconds}};
  if (!task.answer.isEmpty()) json.insert(QStringLiteral("answer"), task.answer);
  if (task.skipped) json.insert(QStringLiteral("skipped"), true);
  if (task.tries > 0) json.insert(QStringLiteral("tries"), task.tries);
  if (task.hints > 0) json.insert(QStringLiteral("hints"), task.hints);
  QJsonArray rows;
  for (const ClassAnswer& answer : task.class_answers) rows.append(json_of_class(answer));
  if (!rows.isEmpty()) json.insert(QStringLiteral("class"), rows);
  return json;
}

SavedTask saved_task(const QJsonObject& json) {
  std::vector<ClassAnswer> class_answers;
  for (const QJsonValue& row : json.value(QLatin1String("class")).toArray())
    if (static_cast<qsizetype>(class_answers.size()) < kMostRows)
      class_answers.push_back(class_of_json(row.toObject()));
  return {.answer = json.value(QLatin1String("answer")).toObject(),
          .skipped = json.value(QLatin1String("skipped")).toBool(),
          .hints = std::clamp(json.value(QLatin1String("hints")).toInt(), 0,
                              static_cast<int>(lesson::kMostHints)),
          .tries = std::clamp(json.value(QLatin1String("tries")).toInt(), 0, kMostTries),
          .seconds = std::clamp(json.value(QLatin1String("seconds")).toDouble(), 0.0, kLongest_s),
          .class_answers = std::move(class_answers)};
}

lesson::ClassCounts class_counts_of(const QJsonObject& tasks) {
  lesson::ClassCounts counts;
  for (auto at = tasks.begin(); at != tasks.end(); ++at)
    for (const ClassAnswer& row : saved_task(at.value().toObject()).class_answers)
      counts[at.key().toStdString()].push_back({.count = row.count, .place = row.place});
  return counts;
}

void replay(lesson::Walk& walk, const QJsonObject& tasks, RunGate* gate) {
  for (size_t step = 0; step < walk.lesson().steps.size(); ++step) {
    if (step != walk.step()) {
      if (!walk.can_go_to(step)) return;
      walk.go_to(step);
    }
    for (size_t task = 0; task < walk.lesson().steps[step].tasks.size(); ++task) {
      const QString name = QString::fromStdString(walk.lesson().steps[step].tasks[task].name);
      if (!tasks.contains(name)) return;
      const SavedTask saved = saved_task(tasks.value(name).toObject());
      for (int hint = 0; hint < saved.hints; ++hint) walk.open_hint(task);
      try {
        if (saved.tries > 1 && !saved.answer.isEmpty())
          walk.count_wrong_tries(task, saved.tries - 1, saved.seconds);
        if (!saved.answer.isEmpty())
          walk.commit(task, answer_of(walk, task, saved.answer, gate), saved.seconds);
        if (saved.skipped) walk.skip(task);
      } catch (const Error& error) {
        if (error.code() == ErrorCode::kCancelled) throw;
        return;  // this answer and the later ones are dropped
      }
    }
  }
}

}  // namespace attn::gui
