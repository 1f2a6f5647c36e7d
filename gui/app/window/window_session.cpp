// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/window/window_session.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocale>
#include <QThread>
#include <atomic>
#include <cmath>
#include <mutex>

#include "engine/core/error.h"
#include "gui/bridge/log.h"
#include "gui/models/file_path.h"
#include "gui/models/words/scenario_words.h"
#include "gui/theme/file_dialogs.h"
#include "gui/widgets/view_options.h"

namespace attn::gui {
namespace {

constexpr int kLook_ms = 30;
constexpr int kPatience_ms = 700;
constexpr int kBurst_ms = 12;
constexpr double kFarthest = 1e15;  // largest absolute value of a number in View::place()
constexpr int kLastKind = static_cast<int>(SelectionKind::kSpan);

QJsonArray array_of(const std::vector<double>& numbers) {
  QJsonArray array;
  for (const double number : numbers) array.append(number);
  return array;
}

std::vector<double> numbers_of(const QJsonValue& value) {
  std::vector<double> numbers;
  for (const QJsonValue& item : value.toArray()) {
    const double number = item.toDouble(std::nan(""));
    if (!(std::abs(number) <= kFarthest)) return {};
    numbers.push_back(number);
  }
  return numbers;
}

// The fields by which an event is found again. Its index can change: it depends on the order in
// which the threads' buffers were emptied.
QJsonArray words_of(const TraceEvent& event) {
  QJsonArray words;
  for (const uint64_t word : {uint64_t{event.begin_ns}, uint64_t{event.duration_ns}})
    words.append(QString::number(word));
  for (const uint32_t word : {static_cast<uint32_t>(event.kind), uint32_t{event.lane},
                              uint32_t{event.layer}, event.a, event.b, event.c, event.d})
    words.append(static_cast<qint64>(word));
  return words;
}

int64_t index_of(const QJsonArray& words, const std::vector<TraceEvent>& events) {
  if (words.isEmpty()) return -1;
  const uint64_t begin_ns = words[0].toString().toULongLong();
  for (size_t i = 0; i < events.size(); ++i)
    if (events[i].begin_ns == begin_ns && words_of(events[i]) == words)
      return static_cast<int64_t>(i);
  return -1;
}

// Shows and selects what `state` names, as far as the run has it; a file may name anything.
void show_saved_selection(const QJsonObject& state, const EngineBridge& bridge,
                          Selection& selection) {
  const auto& snapshot = bridge.snapshot();
  if (!snapshot) return;
  const auto request_of = [&](const QJsonObject& of) -> const RequestView* {
    const qint64 id = of.value(QLatin1String("request")).toInteger(-1);
    return request_by_id(*snapshot, id);
  };
  const auto number = [](const QJsonObject& of, const char* key, int64_t count) {
    const int64_t value = of.value(QLatin1String(key)).toInteger(-1);
    return value < count ? std::max<int64_t>(-1, value) : -1;
  };
  const int64_t layers = snapshot->source.num_layers, heads = snapshot->source.num_heads;
  const QJsonObject shown = state.value(QLatin1String("shown")).toObject();
  if (const RequestView* request = request_of(shown))
    selection.show(request->id, std::max<int64_t>(0, number(shown, "layer", layers)),
                   std::max<int64_t>(0, number(shown, "head", heads)));
  const QJsonObject selected = state.value(QLatin1String("selected")).toObject();
  const auto kind = whole_option(selected, "kind", 1, kLastKind);
  if (!kind) return;
  SelectionState wanted;
  wanted.kind = static_cast<SelectionKind>(*kind);
  const RequestView* request = request_of(selected);
  wanted.request = request ? int64_t{request->id} : -1;
  wanted.layer = number(selected, "layer", layers);
  wanted.head = number(selected, "head", heads);
  if (request && wanted.kind == SelectionKind::kCell) request = &request->at(wanted.layer);
  const int64_t tokens = request ? static_cast<int64_t>(request->tokens->size()) : 0;
  wanted.query = number(selected, "query", tokens);
  const AttentionRecord* record = request ? request->attention.get() : nullptr;
  wanted.key =
      number(selected, "key", record ? std::max(tokens, record->shape().encoder_keys) : tokens);
  wanted.in_host_pool = flag_option(selected, "in_host_pool").value_or(false);
  wanted.block = number(selected, "block",
                        static_cast<int64_t>(wanted.in_host_pool ? snapshot->swap_blocks.size()
                                                                 : snapshot->blocks.size()));
  wanted.event = index_of(selected.value(QLatin1String("event")).toArray(), bridge.events());
  const bool is_there = wanted.kind == SelectionKind::kToken
                            ? wanted.request >= 0 && wanted.query >= 0
                        : wanted.kind == SelectionKind::kCell
                            ? wanted.request >= 0 && wanted.query >= 0 && wanted.key >= 0
                        : wanted.kind == SelectionKind::kBlock ? wanted.block >= 0
                                                               : wanted.event >= 0;
  if (is_there) selection.select(wanted);
}

}  // namespace

// Shared with the thread that reads or writes the file.
struct WindowSession::Work {
  QString file;
  bool is_save = false;
  std::vector<StepNote> notes;  // the notes that are saved
  Scenario scenario;            // the edited scenario that is saved
  bool is_beside = false;       // the session goes to read() and is not shown here
  std::atomic<double> part{0};
  std::atomic<bool> cancelled{false}, ended{false};
  bool resume = false;  // true: the run goes on after the saving
  bool shown = false;   // true: the session that was read is being shown
  std::mutex mutex;     // guards trouble, was_cancelled and session
  std::string trouble;
  bool was_cancelled = false;
  bool ended_step = false;
  std::shared_ptr<const Session> session;

  void fail(std::exception_ptr error) {
    std::lock_guard lock(mutex);
    try {
      std::rethrow_exception(std::move(error));
    } catch (const Error& known) {
      trouble = known.what();
      was_cancelled = known.code() == ErrorCode::kCancelled;
    } catch (const std::exception& other) {
      trouble = message_of(other);
    }
  }
};

WindowSession::WindowSession(SessionTargets targets) : targets_(std::move(targets)) {
  jobs_.setMaxThreadCount(1);
  timer_.setInterval(kLook_ms);
  connect(&timer_, &QTimer::timeout, this, &WindowSession::look);
}

WindowSession::~WindowSession() {
  if (work_) work_->cancelled = true;
  jobs_.waitForDone();
}

void WindowSession::settle() {
  if (!work_) return;
  if (!work_->is_save) work_->cancelled = true;
  while (!work_->ended) {
    const bool stands =
        bridge().gate_state() == RunGate::State::kPaused && bridge().runner().gate().held() > 0;
    if (stands) bridge().step(Granularity::kStep);  // saving waits for the end of the step
    QThread::msleep(5);
  }
  if (work_->is_save) look_at_save();
}

void WindowSession::ask_save() {
  const auto& snapshot = bridge().snapshot();
  QString name = QFileInfo(targets_.control.file()).fileName().section(QLatin1Char('.'), 0, 0);
  if (name.isEmpty() && snapshot && snapshot->scenario) name = title_of(*snapshot->scenario);
  const QString suffix =
      QString::fromUtf8(kSessionSuffix.data(), static_cast<qsizetype>(kSessionSuffix.size()));
  const QString file =
      ask_save_file(targets_.window, tr("Save the session"), FileKind::kSession, name, {suffix});
  if (!file.isEmpty()) save(file);
}

void WindowSession::begin(const QString& file, const QString& what) {
  qCDebug(log_session).noquote() << what;
  work_ = std::make_shared<Work>();
  work_->file = file;
  progress_ = std::make_unique<QProgressDialog>(what, tr("Cancel"), 0, 1000, targets_.window);
  progress_->setWindowTitle(tr("Session"));
  progress_->setMinimumDuration(kPatience_ms);
  progress_->setAutoClose(false);
  progress_->setAutoReset(false);
  progress_->setValue(0);
  connect(progress_.get(), &QProgressDialog::canceled, this,
          [work = work_] { work->cancelled = true; });
  timer_.start(kLook_ms);
}

void WindowSession::save(const QString& file) {
  if (is_busy()) {
    targets_.messages.show_message(
        MessageKind::kWarning,
        tr("A session is already being saved or opened. Wait until that has ended."), file);
    return;
  }
  if (const QString refusal =
          targets_.control.refusal_of_output(file, RunControl::Output::kSession);
      !refusal.isEmpty()) {
    targets_.messages.show_message(MessageKind::kError, refusal, file);
    emit saved(file, false);
    return;
  }
  begin(file, tr("Saving %1").arg(QFileInfo(file).fileName()));
  work_->is_save = true;
  work_->notes = targets_.notes.all();
  work_->scenario = targets_.control.scenario();
  const auto& snapshot = bridge().snapshot();
  const bool in_a_step =
      snapshot && snapshot->layer >= 0 &&
      (snapshot->phase == EnginePhase::kRunning || snapshot->phase == EnginePhase::kPaused);
  const bool slow = bridge().gate_state() == RunGate::State::kPaused || bridge().pace() > 0;
  work_->resume = in_a_step && slow && bridge().gate_state() == RunGate::State::kRunning;
  const std::string view = QJsonDocument(view_state()).toJson(QJsonDocument::Compact).toStdString();
  bridge().runner().save(
      FilePath(file).path(), view, work_->notes,
      [work = work_](double part) {
        work->part = part;
        return !work->cancelled.load();
      },
      [work = work_](std::exception_ptr trouble) {
        if (trouble) work->fail(std::move(trouble));
        work->ended = true;
      });
  work_->ended_step = in_a_step && slow;
  if (work_->ended_step) bridge().step(Granularity::kStep);
}

void WindowSession::open(const QString& file) {
  if (is_busy()) {
    targets_.messages.show_message(
        MessageKind::kWarning,
        tr("A session is already being saved or opened. Wait until that has ended."), file);
    emit opened(file, false);
    return;
  }
  begin(file, tr("Opening %1").arg(QFileInfo(file).fileName()));
  read_in_background();
}

void WindowSession::read_beside(const QString& file) {
  if (is_busy())
    return targets_.messages.show_message(
        MessageKind::kWarning,
        tr("A session is already being saved or opened. Wait until that has ended."), file);
  begin(file, tr("Opening %1").arg(QFileInfo(file).fileName()));
  work_->is_beside = true;
  read_in_background();
}

void WindowSession::read_in_background() {
  jobs_.start([work = work_] {
    try {
      auto session =
          std::make_shared<Session>(load_session(work->file.toStdString(), [&work](double part) {
            work->part = part;
            return !work->cancelled.load();
          }));
      std::lock_guard lock(work->mutex);
      work->session = std::move(session);
    } catch (...) {
      work->fail(std::current_exception());
    }
    work->ended = true;
  });
}

void WindowSession::look() {
  if (!work_) return;
  if (!work_->shown && !progress_->wasCanceled())
    progress_->setValue(static_cast<int>(999 * std::min(1.0, work_->part.load())));
  // Cancelling an opening need not wait for the thread. Cancelling a save waits: the file may be
  // complete before the thread stops.
  if (work_->cancelled && !work_->is_save && !work_->shown && !work_->ended)
    return finish(tr("Opening was cancelled; nothing has changed."));
  if (!work_->ended) return;
  if (work_->is_save)
    look_at_save();
  else
    look_at_open();
}

void WindowSession::look_at_save() {
  if (work_->resume) bridge().run();
  std::string trouble;
  {
    std::lock_guard lock(work_->mutex);
    trouble = work_->trouble;
    if (work_->was_cancelled)
      trouble = tr("Saving was cancelled; nothing was written.").toStdString();
  }
  if (trouble.empty()) {
    targets_.notes.set_saved(work_->notes);
    targets_.control.set_in_file(work_->scenario);
    targets_.messages.show_message(
        MessageKind::kInfo,
        tr("Saved %1, %2.")
                .arg(work_->file, QLocale().formattedDataSize(QFileInfo(work_->file).size())) +
            (work_->ended_step
                 ? QLatin1Char(' ') + tr("The step that was under way was computed to its end.")
                 : QString()),
        work_->file);
  }
  finish(QString::fromStdString(trouble));
}

// Called when the thread that reads has ended. If it has a session: for read_beside() emits read(),
// otherwise the session replaces the run, if may_leave_run() allows it.
void WindowSession::take_read_session() {
  const std::shared_ptr<Work> work = work_;
  std::unique_lock lock(work->mutex);
  const bool is_cancelled = work->was_cancelled || work->cancelled;
  const QString trouble = is_cancelled ? tr("Opening was cancelled; nothing has changed.")
                                       : QString::fromStdString(work->trouble);
  const std::shared_ptr<const Session> session = is_cancelled ? nullptr : work->session;
  lock.unlock();
  if (!session) return finish(trouble);
  // may_leave_run() may save a session, so this work ends first.
  end_work({});
  if (work->is_beside) {
    emit read(work->file, session);
    return;
  }
  if (!targets_.control.may_leave_run()) {
    emit opened(work->file, false);
    return;
  }
  begin(work->file, tr("Opening %1").arg(QFileInfo(work->file).fileName()));
  work_->session = session;
  work_->ended = true;
  work_->shown = true;
  timer_.start(0);
  show_read_session();
}

void WindowSession::look_at_open() {
  if (!work_->shown) return take_read_session();
  const Session& session = *work_->session;
  QElapsedTimer burst;
  burst.start();
  do {
    bridge().tick();
    // Another run was started in the meantime.
    if (bridge().recorder() && bridge().session() != work_->session &&
        bridge().runner().recorder() != session.recorder &&
        bridge().runner().pending_commands() == 0)
      return finish(
          tr("The session was not opened, because another run was started in the meantime."));
  } while (burst.elapsed() < kBurst_ms && (bridge().session() != work_->session ||
                                           bridge().events().size() < session.recorder->size()));
  if (bridge().session() != work_->session || !bridge().snapshot() ||
      bridge().events().size() < session.recorder->size())
    return;
  bridge().catch_up();
  show_view_state(saved_view(session));
  targets_.messages.show_message(
      MessageKind::kInfo,
      tr("Opened %1. This is the saved run. Press Space to run its scenario again.")
          .arg(work_->file),
      work_->file);
  finish({});
}

void WindowSession::show_read_session() {
  emit replacing();
  targets_.control.show_session(work_->session, work_->file);
}

void WindowSession::end_work(const QString& trouble) {
  timer_.stop();
  const std::shared_ptr<Work> work = std::exchange(work_, nullptr);
  progress_.reset();
  qCDebug(log_session).noquote() << work->file
                                 << (trouble.isEmpty() ? QStringLiteral("done") : trouble);
  if (!trouble.isEmpty()) targets_.messages.show_message(MessageKind::kError, trouble, work->file);
}

void WindowSession::finish(const QString& trouble) {
  const std::shared_ptr<Work> work = work_;
  end_work(trouble);
  if (work->is_beside) return;
  if (work->is_save)
    emit saved(work->file, trouble.isEmpty());
  else
    emit opened(work->file, trouble.isEmpty());
}

// --- what the window shows ---

QJsonObject WindowSession::view_state() const {
  QJsonObject state{{QStringLiteral("version"), 1}};
  const Selection& selection = targets_.selection;
  state.insert(
      QStringLiteral("shown"),
      QJsonObject{{QStringLiteral("request"), static_cast<qint64>(selection.shown_request())},
                  {QStringLiteral("layer"), static_cast<qint64>(selection.shown_layer())},
                  {QStringLiteral("head"), static_cast<qint64>(selection.shown_head())}});
  const SelectionState& selected = selection.state();
  if (selected.kind != SelectionKind::kNothing) {
    QJsonObject what{{QStringLiteral("kind"), static_cast<int>(selected.kind)},
                     {QStringLiteral("in_host_pool"), selected.in_host_pool}};
    const std::pair<const char*, int64_t> numbers[] = {
        {"request", selected.request}, {"layer", selected.layer}, {"head", selected.head},
        {"query", selected.query},     {"key", selected.key},     {"block", selected.block}};
    for (const auto& [key, number] : numbers)
      what.insert(QLatin1String(key), static_cast<qint64>(number));
    const auto event = static_cast<size_t>(std::max<int64_t>(0, selected.event));
    if (selected.event >= 0 && event < bridge().events().size())
      what.insert(QStringLiteral("event"), words_of(bridge().events()[event]));
    state.insert(QStringLiteral("selected"), what);
  }
  if (!targets_.cursor.is_live())
    state.insert(QStringLiteral("step"), static_cast<qint64>(targets_.cursor.step()));
  QJsonObject views;
  for (const View* view : targets_.views) {
    QJsonObject one{{QStringLiteral("place"), array_of(view->place())}};
    if (const QJsonObject options = view->options(); !options.isEmpty())
      one.insert(QStringLiteral("options"), options);
    views.insert(view->export_name(), one);
    if (targets_.tabs.currentWidget() == view)
      state.insert(QStringLiteral("tab"), view->export_name());
  }
  state.insert(QStringLiteral("views"), views);
  state.insert(QStringLiteral("layout"), targets_.layouts.current());
  state.insert(QStringLiteral("wide"), targets_.layouts.is_wide());
  QJsonArray hidden;
  for (const QDockWidget* panel : targets_.panels)
    if (panel->isHidden()) hidden.append(panel->objectName());
  state.insert(QStringLiteral("hidden_panels"), hidden);
  // The scenario with added requests and with edits since the start of the run.
  state.insert(QStringLiteral("workload"),
               QString::fromStdString(to_json(targets_.control.scenario())));
  state.insert(QStringLiteral("workload_changed"), targets_.control.has_changes());
  return state;
}

void WindowSession::show_view_state(const QJsonObject& state) {
  const QString layout = state.value(QLatin1String("layout")).toString();
  if (!layout.isEmpty() && layout != targets_.layouts.current()) targets_.layouts.apply(layout);
  if (const auto wide = flag_option(state, "wide")) {
    targets_.layouts.set_wide(*wide);
    const QJsonArray hidden = state.value(QLatin1String("hidden_panels")).toArray();
    if (!*wide)
      for (QDockWidget* panel : targets_.panels)
        if (panel->isHidden() != hidden.contains(panel->objectName()))
          panel->setVisible(panel->isHidden());
  }
  const QString tab = state.value(QLatin1String("tab")).toString();
  for (View* view : targets_.views)
    if (view->export_name() == tab && targets_.tabs.indexOf(view) >= 0)
      targets_.tabs.setCurrentWidget(view);
  show_saved_choices(state, bridge(), targets_.selection, targets_.cursor, targets_.views);
  const QJsonObject views = state.value(QLatin1String("views")).toObject();
  for (View* view : targets_.views) {
    const QJsonObject one = views.value(view->export_name()).toObject();
    if (one.contains(QLatin1String("place")))
      view->go_to_place(numbers_of(one.value(QLatin1String("place"))));
  }
}

QJsonObject saved_view(const Session& session) {
  return QJsonDocument::fromJson(QByteArray::fromStdString(session.view)).object();
}

void show_saved_choices(const QJsonObject& state, const EngineBridge& bridge, Selection& selection,
                        TimeCursor& cursor, const std::vector<View*>& views) {
  show_saved_selection(state, bridge, selection);
  if (const auto step = real_option(state, "step", 1, 0x1p32 - 1))
    cursor.go_to(static_cast<uint32_t>(*step));
  const QJsonObject choices = state.value(QLatin1String("views")).toObject();
  for (View* view : views)
    view->set_options(
        choices.value(view->export_name()).toObject().value(QLatin1String("options")).toObject());
}

}  // namespace attn::gui

#include "moc_window_session.cpp"
