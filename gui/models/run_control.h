// SPDX-License-Identifier: GPL-3.0-or-later
// RunControl: the scenario being edited and the run made from it. Toolbar, workload panel and menus
// all act through it, so they cannot disagree. What validate() refuses, and a file that cannot be
// opened, becomes a message and the current run goes on. What only the engine finds (too little
// memory, a source that cannot be read) ends the new run; go_back() shows the one before. GUI
// thread; no Widgets.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QThreadPool>
#include <functional>

#include "gui/bridge/engine_bridge.h"
#include "gui/models/run/prompt_fit.h"

namespace attn::gui {

enum class MessageKind { kInfo, kWarning, kError };

struct BackendChoice {
  QString name, display_name, description;
  QStringList refusals;  // why it cannot run the source; empty: it can, or that is not known
  bool pads = false;     // it needs head padding for the source; set_backend() switches it on
};

class RunControl : public QObject {
  Q_OBJECT
 public:
  explicit RunControl(EngineBridge& bridge, QObject* parent = nullptr);

  EngineBridge& bridge() { return bridge_; }
  // --- the scenario as edited ---
  const Scenario& scenario() const { return scenario_; }
  QString file() const { return file_; }  // where the scenario came from or was saved
  // Whether the edited scenario differs from that of the run, with the requests added to the run.
  bool has_changes() const { return changed_; }
  void edit(const Scenario& scenario);
  // Whether the scenario differs from the file that was opened or last saved, or has none.
  bool has_unsaved_edits() const { return to_json(scenario_) != kept_json_; }
  // The scenario as it was last without mistakes.
  const Scenario& valid_scenario() const { return valid_; }
  // Another scenario takes the place of the edited one, as if it had been opened from this file.
  void show_scenario(const Scenario& scenario, const QString& file = {});
  // What validate() finds wrong with the scenario: a sentence, and the JSON path it is about.
  // Empty: nothing is wrong.
  QString problem() const { return problem_; }
  QString problem_where() const { return problem_where_; }
  // problem() in shorter words, to be shown at the field that it is about.
  QString problem_at_field() const { return problem_at_field_; }
  // Whether request `index` of the edited scenario can run and gets all its tokens.
  PromptFit fit(int index);
  void make_it_fit(int index);
  // Opens a shipped scenario by name, or a file or folder with a scenario, a model or tensors. For
  // a session file it only emits session_asked() and returns false, because reading one takes time;
  // for a lesson file it emits lesson_asked(). Otherwise false means that nothing changed:
  // message() was emitted, or the person keeps the run that is shown.
  bool open(const QString& name_or_file);
  // Opens and runs `name`, because `refused` could not be opened, and says why it could not.
  void run_instead(const QString& refused, const QString& name);
  // Opens files one after the other and starts what they describe, without keeping the window
  // waiting: a thread reads and checks them (check_start.h). .npy files that are given together are
  // one set of tensors, and .csv files that are given together the results of a class, if one of
  // them looks like a result; every other file is opened by itself. A file that cannot be opened
  // becomes a message() and the current run goes on. For a lesson lesson_asked() is emitted, for a
  // session file session_asked(), for results results_asked(); after a session or results the next
  // file is opened after asked_ended().
  void open_later(const QStringList& files);
  void asked_ended();
  bool is_opening() const { return opening_; }  // a file is being read, or waits
  // Reads the tensors again with the other order of axes, or as cross attention, and runs them.
  void use_other_layout();
  // Writes the scenario as canonical JSON. False: message() was emitted.
  bool save(const QString& file);
  // Why an output must not be written to `file`: it is read by the run or by the edited scenario,
  // or its name cannot be kept. Empty: it may be. A scenario may replace the file that it came
  // from, and a session the one that is shown.
  enum class Output { kExport, kScenario, kSession };
  QString refusal_of_output(const QString& file, Output output) const;
  // All files that the run and the edited scenario read.
  std::vector<std::filesystem::path> files_read() const;
  // Replaces the current run by a saved one. The scenario edited from now on is the one that was in
  // the window when the session was saved, with the changes not yet run.
  void show_session(const std::shared_ptr<const Session>& session, const QString& file);

  // --- back to the run before ---
  // The title of the run that go_back() shows; empty: there is none to go back to.
  QString earlier_title() const;
  // Where go_back() has led: to the earlier one of two runs, or back to the newer one.
  enum class UndoPlace { kNowhere, kEarlier, kNewer };
  UndoPlace undo_place() const { return undo_place_; }
  // Shows the run of earlier_title() as it was at its end, with all that was recorded of it, and
  // its scenario. The run that is left can be gone back to in the same way.
  void go_back();

  // --- the run ---
  // may_leave() is called before the run that is shown is replaced by another one. False: it stays.
  void ask_before_leaving(std::function<bool()> may_leave) { may_leave_ = std::move(may_leave); }
  bool may_leave_run() { return may_leave_(); }
  // Starts the edited scenario. False: it has a problem, or the person keeps the current run, which
  // goes on.
  bool start(bool paused = false);
  // Whether the remarks of the engine on a run are told, such as what a backend does differently.
  // At first they are.
  void tell_remarks(bool tell) { tells_remarks_ = tell; }
  // Adds the request to the run and to the scenario. If its name is taken, a number is appended.
  // False: message() was emitted and nothing changed.
  bool add_request(const ScenarioRequest& request);
  // Adds a request that a view made of one of the run, with exactly these tokens as prompt. It is
  // no request of the scenario. message() says that it was added, or why not.
  void add_to_run(const ScenarioRequest& request, std::vector<int32_t> prompt);
  // Removes the request from the scenario, and aborts it in the run.
  void remove_request(int index);
  // Whether a request was added to this run that undo_addition() can take back: it is aborted, and
  // leaves the scenario. What the run has computed of it stays. message() says what became of it.
  bool can_undo_addition() const { return !additions_.empty(); }
  void undo_addition();
  void toggle();  // run <-> pause; a run that has ended starts again
  // Ends the run. A step that is being computed ends at its next tile or task and is undone; the
  // steps before it stay. message() says where the run was stopped. Does not wait.
  void stop();
  void step(Granularity unit);
  void set_pace(double tiles_per_s);  // 0: full speed
  // Restarts with this backend, and with head padding if it needs that, which message() tells. If
  // the backend refuses the source, message() is emitted and the run goes on.
  void set_backend(const QString& name);
  std::vector<BackendChoice> backend_choices() const;
  bool is_running() const;  // neither paused nor ended
  bool has_ended() const;
  // The run's id of request `index` of the scenario; -1 when it is not in the run.
  int64_t live_id(int index) const;
  // True if request `index` of the scenario was sent to the run and joins at its next step.
  bool is_joining(int index) const;
  static QStringList bundled_models();

 signals:
  void session_asked(const QString& file);
  void lesson_asked(const QString& file);
  void results_asked(const QStringList& files);
  // This file was opened or saved; not emitted for shipped names, folders and sets of files.
  void file_used(const QString& file);
  void scenario_changed();
  void edited(const attn::Scenario&
                  before);  // edit() changed the scenario; comes before scenario_changed()
  // The scenario changed otherwise than by edit(): another one was opened, or a request joined or
  // left the run. Earlier edits cannot be undone any more.
  void rebased();
  void request_added();  // to the run; after rebased()
  void started();
  void state_changed();  // is_running(), has_ended()
  // action: names what the message is the result of; a later message of the same action replaces
  // it.
  void message(attn::gui::MessageKind kind, const QString& text, const QString& action = {});
  // All messages whose action begins like this are out of date.
  void settled(const QString& action);
  // The tensors that were opened fit both orders of axes, or may be a decode step as well as cross
  // attention. text: what they are taken for; other: the words of the button that calls
  // use_other_layout().
  void layout_asked(const QString& text, const QString& other);
  // Another scenario or another backend runs now, or go_back() has changed the run that is shown.
  // go_back() leads to the run that was shown before. text: a sentence about it.
  void run_replaced(const QString& text);

 private:
  struct Opening;
  void open_next();
  void opened(const Opening& opening);
  void take(Scenario scenario, const QString& file);
  void ask_layout(std::vector<std::filesystem::path> files);
  void find_live_ids(const EngineSnapshot& snapshot);
  void check();
  void look_at_snapshot();
  void find_joined(const EngineSnapshot& snapshot);
  void tell_news(const EngineSnapshot& snapshot);
  void leave_run();
  void tell_replaced();
  std::string free_name(const std::string& wanted) const;
  bool refuses_requests();
  bool fits_run(const ScenarioRequest& request);

  EngineBridge& bridge_;
  PromptMeter meter_;
  Scenario scenario_, valid_;
  Scenario opened_;            // as scenario_ was opened; editing a prompt can rename its request
  int64_t chosen_blocks_ = 0;  // Blocks as chosen, before the cache grew with the prompts
  // The scenario of the run as JSON, to tell whether scenario_ was edited.
  std::string running_json_;
  std::string kept_json_;  // scenario_ as its file has it, as JSON; empty: it has no file
  std::vector<int64_t> live_ids_;
  // Names of the requests that were sent to the run and are in no snapshot yet. (Names, because a
  // request has no id until the engine takes it.)
  std::vector<std::string> joining_;
  QString file_, problem_, problem_where_, problem_at_field_;
  bool changed_ = false;
  size_t messages_seen_ = 0;
  bool tells_remarks_ = true;
  size_t news_told_ = 0;  // requests of the run whose refusal or early end was told
  std::vector<std::filesystem::path> tensor_files_;  // whose axes were guessed
  bool other_is_cross_ = false;  // true: use_other_layout() reads cross attention
  std::shared_ptr<const Session> earlier_;
  // Requests that joined the run, of the present one and of the one before.
  std::vector<ScenarioRequest> joined_, earlier_joined_;
  bool tells_replaced_ = false;  // run_replaced() is to be emitted when the next run begins
  bool went_back_ = false;       // as tells_replaced_, where go_back() begins that run
  std::function<bool()> may_leave_ = [] { return true; };
  EnginePhase phase_ = EnginePhase::kIdle;
  bool stopping_ = false;  // stop() was called and the run has not ended yet
  uint64_t failed_run_ = 0;
  QList<QStringList> to_open_;
  bool opening_ = false;
  bool asked_ = false;  // open_later() has asked for a session or results; asked_ended() follows
  UndoPlace undo_place_ = UndoPlace::kNowhere;
  std::vector<std::string> additions_;  // names of requests added to this run, the newest last
  QThreadPool reader_;  // last member: its destructor waits for the file that is being read
};

}  // namespace attn::gui
