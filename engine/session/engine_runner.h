// SPDX-License-Identifier: GPL-3.0-or-later
// EngineRunner: the engine on its own thread. Commands go in by a queue and return at once; what
// comes out are snapshots, trace events and attention records. This is all the desktop program sees
// of the engine. Commands and readers: any thread.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <variant>

#include "engine/session/engine.h"
#include "engine/session/session_file.h"
#include "engine/trace/row_state_log.h"

namespace attn {

class EngineRunner {
 public:
  EngineRunner();
  ~EngineRunner();  // cancels and joins, within 100 ms

  // Replaces the current run: cancels it, then loads the new one. start_paused: stands before the
  // first unit of work. The gate is reset and the scenario's pace set when the engine thread takes
  // the command; until then run, pause and step still speak to the old run.
  void start(Scenario scenario, bool start_paused = false);
  // Puts a saved run in the place of the current one, as far as it came; nothing is computed and
  // there is no engine behind it until the next start(). Its records, events and history are those
  // of the file.
  void show(std::shared_ptr<const Session> session);
  // Writes what there is of the current run between two steps; the run waits meanwhile. progress
  // and done are called on the engine thread; done gets null, or the Error. cancel_job(), start()
  // and quitting cancel it.
  void save(std::filesystem::path file, std::string view, SessionProgress progress,
            std::function<void(std::exception_ptr trouble)> done);
  // Between two steps, also while paused there. A finished run goes on; a cancelled run goes on
  // with this request alone. A refusal becomes a warning event.
  void add_request(ScenarioRequest request);
  void abort(uint32_t request);
  // Ends the current run; its records stay readable.
  void cancel();

  RunGate& gate() { return gate_; }  // run, pause, step, pace: direct, effective at once
  // The recorder of the current run; a new one for every run. Never null.
  std::shared_ptr<Recorder> recorder() const;
  std::shared_ptr<const EngineSnapshot> snapshot() const { return snapshots_.latest(); }
  uint64_t snapshot_version() const { return snapshots_.version(); }
  // Commands of which no snapshot tells yet: not taken by the engine thread, or a start that is
  // still putting the old run away. 0 and a quiet phase means idle.
  size_t pending_commands() const;
  // Blocks until the current run ended or the time is over; for tests and headless runs. False on
  // time-out.
  bool wait_finished(std::chrono::milliseconds timeout);
  // Runs on the engine thread, between two steps, with the engine of the current run (null before
  // the first). For exports that need the whole engine.
  void with_engine(std::function<void(Engine*)> fn);
  // Long work beside the run, on the engine thread, between two steps; the run waits meanwhile. Its
  // gate is cancelled by cancel_job(), by start() and by quitting, and must be looked at often.
  void run_job(std::function<void(RunGate& gate)> fn);
  void cancel_job();
  // Running maxima and sums of the watched head of the current run; cleared by every start().
  RowStateLog& row_states() { return row_states_; }

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
  bool take_command(Command& command);  // waits; false: quit
  void execute(Start& start);
  void execute(Show& show);
  void execute(Add& add);
  void execute(Abort& abort);
  void execute(Call& call);
  void execute(Job& job);
  void advance();
  void fail(const char* message, bool cancelled);
  EnginePhase phase_at_gate() const;
  void publish_bare(EnginePhase phase, std::string detail);
  std::shared_ptr<Source> source_of(const Scenario& scenario);

  RunGate gate_;
  RunGate job_gate_;
  RowStateLog row_states_;
  Mailbox<EngineSnapshot> snapshots_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::deque<Command> commands_;
  std::shared_ptr<Recorder> recorder_;
  bool quit_ = false;
  bool busy_ = false;      // the engine thread executes a command or a step
  bool starting_ = false;  // a start was taken and has published nothing yet
  bool active_ = false;    // the current run has work and was not cancelled

  // Engine thread only.
  uint64_t run_ = 0;
  std::shared_ptr<const Scenario> scenario_;
  std::unique_ptr<Engine> engine_;
  std::string model_folder_;  // the one model kept loaded
  std::shared_ptr<Source> model_;

  std::thread thread_;  // last: everything above is there before it starts
};

}  // namespace attn
