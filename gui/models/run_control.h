// SPDX-License-Identifier: GPL-3.0-or-later
// RunControl: the scenario being edited and the run made from it. Toolbar, workload panel and menus
// all act through it, so they cannot disagree. Bad input becomes a message and the current run goes
// on. GUI thread; no Widgets.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>

#include "gui/bridge/engine_bridge.h"

namespace attn::gui {

enum class MessageKind { kInfo, kWarning, kError };

struct BackendChoice {
  QString name, display_name, description;
  QStringList refusals;  // why it cannot run the current source; empty: it can
};

class RunControl : public QObject {
  Q_OBJECT
 public:
  explicit RunControl(EngineBridge& bridge, QObject* parent = nullptr);

  EngineBridge& bridge() { return bridge_; }
  // --- the scenario as edited ---
  const Scenario& scenario() const { return scenario_; }
  QString file() const { return file_; }         // name or file it came from
  bool has_changes() const { return changed_; }  // edited since the run was started
  void edit(const Scenario& scenario);
  // What validate() says about it: the sentence, and the JSON path it is about. Empty: nothing
  // wrong.
  QString problem() const { return problem_; }
  QString problem_where() const { return problem_where_; }
  // Reads a shipped name, or a file of a scenario or of tensors. False: a message was sent and
  // nothing changed. A session file is only asked for: it takes longer than a moment to read.
  bool open(const QString& name_or_file);
  // Makes a scenario of the user's queries, keys and values (tensor_scenario.h). False as above.
  bool open_tensors(const QStringList& files);
  bool save(const QString& file);  // canonical JSON, through a temporary file
  // Puts a saved run in the place of the current one. Its scenario becomes the one that is edited,
  // with what was changed in it when it was saved.
  void show_session(const std::shared_ptr<const Session>& session, const QString& file);

  // --- the run ---
  // Starts the scenario as edited. False: it has a problem, the current run goes on.
  bool start(bool paused = false);
  // Adds to the running batch and to the scenario. A name that is taken gets a number.
  bool add_request(const ScenarioRequest& request);
  // Out of the scenario, and ended in the run.
  void remove_request(int index);
  void toggle();  // run <-> pause; a run that has ended starts again
  void step(Granularity unit);
  void set_pace(double tiles_per_s);  // 0: full speed
  // Restarts with this backend; refused ones are not taken.
  void set_backend(const QString& name);
  std::vector<BackendChoice> backend_choices() const;
  bool is_running() const;  // neither paused nor ended
  bool has_ended() const;
  // The run's id of request `index` of the scenario; -1 when it is not in the run.
  int64_t live_id(int index) const;
  // It was sent to the run and joins at its next step.
  bool is_joining(int index) const;
  static QStringList bundled_models();

 signals:
  void session_asked(const QString& file);
  // A file of the user, not a shipped name, was opened, or a session put in place, or saved.
  void file_used(const QString& file);
  void scenario_changed();
  void started();
  void state_changed();  // is_running(), has_ended()
  // action: what it is the result of; a later result of the same replaces it.
  void message(attn::gui::MessageKind kind, const QString& text, const QString& action = {});

 private:
  void take(Scenario scenario, const QString& file);
  void find_live_ids(const EngineSnapshot& snapshot);
  void check();
  void look_at_snapshot();
  void find_joined(const EngineSnapshot& snapshot);
  std::string free_name(const std::string& wanted) const;
  bool fits_run(const ScenarioRequest& request);

  EngineBridge& bridge_;
  Scenario scenario_;
  std::string running_json_;  // of the run, to tell changes
  std::vector<int64_t> live_ids_;
  // Requests sent to the run that it has not shown yet, by name: an engine that refuses one gives
  // it no id.
  std::vector<std::string> joining_;
  QString file_, problem_, problem_where_;
  bool changed_ = false;
  size_t messages_seen_ = 0;
  EnginePhase phase_ = EnginePhase::kIdle;
  uint64_t failed_run_ = 0;
};

}  // namespace attn::gui
