// SPDX-License-Identifier: GPL-3.0-or-later
// The part of RunControl that opens scenarios, models and tensors, at once or after another thread
// has read them, and that reads tensors in another way.
#include <QFileInfo>
#include <QLocale>
#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "engine/core/error.h"
#include "engine/lesson/results/result.h"
#include "engine/session/run/check_start.h"
#include "engine/session/scenario/tensor_scenario.h"
#include "gui/models/lesson/lesson_file.h"
#include "gui/models/run/message_actions.h"
#include "gui/models/run_control.h"

namespace attn::gui {
namespace {

std::vector<std::filesystem::path> paths_of(const QStringList& files) {
  std::vector<std::filesystem::path> paths;
  for (const QString& file : files) paths.emplace_back(file.toStdString());
  return paths;
}

}  // namespace

bool RunControl::open(const QString& name_or_file) {
  if (is_lesson_file(name_or_file)) {
    emit lesson_asked(name_or_file);
    return false;
  }
  if (is_session_file(name_or_file.toStdString())) {
    emit session_asked(name_or_file);
    return false;
  }
  try {
    Scenario scenario = open_scenario(name_or_file.toStdString());
    if (!may_leave_()) return false;
    emit replacing();
    take(std::move(scenario), name_or_file);
  } catch (const std::exception& error) {
    emit message(MessageKind::kError, QString::fromUtf8(message_of(error)), kOpening);
    return false;
  }
  if (QFileInfo(name_or_file).isFile()) emit file_used(name_or_file);
  if (const std::filesystem::path file = name_or_file.toStdString();
      scenario_.source.tensors && (is_tensor_file(file) || QFileInfo(name_or_file).isDir()))
    ask_layout({file});
  return true;
}

void RunControl::run_instead(const QString& refused, const QString& name) {
  if (refused != name && open(name)) start();
  // The refused file comes last, because the start of a run withdraws messages about openings.
  open(refused);
}

struct RunControl::Opening {
  QStringList files;
  std::optional<Scenario> scenario;
  QString problem;
  bool is_results = false;  // the files are answers of a class, for results_asked()
  bool is_apart = false;    // the files do not belong together: each is opened by itself

  void read() {
    const std::vector<std::filesystem::path> paths = paths_of(files);
    Scenario described = paths.size() > 1 && is_tensor_file(paths.front())
                             ? tensor_scenario(paths)
                             : open_scenario(files.front().toStdString());
    check_start(described);
    scenario = std::move(described);
  }
};

void RunControl::open_later(const QStringList& files) {
  QStringList arrays, results;
  for (const QString& file : files) {
    if (file.endsWith(QLatin1String(".npy"), Qt::CaseInsensitive))
      arrays.append(file);
    else if (file.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive))
      results.append(file);
    else
      to_open_.append({file});
  }
  for (const QStringList& together : {arrays, results})
    if (!together.isEmpty()) to_open_.append(together);
  if (!opening_) open_next();
}

void RunControl::asked_ended() {
  if (std::exchange(asked_, false))
    QMetaObject::invokeMethod(this, &RunControl::open_next, Qt::QueuedConnection);
}

void RunControl::open_next() {
  opening_ = !to_open_.isEmpty();
  if (!opening_) return;
  auto opening = std::make_shared<Opening>();
  opening->files = to_open_.takeFirst();
  if (is_lesson_file(opening->files.front())) {
    emit lesson_asked(opening->files.front());
    QMetaObject::invokeMethod(this, &RunControl::open_next, Qt::QueuedConnection);
    return;
  }
  if (is_session_file(opening->files.front().toStdString())) {
    asked_ = true;
    emit session_asked(opening->files.front());
    return;
  }
  reader_.start([this, opening] {
    try {
      const std::vector<std::filesystem::path> paths = paths_of(opening->files);
      opening->is_results = std::ranges::any_of(paths, lesson::may_be_results);
      opening->is_apart =
          !opening->is_results && paths.size() > 1 && !is_tensor_file(paths.front());
      if (!opening->is_results && !opening->is_apart) opening->read();
    } catch (const std::exception& error) {
      opening->problem = QString::fromUtf8(message_of(error));
    }
    QMetaObject::invokeMethod(
        this, [this, opening] { opened(*opening); }, Qt::QueuedConnection);
  });
}

void RunControl::opened(const Opening& opening) {
  const QString& file = opening.files.front();
  if (opening.is_results) {
    asked_ = true;
    emit results_asked(opening.files);
    return;
  }
  if (opening.is_apart) {
    for (qsizetype i = opening.files.size() - 1; i >= 0; --i) to_open_.prepend({opening.files[i]});
    QMetaObject::invokeMethod(this, &RunControl::open_next, Qt::QueuedConnection);
    return;
  }
  if (opening.scenario && may_leave_()) {
    emit replacing();
    take(*opening.scenario, file);
    if (opening.files.size() == 1 && QFileInfo(file).isFile()) emit file_used(file);
    std::vector<std::filesystem::path> paths = paths_of(opening.files);
    const bool is_read_as_tensors =
        paths.size() > 1 || is_tensor_file(paths.front()) || QFileInfo(file).isDir();
    if (scenario_.source.tensors && is_read_as_tensors) ask_layout(std::move(paths));
    start();
  } else if (!opening.scenario) {
    // An error about the source of a scenario may not name the opened file. Then the message begins
    // with the name of the file.
    const QString name = QFileInfo(file).fileName();
    emit message(
        MessageKind::kError,
        opening.problem.contains(name) ? opening.problem : tr("%1: %2").arg(name, opening.problem),
        kOpening + QLatin1Char(' ') + file);
  }
  // Queued, so that this function returns before the next file is opened.
  QMetaObject::invokeMethod(this, &RunControl::open_next, Qt::QueuedConnection);
}

// Emits layout_asked() if the tensors also fit another order of axes, or cross attention.
void RunControl::ask_layout(std::vector<std::filesystem::path> files) {
  const TensorSpec* spec = scenario_.source.tensors ? &*scenario_.source.tensors : nullptr;
  other_is_cross_ = is_single_query(scenario_);
  if (other_is_cross_) {
    tensor_files_ = std::move(files);
    emit layout_asked(
        tr("The tensors have one query and %1 keys. They are read as a decode step: the query is "
           "that of the last token. The keys may also be those of an encoder.")
            .arg(QLocale().toString(
                static_cast<qlonglong>(scenario_.requests.front().prompt_tokens + 1))),
        tr("Read as cross attention"));
    return;
  }
  const std::optional<TensorShapes> other = other_reading(scenario_);
  if (!spec || !other) return;
  tensor_files_ = std::move(files);
  const bool heads_first = spec->layout == TensorLayout::kHeadsFirst;
  const QLocale locale;
  const auto words = [&](int64_t heads, int64_t tokens) {
    return tr("%1 heads of %2 tokens")
        .arg(locale.toString(static_cast<qlonglong>(heads)),
             locale.toString(static_cast<qlonglong>(tokens)));
  };
  const int64_t tokens = scenario_.requests.empty() ? 0 : scenario_.requests.front().prompt_tokens;
  emit layout_asked(tr("Which axis is that of the heads? The tensors are read as %1, with the axis "
                       "of %2 first. They also fit the other order: %3.")
                        .arg(words(other->tokens, tokens), heads_first ? tr("heads") : tr("tokens"),
                             words(other->num_heads, other->tokens)),
                    tr("Read as %1").arg(words(other->num_heads, other->tokens)));
}

void RunControl::use_other_layout() {
  const TensorSpec* spec = scenario_.source.tensors ? &*scenario_.source.tensors : nullptr;
  if (!spec || tensor_files_.empty()) return;
  const TensorLayout other = spec->layout == TensorLayout::kHeadsFirst ? TensorLayout::kTokensFirst
                                                                       : TensorLayout::kHeadsFirst;
  Scenario read;
  try {
    read = tensor_scenario(tensor_files_, other_is_cross_
                                              ? TensorReading{.layout = spec->layout, .cross = true}
                                              : TensorReading{.layout = other, .cross = false});
  } catch (const std::exception& error) {
    emit message(MessageKind::kError, QString::fromUtf8(error.what()), kOpening);
    return;
  }
  if (!may_leave_()) return;
  take(std::move(read), file_);
  start();
}

}  // namespace attn::gui
