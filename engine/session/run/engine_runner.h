// SPDX-License-Identifier: GPL-3.0-or-later
// EngineRunner: the engine on its own thread. Most commands are queued and return at once. Results
// are snapshots (which hold the attention records), trace events and row states. Commands and
// readers: any thread.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <variant>

#include "engine/session/run/engine.h"
#include "engine/session/session_file/session_file.h"
#include "engine/trace/row_state_log.h"

namespace attn {

class EngineRunner {
 public:
  EngineRunner();
  ~EngineRunner();  // cancels the run or job and joins the thread

  // Replaces the current run: cancels it, then loads the new one. start_paused: the new run stands
  // before its first unit of work. The gate is reset and the scenario's pace is set when the engine
  // thread takes the command; until then run, pause and step of the gate do nothing.
  void start(Scenario scenario, bool start_paused = false);
  // Replaces the current run by a saved or earlier one, in the state that the session holds.
  // Nothing is computed, and there is no engine behind it until the next start(). Its records,
  // events and history are those of the session.
  void show(std::shared_ptr<const Session> session);
  // The run that the last start() or show() replaced, with everything that was recorded of it, as
  // it was at its end. Null: there is none, it had no requests, or it was too large to be kept. A
  // run that failed or was still loading is not kept; the one from before it stays.
  std::shared_ptr<const Session> earlier() const;
  // Saves the current run between two steps, with what the window showed and the notes on its
  // steps; the run waits meanwhile. progress and done are called on the engine thread; done gets
  // null, or the exception. start(), show() and quitting cancel it, and cancel_job() once it runs.
  void save(std::filesystem::path file, std::string view, std::vector<StepNote> notes,
            SessionProgress progress, std::function<void(std::exception_ptr trouble)> done);
  // Queues a request. It is added between two steps, also while the run is paused there; a run that
  // is paused inside a step adds it when the step has ended. A finished run goes on; a cancelled
  // run goes on with this request alone. A refusal becomes a warning event. Where there is no
  // engine (before the first run, after a failure, in a shown run) nothing happens. prompt: as in
  // Engine::add_request().
  void add_request(ScenarioRequest request, std::vector<int32_t> prompt = {});
  void abort(uint32_t request);
  // Ends the current run, whose records stay readable, and drops a start or show that waits.
  void cancel();

  RunGate& gate() { return gate_; }  // run, pause, step and pace are not queued
  // The recorder of the current run. Never null.
  std::shared_ptr<Recorder> recorder() const;
  std::shared_ptr<const EngineSnapshot> snapshot() const { return snapshots_.latest(); }
  uint64_t snapshot_version() const { return snapshots_.version(); }
  // Number of commands that the engine thread has not taken, plus 1 while it carries out a start,
  // show or added request that no snapshot shows yet. 0 in a phase in which nothing runs: no run
  // goes on, but a call or a job may.
  size_t pending_commands() const;
  // Blocks until nothing runs and no command waits, or the time is over. Returns false when the
  // time is over.
  bool wait_finished(std::chrono::milliseconds timeout);
  // Queues a call of fn on the engine thread, between two steps as in add_request(), with the
  // engine of the current run; null where there is none.
  void with_engine(std::function<void(Engine*)> fn);
  // Runs long work on the engine thread, between two steps; the run waits meanwhile. The gate is
  // cancelled by cancel_job(), start(), show() and quitting, and fn must look at it often.
  void run_job(std::function<void(RunGate& gate)> fn);
  void cancel_job();
  // The model of a scenario, within run_job() only: it is not loaded again if it is the one that is
  // kept loaded. Throws Error(kBadInput) if the source of the scenario is not a model, and what
  // load_source() throws.
  std::shared_ptr<Source> model_in_job(const Scenario& scenario, RunGate& gate);
  // Running maxima and sums of the watched head of the current run. Every start() begins without
  // any, every show() with those of the session.
  RowStateLog& row_states() { return row_states_; }
  // How far the run is in its step, also where no snapshot says so yet. After cancel(): where the
  // step was stopped, if it was stopped in one.
  StepProgress::State progress() const { return progress_.now(); }

 private:
  struct Start {
    Scenario scenario;
    bool paused;
  };
  struct Show {
    std::shared_ptr<const Session> session;
  };
  struct Add {
    ScenarioRequest request;
    std::vector<int32_t> prompt;
  };
  struct Abort {
    uint32_t request;
  };
  struct Call {
    std::function<void(Engine*)> fn;
  };
  struct Job {
    std::function<void(RunGate&)> fn;
  };
  using Command = std::variant<Start, Show, Add, Abort, Call, Job>;

  template <class What>
  void post(What what);
  template <class What>
  void replace_run(What what);
  SessionInputs session_inputs() const;
  void thread_main();
  bool take_command(Command& command);  // waits for a command or a step to do; false: quit
  void execute(Start& start);
  void execute(Show& show);
  void execute(Add& add);
  void execute(Abort& abort);
  void execute(Call& call);
  void execute(Job& job);
  void keep_replaced();
  void advance();
  void fail(const char* message, bool cancelled);
  EnginePhase phase_at_gate() const;
  void publish_bare(EnginePhase phase, std::string detail);
  std::shared_ptr<Source> source_of(const Scenario& scenario);

  RunGate gate_;
  RunGate job_gate_;
  RowStateLog row_states_;
  StepProgress progress_;
  Mailbox<EngineSnapshot> snapshots_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::deque<Command> commands_;
  std::shared_ptr<Recorder> recorder_;
  std::shared_ptr<const Session> earlier_;
  bool quit_ = false;
  bool busy_ = false;      // the engine thread is executing a command or a step
  bool starting_ = false;  // a start, show or add was taken and has published nothing yet
  bool active_ = false;    // a run was begun and has not ended

  // Engine thread only.
  uint64_t run_ = 0;
  std::shared_ptr<const Scenario> scenario_;
  std::unique_ptr<Engine> engine_;
  std::shared_ptr<const Session> shown_;  // of the last show(); null after a start()
  std::string model_folder_;              // folder of the one model that is kept loaded
  std::shared_ptr<Source> model_;

  std::thread thread_;  // last, so that everything above exists before it starts
};

}  // namespace attn
