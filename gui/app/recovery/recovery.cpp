// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/recovery/recovery.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocale>
#include <QStandardPaths>
#include <QUuid>
#include <algorithm>
#include <optional>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/files/whole_file.h"
#include "engine/session/scenario/tensor_scenario.h"
#include "gui/bridge/log.h"
#include "gui/models/file_path.h"
#include "gui/models/words/scenario_words.h"

namespace attn::gui {
namespace {

constexpr qint64 kMostBytes = 64 << 20;
// The ending of files with work that no message offers again.
const QString kRefused = QStringLiteral(".refused.json");

QString lock_of(const QString& file) {
  return file + QStringLiteral(".lock");
}

std::unique_ptr<QLockFile> locked(const QString& file) {
  auto lock = std::make_unique<QLockFile>(lock_of(file));
  lock->setStaleLockTime(0);  // a lock is stale only if its program is gone
  if (lock->tryLock()) return lock;
  // A lock file without valid content, as after a power cut, is removed.
  qint64 process = 0;
  QString host, program;
  if (lock->getLockInfo(&process, &host, &program) || !QFile::remove(lock_of(file)) ||
      !lock->tryLock())
    return nullptr;
  return lock;
}

QString title_of(const QJsonObject& work) {
  const QJsonObject json =
      QJsonDocument::fromJson(work.value(QLatin1String("workload")).toString().toUtf8()).object();
  Scenario scenario;
  scenario.title = json.value(QLatin1String("title")).toString().toStdString();
  scenario.description = json.value(QLatin1String("description")).toString().toStdString();
  const QString title = gui::title_of(scenario);
  return title.isEmpty() ? Recovery::tr("A scenario") : title;
}

QString time_of(const QString& file) {
  return QLocale().toString(QFileInfo(file).lastModified(), QStringLiteral("d MMMM, HH:mm"));
}

QJsonObject object_in(const QString& name) {
  QFile file(name);
  if (file.size() > kMostBytes || !file.open(QIODevice::ReadOnly)) return {};
  return QJsonDocument::fromJson(file.readAll()).object();
}

// Scenario::view, how it is shown, does not count.
bool differ(Scenario from, const Scenario& to) {
  from.view = to.view;
  return !(from == to);
}

// The scenario as its file or session has it; nullopt: it has none that can be read.
std::optional<Scenario> in_file_of(const RunControl& control) {
  if (control.in_file()) return control.in_file();
  try {
    return open_scenario(control.file().toStdString());
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

// Whether the scenario differs from the one in its file or session.
bool is_edited(const RunControl& control) {
  if (!control.has_unsaved_edits()) return false;
  const std::optional<Scenario> from = in_file_of(control);
  return !from || differ(*from, control.scenario());
}

// Whether a request has a text that no request of `from` has. from: nullopt: one without requests.
bool has_own_text(const std::optional<Scenario>& from, const Scenario& scenario) {
  const auto is_known = [&](const std::string& text) {
    return text.empty() || (from && std::ranges::any_of(from->requests, [&](const auto& request) {
                              return request.prompt == text || request.decoder_prompt == text;
                            }));
  };
  return std::ranges::any_of(scenario.requests, [&](const ScenarioRequest& request) {
    return !is_known(request.prompt) || !is_known(request.decoder_prompt);
  });
}

bool is_replaced(const QJsonObject& work) {
  return work.value(QLatin1String("replaced")).toBool();
}

// is_edited() for work that was kept before. True also if that is not known.
bool has_edits(const QJsonObject& work) {
  if (const QJsonValue edited = work.value(QLatin1String("edited")); edited.isBool())
    return edited.toBool();
  if (!work.value(QLatin1String("session")).toString().isEmpty()) return true;
  try {
    return differ(
        open_scenario(work.value(QLatin1String("file")).toString().toStdString()),
        parse_scenario(work.value(QLatin1String("workload")).toString().toStdString(), "recovery"));
  } catch (const std::exception&) {
    return true;
  }
}

}  // namespace

Recovery::Recovery(RecoveryTargets targets) : targets_(std::move(targets)) {
  writer_.setMaxThreadCount(1);
  timer_.setInterval(kEveryMs);
  open_.setText(tr("Open it again"));
  open_.setToolTip(
      tr("Go on with the work that the program kept. The menu Open recent offers it, "
         "too, as “Open unsaved work again”."));
  connect(&timer_, &QTimer::timeout, this, &Recovery::keep);
  connect(&open_, &QAction::triggered, this, [this] { restore(offered_); });
  connect(&targets_.messages, &MessageBar::refused, this, [this](const QString& action) {
    if (action != kAction) return;
    for (Left& left : left_)
      if (left.file == offered_) left.is_refused = true;
  });
  connect(&targets_.cursor, &TimeCursor::range_changed, this, &Recovery::show_when_computed);
  connect(&targets_.control, &RunControl::state_changed, this, &Recovery::show_when_computed);
  connect(&targets_.control, &RunControl::started, this, [this] { awaited_ = coming_ = {}; });
  connect(&targets_.control, &RunControl::replacing, this, &Recovery::keep_replaced);
  connect(&targets_.session, &WindowSession::replacing, this, &Recovery::keep_replaced);
  connect(&targets_.control, &RunControl::rebased, this, &Recovery::forget_returned);
  // Queued, so that other listeners take the run before its notes and view are set.
  connect(
      &targets_.control.bridge(), &EngineBridge::run_started, this,
      [this] {
        awaited_ = std::exchange(coming_, {});
        show_when_computed();
      },
      Qt::QueuedConnection);
}

Recovery::~Recovery() = default;

QString Recovery::usual_folder() {
  return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) +
         QStringLiteral("/recovery");
}

void Recovery::begin(const QString& folder) {
  folder_ = folder;
  if (!QDir().mkpath(folder_)) {
    qCDebug(log_window) << "no folder for recovery:" << folder_;
    return;
  }
  find_left();
  list_left();
  offer_newest();
  file_ = new_file();
  lock_ = locked(file_);
  if (lock_) timer_.start();
}

QString Recovery::new_file() const {
  return folder_ + QLatin1Char('/') + QUuid::createUuid().toString(QUuid::WithoutBraces) +
         QStringLiteral(".json");
}

size_t Recovery::num_left(bool replaced) const {
  return static_cast<size_t>(std::ranges::count_if(
      left_, [replaced](const Left& left) { return is_replaced(left.work) == replaced; }));
}

// Finds the newest files that have work and no running program. Other files without a running
// program are removed.
void Recovery::find_left() {
  for (const QFileInfo& lock : QDir(folder_).entryInfoList({QStringLiteral("*.lock")}))
    if (const QString file = lock.path() + QLatin1Char('/') + lock.completeBaseName();
        !QFile::exists(file))
      locked(file);
  const QFileInfoList files =
      QDir(folder_).entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Time);
  for (const QFileInfo& info : files) {
    std::unique_ptr<QLockFile> lock = locked(info.filePath());
    if (!lock) continue;  // its program is running
    const QJsonObject work = object_in(info.filePath());
    if (num_left(is_replaced(work)) < kMost && work.contains(QLatin1String("workload")))
      left_.push_back(left_of(info.filePath(), std::move(lock), work));
    else
      QFile::remove(info.filePath());
  }
}

Recovery::Left Recovery::left_of(const QString& file, std::unique_ptr<QLockFile> lock,
                                 const QJsonObject& work) {
  auto entry = std::make_unique<QAction>(
      tr("Open unsaved work again: %1, %2")
          .arg(title_of(work).replace(QLatin1Char('&'), QStringLiteral("&&")), time_of(file)));
  entry->setToolTip(open_.toolTip());
  entry->setWhatsThis(open_.toolTip());
  connect(entry.get(), &QAction::triggered, this, [this, file] { restore(file); });
  return {file, std::move(lock), work, std::move(entry), file.endsWith(kRefused)};
}

void Recovery::list_left() {
  QList<QPointer<QAction>> entries;
  for (const Left& left : left_) entries << left.entry.get();
  targets_.recent.set_unsaved(entries);
}

void Recovery::offer_newest() {
  const auto left = std::ranges::find(left_, false, &Left::is_refused);
  if (left == left_.end()) return;
  offered_ = left->file;
  const bool was_closed = left->work.value(QLatin1String("closed")).toBool(),
             was_replaced = is_replaced(left->work);
  QString words = tr("The program did not end as usual. Work on %1 was kept, as it was on %2.");
  if (was_closed)
    words = tr("%1 was changed and not saved. It was kept when the window was closed, %2.");
  if (was_replaced)
    words = tr("%1 was changed and not saved. It was kept when something else took its place, %2.");
  targets_.messages.offer(was_closed || was_replaced ? MessageKind::kInfo : MessageKind::kWarning,
                          words.arg(title_of(left->work), time_of(left->file)), open_, kAction,
                          Leaves::kWhenAnswered);
}

QJsonObject Recovery::work() const {
  const RunControl& control = targets_.control;
  QJsonArray notes;
  for (const StepNote& note : targets_.notes.all())
    notes.append(QJsonObject{{QStringLiteral("step"), static_cast<qint64>(note.step)},
                             {QStringLiteral("text"), QString::fromStdString(note.text)}});
  const auto& session = targets_.control.bridge().session();
  QJsonObject view = targets_.session.view_state();
  const QJsonValue workload = view.take(QStringLiteral("workload"));
  QJsonObject work{
      {QStringLiteral("version"), 1},
      {QStringLiteral("file"), control.file()},
      {QStringLiteral("origin"), QString::fromStdString(control.scenario().origin.file)},
      {QStringLiteral("session"),
       session && !session->file.empty() ? FilePath(session->file).shown() : QString()},
      {QStringLiteral("workload"), workload},
      {QStringLiteral("notes"), notes},
      {QStringLiteral("view"), view}};
  if (control.in_file())
    work.insert(QStringLiteral("edited"), differ(*control.in_file(), control.scenario()));
  return work;
}

void Recovery::keep() {
  if (!lock_ || targets_.is_borrowed()) return;
  // After a lesson the run from before it has come back; that alone is no edit.
  const RunControl& control = targets_.control;
  const bool is_as_in_file = control.in_file() && !differ(*control.in_file(), control.scenario());
  const bool has_work =
      (control.has_unsaved_edits() && !is_as_in_file) || targets_.notes.has_unsaved();
  write_or_remove(has_work ? work() : QJsonObject());
}

void Recovery::write_or_remove(const QJsonObject& work) {
  if (work.isEmpty()) {
    if (!written_.isEmpty()) writer_.start([file = file_] { QFile::remove(file); });
    written_.clear();
    return;
  }
  QByteArray bytes = QJsonDocument(work).toJson(QJsonDocument::Compact);
  if (bytes == written_) return;
  written_ = bytes;
  writer_.start([file = file_, bytes = std::move(bytes)] {
    try {
      write_file_atomically(FilePath(file).path(),
                            {bytes.constData(), static_cast<size_t>(bytes.size())});
    } catch (const std::exception& error) {
      qCDebug(log_window) << "not kept for recovery:" << message_of(error);
    }
  });
}

void Recovery::keep_replaced() {
  const RunControl& control = targets_.control;
  if (!lock_ || targets_.is_borrowed() || !is_edited(control) ||
      !has_own_text(in_file_of(control), control.scenario()))
    return;
  const QString file = new_file();
  std::unique_ptr<QLockFile> lock = locked(file);
  if (!lock) return;
  // Written here, so that it is kept before the other scenario is shown. It is a small file.
  QJsonObject replaced = work();
  replaced.remove(QStringLiteral("notes"));
  replaced.insert(QStringLiteral("replaced"), true);
  try {
    const QByteArray bytes = QJsonDocument(replaced).toJson(QJsonDocument::Compact);
    write_file_atomically(FilePath(file).path(),
                          {bytes.constData(), static_cast<size_t>(bytes.size())});
  } catch (const std::exception& error) {
    qCDebug(log_window) << "not kept for recovery:" << message_of(error);
    return;
  }
  forget_returned();  // kept before
  left_.insert(left_.begin(), left_of(file, std::move(lock), replaced));
  if (num_left(true) > kMost) {
    const auto oldest = std::find_if(left_.rbegin(), left_.rend(),
                                     [](const Left& left) { return is_replaced(left.work); });
    forget(QString(oldest->file));
  }
  list_left();
}

void Recovery::forget_returned() {
  const auto is_back = [this](const Left& left) {
    if (!is_replaced(left.work)) return false;
    try {
      return !differ(
          parse_scenario(left.work.value(QLatin1String("workload")).toString().toStdString(),
                         "recovery"),
          targets_.control.scenario());
    } catch (const std::exception&) {
      return false;
    }
  };
  for (;;) {
    const auto left = std::ranges::find_if(left_, is_back);
    if (left == left_.end()) return;
    forget(QString(left->file));
  }
}

void Recovery::keep_now() {
  keep();
  writer_.waitForDone();
}

void Recovery::end() {
  timer_.stop();
  if (lock_) {
    forget_returned();
    // An edited scenario is kept for the next start, without notes; during a lesson, the scenario
    // from before the lesson.
    QJsonObject kept;
    if (!targets_.is_borrowed()) {
      if (is_edited(targets_.control)) kept = work();
    } else if (!written_.isEmpty()) {
      kept = QJsonDocument::fromJson(written_).object();
      if (!has_edits(kept)) kept = {};
    }
    kept.remove(QStringLiteral("notes"));
    if (!kept.isEmpty()) kept.insert(QStringLiteral("closed"), true);
    write_or_remove(kept);
  }
  writer_.waitForDone();
  lock_ = nullptr;
  targets_.messages.withdraw(kAction);
  for (const Left& left : left_)
    if (left.is_refused && !left.file.endsWith(kRefused))
      QFile::rename(left.file, left.file.chopped(5) + kRefused);  // without ".json"
  left_.clear();
}

void Recovery::forget(const QString& file) {
  if (file == offered_) targets_.messages.withdraw(kAction);
  const auto left = std::ranges::find(left_, file, &Left::file);
  if (left == left_.end()) return;
  QFile::remove(file);
  left->entry.release()->deleteLater();  // this call may come from it
  left_.erase(left);
  list_left();
}

void Recovery::restore(const QString& file) {
  const auto left = std::ranges::find(left_, file, &Left::file);
  if (left == left_.end()) return;
  const QJsonObject work = left->work;
  const QString session = work.value(QLatin1String("session")).toString();
  RunControl& control = targets_.control;
  if (!control.may_leave_run()) return;
  try {
    Scenario scenario =
        parse_scenario(work.value(QLatin1String("workload")).toString().toStdString(), "recovery");
    scenario.origin.file = work.value(QLatin1String("origin")).toString().toStdString();
    if (session.isEmpty() || !QFileInfo::exists(session)) {
      keep_replaced();
      control.show_scenario(scenario, work.value(QLatin1String("file")).toString());
      keep_now();  // forget_returned() has removed the file by now
      if (!control.start()) return;
      coming_ = work;
    } else {
      // Once the session is open, the kept edits, notes and view are applied. If it cannot be
      // opened, the kept work stays.
      connect(
          &targets_.session, &WindowSession::opened, this,
          [this, scenario, work, file](const QString&, bool done) {
            if (!done) return;
            if (!(scenario == targets_.control.scenario())) targets_.control.edit(scenario);
            awaited_ = work;
            forget(file);
            keep_now();
            show_when_computed();
          },
          Qt::SingleShotConnection);
      control.open(session);
      return;
    }
  } catch (const std::exception& error) {
    targets_.messages.show_message(MessageKind::kError, QString::fromUtf8(message_of(error)),
                                   kAction);
    return;
  }
  forget(file);
  keep_now();
}

// Notes and view refer to steps, so they are applied when the run has computed these steps or has
// ended.
void Recovery::show_when_computed() {
  if (awaited_.isEmpty()) return;
  const QJsonArray notes = awaited_.value(QLatin1String("notes")).toArray();
  const QJsonObject view = awaited_.value(QLatin1String("view")).toObject();
  qint64 needed = std::max<qint64>(1, view.value(QLatin1String("step")).toInteger());
  for (const QJsonValue& note : notes)
    needed = std::max(needed, note.toObject().value(QLatin1String("step")).toInteger());
  const auto& snapshot = targets_.control.bridge().snapshot();
  const qint64 computed =
      snapshot && snapshot->steps ? static_cast<qint64>(snapshot->steps->size()) : 0;
  if (computed < needed && !targets_.control.has_ended()) return;
  if (computed == 0) return;
  const QJsonObject shown = std::exchange(awaited_, {});
  for (const QJsonValue& value : notes) {
    const QJsonObject note = value.toObject();
    targets_.notes.write(static_cast<uint32_t>(note.value(QLatin1String("step")).toInteger()),
                         note.value(QLatin1String("text")).toString());
  }
  targets_.session.show_view_state(shown.value(QLatin1String("view")).toObject());
}

}  // namespace attn::gui

#include "moc_recovery.cpp"
