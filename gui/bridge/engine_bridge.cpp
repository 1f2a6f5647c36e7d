// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/bridge/engine_bridge.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include "gui/bridge/log.h"

namespace attn::gui {
namespace {

constexpr int kTickMs = 16;
// The timer stops after this many ticks in a row in which nothing new was taken while the run was
// paused or had ended.
constexpr int kIdleTicks = 15;
constexpr std::chrono::milliseconds kBudget{2};  // see drain()
constexpr uint64_t kEventsAtOnce = 2048;
// Number of events for which room is reserved (less if that fails). A list within it is not copied.
#ifdef ATTN_SANITIZED
constexpr size_t kEventRoom = size_t{1} << 22;
#else
constexpr size_t kEventRoom = size_t{1} << 25;
#endif

void reserve_room(std::vector<TraceEvent>& events) {
  for (size_t room = kEventRoom; room > 0; room /= 4) {
    try {
      return events.reserve(room);
    } catch (const std::bad_alloc&) {
    }
  }
}

bool is_quiet(EnginePhase phase) {
  return phase == EnginePhase::kIdle || phase == EnginePhase::kFinished ||
         phase == EnginePhase::kCancelled || phase == EnginePhase::kFailed;
}

}  // namespace

EngineBridge::EngineBridge(QObject* parent) : QObject(parent) {
  timer_.setInterval(kTickMs);
  timer_.setTimerType(Qt::PreciseTimer);
  connect(&timer_, &QTimer::timeout, this, &EngineBridge::tick);
  last_gate_ = gate_state();
  last_pace_ = pace();
}

EngineBridge::~EngineBridge() = default;

void EngineBridge::wake() {
  idle_ticks_ = 0;
  if (!held_ && !timer_.isActive()) timer_.start();
}

void EngineBridge::hold(bool held) {
  held_ = held;
  held ? timer_.stop() : wake();
}

void EngineBridge::start(const Scenario& scenario, bool start_paused) {
  qCDebug(log_run).noquote() << "start" << QString::fromStdString(scenario.title)
                             << (start_paused ? "paused" : "");
  runner_.start(scenario, start_paused);
  wake();
}

void EngineBridge::show(std::shared_ptr<const Session> session) {
  qCDebug(log_run).noquote() << "show" << QString::fromStdString(session->file.string());
  session_ = session;
  runner_.show(std::move(session));
  wake();
}

void EngineBridge::add_request(const ScenarioRequest& request, std::vector<int32_t> prompt) {
  runner_.add_request(request, std::move(prompt));
  wake();
}

void EngineBridge::abort(uint32_t request) {
  runner_.abort(request);
  wake();
}

void EngineBridge::run() {
  runner_.gate().run();
  announce_gate();
  wake();
}

void EngineBridge::pause() {
  runner_.gate().pause();
  announce_gate();
  wake();
}

void EngineBridge::step(Granularity unit) {
  runner_.gate().step(unit);
  announce_gate();
  wake();
}

void EngineBridge::set_pace(double tiles_per_second) {
  runner_.gate().set_pace(tiles_per_second);
  announce_gate();
  wake();
}

void EngineBridge::cancel() {
  qCDebug(log_run) << "cancel";
  runner_.cancel();
  wake();
}

std::vector<std::string> EngineBridge::messages() const {
  return recorder_ ? recorder_->messages() : std::vector<std::string>{};
}

TraceCounts EngineBridge::trace_counts() const {
  return recorder_ ? recorder_->counts() : TraceCounts{};
}

void EngineBridge::announce_gate() {
  const RunGate::State gate = gate_state();
  const double now = pace();
  if (gate == last_gate_ && now == last_pace_) return;
  last_gate_ = gate;
  last_pace_ = now;
  emit gate_changed();
}

void EngineBridge::take_snapshot() {
  const uint64_t version = runner_.snapshot_version();
  if (version == snapshot_version_) return;
  snapshot_version_ = version;
  next_snapshot_ = runner_.snapshot();
}

// Another recorder or run number counts as a new run: its events are read from the beginning.
bool EngineBridge::take_run() {
  const std::shared_ptr<Recorder> recorder = runner_.recorder();
  const uint64_t run = next_snapshot_ ? next_snapshot_->run : run_;
  if (recorder == recorder_ && run == run_) return false;
  recorder_ = recorder;
  run_ = run;
  read_position_ = 0;
  events_.clear();
  attention_version_ = 0;
  return true;
}

void EngineBridge::take_events(Time until) {
  events_wait_ = false;
  if (!recorder_) return;
  recorder_->drain();
  do {
    if (events_.capacity() == 0) reserve_room(events_);
    const uint64_t before = read_position_;
    const auto from = static_cast<qint64>(events_.size());
    read_position_ = recorder_->read(before, events_, kEventsAtOnce);
    events_wait_ = read_position_ == before + kEventsAtOnce;
    if (const auto to = static_cast<qint64>(events_.size()); to > from) {
      idle_ticks_ = 0;
      emit events_appended(from, to);
    }
  } while (events_wait_ && std::chrono::steady_clock::now() < until);
}

void EngineBridge::announce_snapshot() {
  if (!next_snapshot_) return;
  snapshot_ = std::exchange(next_snapshot_, nullptr);
  idle_ticks_ = 0;
  emit snapshot_changed();
}

void EngineBridge::take_attention() {
  if (!snapshot_) return;
  uint64_t version = 0;
  for (const RequestView& request : snapshot_->requests)
    if (request.attention) version += request.attention->version() + 1;
  if (version == attention_version_) return;
  attention_version_ = version;
  idle_ticks_ = 0;
  emit attention_changed();
}

void EngineBridge::catch_up() {
  do drain(Time::max());
  while (behind_);
}

void EngineBridge::tick() {
  const auto begin = std::chrono::steady_clock::now();
  drain(begin + kBudget);
  const bool standing = gate_state() == RunGate::State::kPaused && runner_.gate().held() > 0;
  const bool ended = snapshot_ && is_quiet(snapshot_->phase) && runner_.pending_commands() == 0;
  const bool quiet = ended || (snapshot_ && standing);
  if (!quiet || behind_)
    idle_ticks_ = 0;
  else if (++idle_ticks_ >= kIdleTicks)
    timer_.stop();

  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  worst_tick_ms_ = std::max(worst_tick_ms_, took.count());
}

// The slots of listeners run inside the signals, so the time is checked between the stages. Unless
// a run begins, the next call begins with the first stage that this one left out.
void EngineBridge::drain(Time until) {
  take_snapshot();
  constexpr int kStages = 3, kSnapshotStage = 1;
  if (take_run()) {
    idle_ticks_ = 0;
    // If the new run has a snapshot, it is set before run_started(), so that the listeners see it.
    if (next_snapshot_) snapshot_ = next_snapshot_;
    first_stage_ = kSnapshotStage;
    emit run_started();
  }
  int done = 0;
  do {
    switch ((first_stage_ + done) % kStages) {
      case 0:
        take_events(until);
        break;
      case kSnapshotStage:
        announce_snapshot();
        break;
      default:
        take_attention();
    }
  } while (++done < kStages && std::chrono::steady_clock::now() < until);
  first_stage_ = (first_stage_ + done) % kStages;
  behind_ = events_wait_ || done < kStages;
  announce_gate();
}

}  // namespace attn::gui

#include "moc_engine_bridge.cpp"
