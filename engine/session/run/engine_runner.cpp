// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/run/engine_runner.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/memory.h"

namespace attn {
namespace {

// While the engine thread does other work the run waits. Its clock leaves that time out, as it does
// at the gate.
class StandingStill {
 public:
  explicit StandingStill(Engine* engine) : engine_(engine) {}
  ~StandingStill() {
    if (engine_) engine_->leave_out(std::chrono::steady_clock::now() - begin_);
  }
  StandingStill(const StandingStill&) = delete;
  StandingStill& operator=(const StandingStill&) = delete;

 private:
  Engine* engine_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace

// Makes a small recorder, so that recorder() is not null before the first run.
EngineRunner::EngineRunner()
    : recorder_(std::make_shared<Recorder>(1, 1)), thread_([this] { thread_main(); }) {}

EngineRunner::~EngineRunner() {
  {
    std::lock_guard lock(mutex_);
    quit_ = true;
    gate_.cancel();
    job_gate_.cancel();
  }
  changed_.notify_all();
  thread_.join();
}

template <class What>
void EngineRunner::post(What what) {
  {
    std::lock_guard lock(mutex_);
    commands_.emplace_back(std::in_place_type<What>, std::move(what));
    gate_.interrupt(true);  // ends the wait of a run that is paused between two steps
  }
  changed_.notify_all();
}

// Queues a start or show. Only the newest run counts: all waiting commands but calls and jobs are
// dropped.
template <class What>
void EngineRunner::replace_run(What what) {
  {
    std::lock_guard lock(mutex_);
    std::erase_if(commands_, [](const Command& command) {
      return !std::holds_alternative<Call>(command) && !std::holds_alternative<Job>(command);
    });
    commands_.emplace_back(std::in_place_type<What>, std::move(what));
    gate_.cancel();
    job_gate_.cancel();
  }
  changed_.notify_all();
}

void EngineRunner::start(Scenario scenario, bool start_paused) {
  replace_run(Start{std::move(scenario), start_paused});
}

void EngineRunner::show(std::shared_ptr<const Session> session) {
  replace_run(Show{std::move(session)});
}

void EngineRunner::add_request(ScenarioRequest request, std::vector<int32_t> prompt) {
  post(Add{std::move(request), std::move(prompt)});
}
void EngineRunner::abort(uint32_t request) {
  post(Abort{request});
}
void EngineRunner::with_engine(std::function<void(Engine*)> fn) {
  post(Call{std::move(fn)});
}

void EngineRunner::run_job(std::function<void(RunGate&)> fn) {
  post(Job{std::move(fn)});
}

void EngineRunner::save(std::filesystem::path file, std::string view, std::vector<StepNote> notes,
                        SessionProgress progress, std::function<void(std::exception_ptr)> done) {
  run_job([this, file = std::move(file), view = std::move(view), notes = std::move(notes),
           progress = std::move(progress), done = std::move(done)](RunGate& gate) {
    std::exception_ptr trouble;
    try {
      SessionInputs inputs = session_inputs();
      inputs.view = view;
      inputs.notes = notes;
      save_session(file, inputs,
                   [&](double part) { return !gate.cancelled() && (!progress || progress(part)); });
    } catch (...) {
      trouble = std::current_exception();
    }
    if (done) done(trouble);
  });
}

// Engine thread, between two steps.
SessionInputs EngineRunner::session_inputs() const {
  SessionInputs inputs;
  inputs.snapshot = snapshots_.latest();
  if (engine_)
    inputs.snapshot = std::make_shared<const EngineSnapshot>(
        engine_->snapshot(active_ || !inputs.snapshot ? phase_at_gate() : inputs.snapshot->phase));
  recorder_->drain();
  inputs.recorder = recorder_.get();
  inputs.row_states = &row_states_;
  return inputs;
}

std::shared_ptr<Source> EngineRunner::model_in_job(const Scenario& scenario, RunGate& gate) {
  if (!scenario.source.reads_text())
    throw_bad_input({"this source is not a model", "source", "", "a scenario with a model", ""});
  const std::string folder = model_folder(scenario).string();
  if (model_ && folder == model_folder_) return model_;
  // A run that uses another source is not affected: its engine shares the ownership of that source.
  model_ = load_source(scenario, [&gate](double, const std::string&) { return !gate.cancelled(); },
                       {.attention = true, .events = false, .report = false});
  model_folder_ = folder;
  return model_;
}

void EngineRunner::cancel_job() {
  std::lock_guard lock(mutex_);
  job_gate_.cancel();
}

void EngineRunner::cancel() {
  std::lock_guard lock(mutex_);
  std::erase_if(commands_, [](const Command& command) {
    return std::holds_alternative<Start>(command) || std::holds_alternative<Show>(command);
  });
  if (active_) gate_.cancel();
}

std::shared_ptr<Recorder> EngineRunner::recorder() const {
  std::lock_guard lock(mutex_);
  return recorder_;
}

std::shared_ptr<const Session> EngineRunner::earlier() const {
  std::lock_guard lock(mutex_);
  return earlier_;
}

size_t EngineRunner::pending_commands() const {
  std::lock_guard lock(mutex_);
  return commands_.size() + (starting_ ? 1 : 0);
}

bool EngineRunner::wait_finished(std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, timeout,
                           [this] { return commands_.empty() && !busy_ && !active_; });
}

bool EngineRunner::take_command(Command& command) {
  std::unique_lock lock(mutex_);
  busy_ = starting_ = false;
  if (commands_.empty() && !active_) changed_.notify_all();
  changed_.wait(lock, [this] { return quit_ || !commands_.empty() || active_; });
  if (quit_) return false;
  busy_ = true;
  command.emplace<Call>();
  if (!commands_.empty()) {
    command = std::move(commands_.front());
    commands_.pop_front();
  }
  gate_.interrupt(!commands_.empty());
  if (const auto* begin = std::get_if<Start>(&command)) {
    // Done under the lock, so that a cancel() from now on reaches the new run.
    gate_.set_pace(begin->scenario.view.pace_tiles_per_s);
    gate_.reset(begin->paused ? RunGate::State::kPaused : RunGate::State::kRunning);
    active_ = starting_ = true;
  }
  if (std::holds_alternative<Show>(command)) {
    active_ = false;  // the end of a run that was still active is not published
    starting_ = true;
  }
  if (std::holds_alternative<Add>(command)) starting_ = true;
  if (std::holds_alternative<Job>(command)) {
    // A start or show that waits behind the job has cancelled it.
    const bool starts = std::any_of(commands_.begin(), commands_.end(), [](const Command& next) {
      return std::holds_alternative<Start>(next) || std::holds_alternative<Show>(next);
    });
    job_gate_.reset();
    if (starts) job_gate_.cancel();
  }
  return true;
}

void EngineRunner::thread_main() {
  Command command;
  while (take_command(command)) {
    try {
      std::visit([this](auto& what) { execute(what); }, command);
      advance();
    } catch (const Error& error) {
      fail(error.what(), error.code() == ErrorCode::kCancelled);
    } catch (const std::exception& error) {
      fail(message_of(error), false);
    }
  }
}

// Keeps what the next run replaces. Recorder, history and records are shared and not copied.
// Because they hold the cache and events of a run, it is only kept where memory is plentiful, and
// if it has requests. A run that show() showed is always kept.
void EngineRunner::keep_replaced() {
  constexpr uint64_t kLeastPart = 8;  // cache and events may take 1/8 of the available memory
  std::shared_ptr<const Session> kept = std::exchange(shown_, nullptr);
  if (!kept && engine_) {
    const auto latest = snapshots_.latest();
    const bool finished = latest && latest->run == run_ && latest->phase == EnginePhase::kFinished;
    auto session = std::make_shared<Session>();
    session->snapshot = std::make_shared<const EngineSnapshot>(
        engine_->snapshot(finished ? EnginePhase::kFinished : EnginePhase::kCancelled));
    recorder_->drain();
    session->recorder = recorder_;
    row_states_.read(0, session->row_states);
    const uint64_t bytes = static_cast<uint64_t>(session->snapshot->cache_bytes) +
                           recorder_->size() * sizeof(TraceEvent);
    if (!session->snapshot->requests.empty() &&
        bytes <= static_cast<uint64_t>(available_memory_bytes()) / kLeastPart)
      kept = std::move(session);
    else
      kept = nullptr;
  } else if (!kept) {
    return;  // there is no engine: what was kept before stays
  }
  std::lock_guard lock(mutex_);
  std::swap(earlier_, kept);
}

void EngineRunner::execute(Start& start) {
  keep_replaced();
  ++run_;
  engine_.reset();
  row_states_.clear();
  progress_.clear();
  row_states_.watch(0, static_cast<int>(start.scenario.view.layer),
                    static_cast<int>(start.scenario.view.head));
  scenario_ = std::make_shared<const Scenario>(std::move(start.scenario));
  auto recorder = std::make_shared<Recorder>(num_workers(*scenario_));
  {
    std::lock_guard lock(mutex_);
    recorder_ = recorder;
  }
  // A reader that sees this snapshot may ask for the recorder, so that was set first.
  publish_bare(EnginePhase::kLoading, "");
  {
    std::lock_guard lock(mutex_);
    starting_ = false;
  }
  validate(*scenario_);
  EngineOptions options;
  options.gate = &gate_;
  options.recorder = recorder.get();
  options.snapshots = &snapshots_;
  options.row_states = &row_states_;
  options.progress = &progress_;
  options.history_bytes = kHistoryBytes;
  options.run = run_;
  engine_ = std::make_unique<Engine>(*scenario_, source_of(*scenario_), std::move(options));
  engine_->publish_snapshot(start.paused ? EnginePhase::kPaused : EnginePhase::kRunning);
}

void EngineRunner::execute(Show& show) {
  keep_replaced();
  shown_ = show.session;
  ++run_;
  engine_.reset();
  row_states_.clear();
  progress_.clear();
  scenario_ = show.session->snapshot->scenario;
  for (const RowStateEvent& state : show.session->row_states) row_states_.row_state(state);
  {
    std::lock_guard lock(mutex_);
    recorder_ = show.session->recorder;
  }
  EngineSnapshot shot = *show.session->snapshot;
  shot.run = run_;
  snapshots_.publish(std::make_shared<const EngineSnapshot>(std::move(shot)));
  std::lock_guard lock(mutex_);
  starting_ = false;
}

void EngineRunner::execute(Add& add) {
  if (!engine_) return;
  bool was_cancelled = false;
  {
    std::lock_guard lock(mutex_);
    // Quitting has cancelled the gate; a reset would undo that.
    if (quit_) return;
    // A start or show that waits has cancelled the run for which this request was meant.
    for (const Command& command : commands_)
      if (std::holds_alternative<Start>(command) || std::holds_alternative<Show>(command)) return;
    was_cancelled = !active_ && gate_.cancelled();
    if (was_cancelled) gate_.reset();
  }
  if (was_cancelled) {
    std::vector<uint32_t> unfinished;
    for (const auto& request : engine_->scheduler().requests())
      if (!is_finished(request->state)) unfinished.push_back(request->id);
    for (const uint32_t request : unfinished) engine_->abort(request);
  }
  try {
    engine_->add_request(add.request, std::move(add.prompt));
  } catch (const Error& error) {
    engine_->warn(error.what());
  }
  engine_->publish_snapshot(phase_at_gate());
  std::lock_guard lock(mutex_);
  starting_ = false;
  active_ = true;  // advance() ends the run again when there is nothing to do
}

void EngineRunner::execute(Abort& abort) {
  if (!engine_) return;
  engine_->abort(abort.request);
  if (!active_) return;
  engine_->publish_snapshot(phase_at_gate());
}

void EngineRunner::execute(Call& call) {
  if (!call.fn) return;
  const StandingStill standing(engine_.get());
  try {
    call.fn(engine_.get());
  } catch (const std::exception& error) {
    if (engine_) engine_->warn(message_of(error));
  }
}

void EngineRunner::execute(Job& job) {
  const StandingStill standing(engine_.get());
  try {
    job.fn(job_gate_);
  } catch (const std::exception& error) {
    if (engine_) engine_->warn(message_of(error));
  }
}

void EngineRunner::advance() {
  if (!engine_ || !active_) return;
  bool cancelled = gate_.cancelled();
  if (!cancelled && engine_->has_work()) cancelled = !engine_->step();
  if (!cancelled && engine_->has_work()) return;
  engine_->publish_snapshot(cancelled ? EnginePhase::kCancelled : EnginePhase::kFinished);
  std::lock_guard lock(mutex_);
  active_ = false;
}

EnginePhase EngineRunner::phase_at_gate() const {
  return gate_.state() == RunGate::State::kRunning ? EnginePhase::kRunning : EnginePhase::kPaused;
}

// Ends the run after an error. The engine is in an unknown state, so it is destroyed after a last
// snapshot with the reason. When memory is short that snapshot may fail too.
void EngineRunner::fail(const char* message, bool cancelled) {
  const EnginePhase phase = cancelled ? EnginePhase::kCancelled : EnginePhase::kFailed;
  std::optional<EngineSnapshot> shot;
  try {
    if (engine_) shot = engine_->snapshot(phase);
  } catch (const std::exception&) {
    shot.reset();
  }
  engine_.reset();
  try {
    if (shot) {
      shot->phase_detail = message;
      snapshots_.publish(std::make_shared<const EngineSnapshot>(std::move(*shot)));
    } else {
      publish_bare(phase, message);
    }
  } catch (const std::exception&) {
    // No snapshot can be published. The run still ends below.
  }
  std::lock_guard lock(mutex_);
  active_ = false;
}

void EngineRunner::publish_bare(EnginePhase phase, std::string detail) {
  EngineSnapshot shot;
  shot.run = run_;
  shot.phase = phase;
  shot.phase_detail = std::move(detail);
  shot.scenario = scenario_;
  snapshots_.publish(std::make_shared<const EngineSnapshot>(std::move(shot)));
}

std::shared_ptr<Source> EngineRunner::source_of(const Scenario& scenario) {
  const LoadProgress progress = [this](double fraction, const std::string& what) {
    publish_bare(EnginePhase::kLoading,
                 what + " " + std::to_string(static_cast<int>(100 * fraction)) + "%");
    return !gate_.cancelled();
  };
  if (!scenario.source.reads_text()) return load_source(scenario, progress);
  const std::string folder = model_folder(scenario).string();
  if (!model_ || folder != model_folder_) {
    model_.reset();
    model_ = load_source(scenario, progress, {.attention = true, .events = true});
    model_folder_ = folder;
  }
  return model_;
}

}  // namespace attn
