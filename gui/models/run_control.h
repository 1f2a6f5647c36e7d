// SPDX-License-Identifier: GPL-3.0-or-later
// RunControl: the scenario that is edited, and the run made from it or shown as a recorded one. If
// a scenario cannot be opened, or has a mistake when start() is called, message() says so and the
// current run goes on. GUI thread; no Widgets.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QThreadPool>
#include <functional>
#include <optional>
#include <utility>

#include "gui/bridge/engine_bridge.h"
#include "gui/models/run/prompt_fit.h"
#include "gui/models/run/run_remarks.h"

namespace attn::gui {

struct BackendChoice {
  QString name, display_name, description;
  // Why the backend cannot run the scenario; empty: it can (perhaps as `pads` says), or whether it
  // can is not known.
  QStringList refusals;
  bool pads = false;  // it can run the scenario only with head padding, which is off
};

class RunControl : public QObject {
  Q_OBJECT
 public:
  explicit RunControl(EngineBridge& bridge, QObject* parent = nullptr);

  EngineBridge& bridge() { return bridge_; }
  // --- the scenario as edited ---
  const Scenario& scenario() const { return scenario_; }
  QString file() const { return file_; }
  // Whether the edited scenario differs from that of the run; true, too, if a scenario was opened
  // and nothing was run yet. Requests added by add_request() are in both scenarios.
  bool has_changes() const { return changed_; }
  void edit(const Scenario& scenario);
  // Whether the scenario differs from the one that was opened or saved last. At first, and after
  // show_scenario() and show_session(), true until one is opened or saved.
  bool has_unsaved_edits() const { return to_json(scenario_) != kept_json_; }
  // The scenario as the file or session has it that was opened or saved last. nullopt: after
  // show_scenario(), and after show_session() of a run without a file.
  const std::optional<Scenario>& in_file() const { return in_file_; }
  void set_in_file(std::optional<Scenario> scenario) { in_file_ = std::move(scenario); }
  // The edited scenario as it was when validate() last found no mistake in it.
  const Scenario& valid_scenario() const { return valid_; }
  // file: where the scenario came from.
  void show_scenario(const Scenario& scenario, const QString& file = {});
  // What validate() finds wrong with the scenario: a sentence, ErrorParts::where and
  // words_at_field(). problem() is empty: nothing.
  QString problem() const { return problem_; }
  QString problem_where() const { return problem_where_; }
  QString problem_at_field() const { return problem_at_field_; }
  PromptFit fit(int index);
  void make_it_fit(int index);
  // Opens a shipped scenario or model by name, a scenario's file, or a file or folder with a model
  // or tensors. For a session or lesson file it only emits session_asked() or lesson_asked().
  // False: nothing was opened, and the scenario stays.
  bool open(const QString& name_or_file);
  // Opens and runs the scenario `name` unless `refused` has that name, and then opens `refused`
  // again, so that message() says why it cannot be opened.
  void run_instead(const QString& refused, const QString& name);
  // Reads the files on another thread, one after the other, opens each and runs it. .npy files
  // given together are one set of tensors. A folder, or .csv files given together, are results of a
  // class if lesson::may_be_results() is true for one. For a lesson, session or results it only
  // emits lesson_asked(), session_asked() or results_asked(); after a session or results it waits
  // for asked_ended() before the next file.
  void open_later(const QStringList& files);
  void asked_ended();
  bool is_opening() const { return opening_; }  // open_later() has not ended its work yet
  void use_other_layout();
  // False: the file was not written, and message() says why.
  bool save(const QString& file);
  // Why `file` must not be written: the run or the edited scenario reads it, or its name is not
  // UTF-8. Empty: it may be written. A scenario may replace the file that it was read from, and a
  // session the file of the shown session.
  enum class Output { kExport, kScenario, kSession };
  QString refusal_of_output(const QString& file, Output output) const;
  std::vector<std::filesystem::path> files_read() const;
  // Replaces the current run by a recorded one. The edited scenario becomes the one that was edited
  // when the session was saved; if the session has none that can be read, the scenario of its run.
  void show_session(const std::shared_ptr<const Session>& session, const QString& file);

  // --- going back to the earlier run ---
  // The title of the run that go_back() shows; empty: there is none.
  QString earlier_title() const;
  // Where go_back() has led: to the earlier one of two runs, or back to the newer one. kNowhere:
  // the shown run did not come from go_back().
  enum class UndoPlace { kNowhere, kEarlier, kNewer };
  UndoPlace undo_place() const { return undo_place_; }
  // Shows the run of earlier_title() as a recorded run, and its scenario. Another call returns to
  // the newer run, if that was kept (EngineRunner::earlier()).
  void go_back();
  // There is no earlier run to go back to, until another run begins.
  void forget_earlier();

  // --- the run ---
  // open(), open_later(), start(), use_other_layout() and go_back() call may_leave() before they
  // replace the run or the scenario. If it returns false, they replace nothing.
  void ask_before_leaving(std::function<bool()> may_leave) { may_leave_ = std::move(may_leave); }
  bool may_leave_run() { return may_leave_(); }
  // Starts a run of the edited scenario. False: the scenario has a mistake, or may_leave() returned
  // false.
  bool start(bool paused = false);
  // Whether message() reports the engine's remarks on a run. By default it does.
  void tell_remarks(bool tell) { tells_remarks_ = tell; }
  // Adds the request to the run and to the scenario. If its name is taken, a number is appended.
  // False: message() was emitted and nothing has changed.
  bool add_request(const ScenarioRequest& request);
  // Adds a request with exactly these tokens as prompt to the run, not to the scenario. message()
  // says that it was added, or why not.
  void add_to_run(const ScenarioRequest& request, std::vector<int32_t> prompt);
  // A request of the run that is not in the scenario. Either add_to_run() added it and it was not
  // taken back, or it had joined a run that is now shown as a recorded one. id: -1: no snapshot of
  // the bridge has it yet.
  struct Addition {
    std::string name;
    int64_t id = -1;
  };
  std::vector<Addition> additions_to_run() const;
  void remove_request(int index);
  // undo_addition() aborts the request that was added last, and removes it from the scenario if it
  // is there. The run keeps what was computed for it.
  bool can_undo_addition() const { return !additions_.empty(); }
  void undo_addition();
  // Pauses the run, or lets it go on. After its end it calls start(); before the first run, too, if
  // the scenario has a request.
  void toggle();
  // Stops the run: the step that is being computed is dropped, the steps before it are kept. Does
  // not wait until the engine has stopped; when it has, message() says where.
  void stop();
  void step(Granularity unit);
  void set_pace(double tiles_per_s);  // 0: full speed
  // If the scenario has another backend, starts it with this one, and with head padding if that is
  // needed. If the backend cannot run the scenario, message() is emitted and the run goes on.
  void set_backend(const QString& name);
  std::vector<BackendChoice> backend_choices() const;
  bool is_running() const;  // neither paused, cancelled nor ended
  bool has_ended() const;
  bool has_begun() const;  // a run was started, or a recorded one is shown
  // The id in the run of the scenario's request with this index; -1: it is not in the run, or there
  // is no such request.
  int64_t live_id(int index) const;
  // True if the request was sent to the run, no announced snapshot has shown it yet, and
  // is_with_engine() is true of it.
  bool is_joining(int index) const;
  static QStringList bundled_models();

 signals:
  void session_asked(const QString& file);
  void lesson_asked(const QString& file);
  void results_asked(const QStringList& files);
  // The scenario was opened from this file or saved to it; not emitted for shipped names, folders
  // and sets of files.
  void file_used(const QString& file);
  void scenario_changed();
  void edited(const attn::Scenario&
                  before);  // edit() changed the scenario; comes before scenario_changed()
  void replacing();  // open(), open_later() or go_back() is about to replace the edited scenario
  // Another scenario has replaced the edited one, or add_request() or remove_request() has changed
  // it. Earlier edits cannot be undone any more.
  void rebased();
  void request_added();      // sent to the run; add_request() emits rebased() before it
  void additions_changed();  // add_to_run() or undo_addition() changed additions_to_run()
  void started();
  void state_changed();  // is_running() or has_ended() may have changed
  // action: what it is about; if it is not empty, a later message with the same one replaces it.
  void message(attn::gui::MessageKind kind, const QString& text, const QString& action = {});
  // Messages whose action begins with `action` are out of date.
  void settled(const QString& action);
  // The opened tensors can be read in another way. text: how they were read; other: the words of
  // the button that calls use_other_layout().
  void layout_asked(const QString& text, const QString& other);
  // In some cases, when another run has replaced the shown one, which go_back() can show again.
  // text: what happened.
  void run_replaced(const QString& text);

 private:
  struct Opening;
  void open_next();
  void opened(const Opening& opening);
  void take(Scenario scenario, const QString& file);
  void ask_layout(std::vector<std::filesystem::path> files);
  void find_live_ids(const EngineSnapshot& snapshot);
  void set_ran(Scenario scenario);
  void check();
  void look_at_snapshot();
  void find_joined(const EngineSnapshot& snapshot);
  void tell_news(const EngineSnapshot& snapshot);
  bool is_at_start() const;
  void leave_run();
  void tell_replaced();
  std::string free_name(const std::string& wanted) const;
  // Whether the request that was sent is in the run, or may wait: true while any command waits for
  // the engine. The engine's newest snapshot is asked, because the window may not have taken it
  // yet. It is read after the number of waiting commands, so that a request which the engine takes
  // in between is found. False: the engine has not added the request.
  bool is_with_engine(const std::string& name) const;
  bool refuses_requests();
  bool fits_run(const ScenarioRequest& request);

  EngineBridge& bridge_;
  PromptMeter meter_;
  Scenario scenario_, valid_;
  Scenario opened_;            // scenario_ as opened, without what remove_request() took out
  int64_t chosen_blocks_ = 0;  // num_blocks as opened or given to edit(), before the cache grew
  // What scenario_ is compared with to tell whether it was edited: the scenario of the run, with
  // the requests of add_request().
  std::optional<Scenario> ran_;
  std::string ran_json_;
  std::string kept_json_;  // to_json() of scenario_ as opened or saved last; empty: neither
  std::optional<Scenario> in_file_;
  std::vector<int64_t> live_ids_;
  // Names of requests that add_request() sent, or that undo_addition() took back early, and that no
  // snapshot has shown yet. find_joined() looks for them in each snapshot.
  std::vector<std::string> joining_;
  QString file_, problem_, problem_where_, problem_at_field_;
  QString told_problem_;  // in the message of the last start(); empty once it is not problem_
  bool changed_ = false;
  size_t messages_seen_ = 0;
  bool tells_remarks_ = true;
  RunRemarks remarks_;
  size_t news_told_ = 0;  // number of requests whose refusal or early end was reported
  std::vector<std::filesystem::path> tensor_files_;  // for use_other_layout()
  bool other_is_cross_ = false;  // true: use_other_layout() reads cross attention
  std::shared_ptr<const Session> earlier_;
  // Requests that add_request() added to the present run, and to the run before it.
  std::vector<ScenarioRequest> joined_, earlier_joined_;
  bool tells_replaced_ =
      false;  // emit run_replaced() when the next run begins, if the earlier one was kept
  bool went_back_ = false;  // the next run was begun by go_back()
  std::function<bool()> may_leave_ = [] { return true; };
  EnginePhase phase_ = EnginePhase::kIdle;
  bool stopping_ = false;  // stop() was called and the run has not ended yet
  uint64_t failed_run_ = 0;
  QList<QStringList> to_open_;
  bool opening_ = false;
  bool asked_ = false;  // open_later() waits for asked_ended()
  UndoPlace undo_place_ = UndoPlace::kNowhere;
  std::vector<std::string> additions_;  // names of what undo_addition() can undo, the newest last
  std::vector<Addition> apart_;  // additions_to_run() and refused ones; of add_to_run(): id -1
  QThreadPool reader_;  // last member: its destructor waits for the file that is being read
};

}  // namespace attn::gui
