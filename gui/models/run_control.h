// SPDX-License-Identifier: GPL-3.0-or-later
// RunControl: the scenario that is edited and the run made from it. If a scenario cannot be opened,
// or has a mistake when it is to start, message() says so and the current run goes on. GUI thread;
// no Widgets.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QThreadPool>
#include <functional>
#include <optional>

#include "gui/bridge/engine_bridge.h"
#include "gui/models/run/prompt_fit.h"

namespace attn::gui {

enum class MessageKind { kInfo, kWarning, kError };

struct BackendChoice {
  QString name, display_name, description;
  QStringList refusals;  // why it cannot run the source; empty: it can, or that is not known
  bool pads = false;     // it runs the source only with head padding, which is off
};

class RunControl : public QObject {
  Q_OBJECT
 public:
  explicit RunControl(EngineBridge& bridge, QObject* parent = nullptr);

  EngineBridge& bridge() { return bridge_; }
  // --- the scenario as edited ---
  const Scenario& scenario() const { return scenario_; }
  QString file() const { return file_; }
  // Whether the edited scenario differs from that of the run. Requests added by add_request() are
  // in both.
  bool has_changes() const { return changed_; }
  void edit(const Scenario& scenario);
  // Whether the scenario differs from what was opened or last saved; true, too, after
  // show_scenario() and show_session() until it is saved.
  bool has_unsaved_edits() const { return to_json(scenario_) != kept_json_; }
  // The scenario as it last was without mistakes.
  const Scenario& valid_scenario() const { return valid_; }
  // file: where the scenario came from.
  void show_scenario(const Scenario& scenario, const QString& file = {});
  // What validate() finds wrong with the scenario: a sentence, the JSON path that it is about, and
  // words to show at that field. Empty: nothing.
  QString problem() const { return problem_; }
  QString problem_where() const { return problem_where_; }
  QString problem_at_field() const { return problem_at_field_; }
  PromptFit fit(int index);
  void make_it_fit(int index);
  // Opens a shipped scenario by name, or a file or folder with a scenario, a model or tensors. For
  // a session or lesson file it only emits session_asked() or lesson_asked(). False: nothing was
  // opened, and the scenario stays.
  bool open(const QString& name_or_file);
  // Opens and runs `name`, and reports why `refused` cannot be opened.
  void run_instead(const QString& refused, const QString& name);
  // Opens files one after the other and runs them; a thread reads them. .npy files given together
  // are one set of tensors. .csv files given together are results of a class if one of them looks
  // like it. For a lesson, session or results it emits lesson_asked(), session_asked() or
  // results_asked(); after a session or results it waits for asked_ended().
  void open_later(const QStringList& files);
  void asked_ended();
  bool is_opening() const { return opening_; }  // files of open_later() are not all opened yet
  void use_other_layout();
  // False: message() was emitted.
  bool save(const QString& file);
  // Why `file` must not be written: the run or the edited scenario reads it, or its name is not
  // UTF-8. Empty: it may be. A scenario may replace its own file, a session the shown one.
  enum class Output { kExport, kScenario, kSession };
  QString refusal_of_output(const QString& file, Output output) const;
  std::vector<std::filesystem::path> files_read() const;
  // Replaces the current run by a saved one. The edited scenario becomes that of the session, with
  // its edits.
  void show_session(const std::shared_ptr<const Session>& session, const QString& file);

  // --- back to the run before ---
  // The title of the run that go_back() shows; empty: there is none.
  QString earlier_title() const;
  // Where go_back() has led: to the earlier one of two runs, or back to the newer one.
  enum class UndoPlace { kNowhere, kEarlier, kNewer };
  UndoPlace undo_place() const { return undo_place_; }
  // Shows the run of earlier_title() as recorded, and its scenario. Another call comes back.
  void go_back();

  // --- the run ---
  // open(), open_later(), start(), use_other_layout() and go_back() ask may_leave() before they
  // replace the run or the scenario. False: they replace nothing.
  void ask_before_leaving(std::function<bool()> may_leave) { may_leave_ = std::move(may_leave); }
  bool may_leave_run() { return may_leave_(); }
  // Starts the edited scenario. False: it has a problem, or the person keeps the current run.
  bool start(bool paused = false);
  // Whether message() reports the engine's remarks on a run. At first it does.
  void tell_remarks(bool tell) { tells_remarks_ = tell; }
  // Adds the request to the run and to the scenario. If its name is taken, a number is appended.
  // False: message() was emitted and nothing has changed.
  bool add_request(const ScenarioRequest& request);
  // Adds a request with exactly these tokens as prompt to the run, not to the scenario. message()
  // reports the result.
  void add_to_run(const ScenarioRequest& request, std::vector<int32_t> prompt);
  // A request of the run that is not in the scenario: one of add_to_run() that was not taken back,
  // or one that joined a recorded run. id: -1: the run has not taken it yet.
  struct Addition {
    std::string name;
    int64_t id = -1;
  };
  std::vector<Addition> additions_to_run() const;
  void remove_request(int index);
  // undo_addition() aborts the request that was added last, and removes it from the scenario if it
  // is there. What was computed of it stays in the run.
  bool can_undo_addition() const { return !additions_.empty(); }
  void undo_addition();
  // run <-> pause; as start() after the end of the run, and before the first one
  void toggle();
  // The step that is being computed is dropped, the steps before it stay. Does not wait. message()
  // says where the run was stopped.
  void stop();
  void step(Granularity unit);
  void set_pace(double tiles_per_s);  // 0: full speed
  // Restarts with this backend, and with head padding if it needs that. If the backend refuses the
  // source, message() is emitted and the run goes on.
  void set_backend(const QString& name);
  std::vector<BackendChoice> backend_choices() const;
  bool is_running() const;  // neither paused nor ended
  bool has_ended() const;
  bool has_begun() const;  // a run was started, or a recorded one is shown
  // -1: the request is not in the run.
  int64_t live_id(int index) const;
  // True if the request was sent to the run and has not joined it yet.
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
  // Another scenario was taken, or add_request() or remove_request() changed it. Earlier edits
  // cannot be undone any more.
  void rebased();
  void request_added();      // to the run; after rebased()
  void additions_changed();  // additions_to_run()
  void started();
  void state_changed();  // is_running(), has_ended()
  // action: what the message is about; a later message with the same action replaces it.
  void message(attn::gui::MessageKind kind, const QString& text, const QString& action = {});
  // Messages whose action begins with this are out of date.
  void settled(const QString& action);
  // The opened tensors can be read in another way. text: how they were read; other: the words of
  // the button that calls use_other_layout().
  void layout_asked(const QString& text, const QString& other);
  // The shown run was replaced; go_back() shows it again. text: a sentence about it.
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
  // Whether the request that was sent waits for the engine or is in its run. The engine's newest
  // snapshot is asked, because the window may not have taken it yet. It is read after the number
  // of waiting commands, so that a request which the engine takes in between is found. A request
  // that is in neither was refused.
  bool is_with_engine(const std::string& name) const;
  bool refuses_requests();
  bool fits_run(const ScenarioRequest& request);

  EngineBridge& bridge_;
  PromptMeter meter_;
  Scenario scenario_, valid_;
  Scenario opened_;            // scenario_ as it was opened
  int64_t chosen_blocks_ = 0;  // Blocks as chosen, before the cache grew with the prompts
  // The scenario of the run, with the requests that joined it, to tell whether scenario_ was
  // edited.
  std::optional<Scenario> ran_;
  std::string ran_json_;
  std::string kept_json_;  // scenario_ as it was opened or saved; may be empty
  std::vector<int64_t> live_ids_;
  // Names of requests to look for in the next snapshots: sent to the run, and without an id before
  // the engine takes them.
  std::vector<std::string> joining_;
  QString file_, problem_, problem_where_, problem_at_field_;
  bool changed_ = false;
  size_t messages_seen_ = 0;
  bool tells_remarks_ = true;
  size_t news_told_ = 0;  // requests of the run whose refusal or early end was reported
  std::vector<std::filesystem::path> tensor_files_;  // whose axes were guessed
  bool other_is_cross_ = false;  // true: use_other_layout() reads cross attention
  std::shared_ptr<const Session> earlier_;
  // Requests that add_request() added to the present run, and to the one before.
  std::vector<ScenarioRequest> joined_, earlier_joined_;
  bool tells_replaced_ = false;  // emit run_replaced() when the next run begins
  bool went_back_ = false;       // the next run was begun by go_back()
  std::function<bool()> may_leave_ = [] { return true; };
  EnginePhase phase_ = EnginePhase::kIdle;
  bool stopping_ = false;  // stop() was called and the run has not ended yet
  uint64_t failed_run_ = 0;
  QList<QStringList> to_open_;
  bool opening_ = false;
  bool asked_ = false;  // open_later() waits for asked_ended()
  UndoPlace undo_place_ = UndoPlace::kNowhere;
  std::vector<std::string> additions_;  // names of requests added to this run, the newest last
  std::vector<Addition> apart_;  // additions_to_run(); those of add_to_run() stay without id here
  QThreadPool reader_;  // last member: its destructor waits for the file that is being read
};

}  // namespace attn::gui
