// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/run_control.h"

#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <filesystem>
#include <optional>

#include "engine/attention/backend.h"
#include "engine/core/error.h"
#include "engine/session/report/report.h"
#include "engine/session/run/check_start.h"
#include "engine/session/run/layer_configs.h"
#include "engine/session/scenario/tensor_scenario.h"

namespace attn::gui {
namespace {

std::vector<std::filesystem::path> paths_of(const QStringList& files) {
  std::vector<std::filesystem::path> paths;
  for (const QString& file : files) paths.emplace_back(file.toStdString());
  return paths;
}

bool ended(EnginePhase phase) {
  return phase == EnginePhase::kFinished || phase == EnginePhase::kCancelled ||
         phase == EnginePhase::kFailed;
}

}  // namespace

RunControl::RunControl(EngineBridge& bridge, QObject* parent) : QObject(parent), bridge_(bridge) {
  reader_.setMaxThreadCount(1);
  connect(&bridge, &EngineBridge::snapshot_changed, this, &RunControl::look_at_snapshot);
  connect(&bridge, &EngineBridge::gate_changed, this, &RunControl::state_changed);
  connect(&bridge, &EngineBridge::run_started, this, [this] { messages_seen_ = 0; });
}

void RunControl::check() {
  problem_.clear();
  problem_where_.clear();
  try {
    validate(scenario_);
  } catch (const Error& error) {
    problem_ = QString::fromUtf8(error.what());
    problem_where_ = QString::fromStdString(error.parts().where);
  }
  changed_ = to_json(scenario_) != running_json_;
}

void RunControl::edit(const Scenario& scenario) {
  scenario_ = scenario;
  check();
  emit scenario_changed();
}

bool RunControl::open(const QString& name_or_file) {
  if (is_session_file(name_or_file.toStdString())) {
    emit session_asked(name_or_file);
    return false;
  }
  try {
    take(open_scenario(name_or_file.toStdString()), name_or_file);
  } catch (const std::exception& error) {
    emit message(MessageKind::kError, QString::fromUtf8(error.what()));
    return false;
  }
  if (QFileInfo(name_or_file).isFile()) emit file_used(name_or_file);
  return true;
}

// What the reading thread found.
struct RunControl::Opening {
  QStringList files;
  std::optional<Scenario> scenario;
  QString problem;
};

void RunControl::open_later(const QStringList& files) {
  QStringList arrays;
  for (const QString& file : files) {
    if (file.endsWith(QLatin1String(".npy"), Qt::CaseInsensitive))
      arrays.append(file);
    else
      to_open_.append({file});
  }
  if (!arrays.isEmpty()) to_open_.append(arrays);
  if (!opening_) open_next();
}

void RunControl::session_ended() {
  if (opening_) QMetaObject::invokeMethod(this, &RunControl::open_next, Qt::QueuedConnection);
}

void RunControl::open_next() {
  opening_ = !to_open_.isEmpty();
  if (!opening_) return;
  auto opening = std::make_shared<Opening>();
  opening->files = to_open_.takeFirst();
  if (is_session_file(opening->files.front().toStdString())) {
    emit session_asked(opening->files.front());
    return;
  }
  reader_.start([this, opening] {
    try {
      Scenario scenario = opening->files.size() > 1
                              ? tensor_scenario(paths_of(opening->files))
                              : open_scenario(opening->files.front().toStdString());
      check_start(scenario);
      opening->scenario = std::move(scenario);
    } catch (const std::exception& error) {
      opening->problem = QString::fromUtf8(error.what());
    }
    QMetaObject::invokeMethod(
        this, [this, opening] { opened(*opening); }, Qt::QueuedConnection);
  });
}

void RunControl::opened(const Opening& opening) {
  const QString& file = opening.files.front();
  if (opening.scenario) {
    take(*opening.scenario, file);
    if (opening.files.size() == 1 && QFileInfo(file).isFile()) emit file_used(file);
    start();
  } else {
    // An error about the source of a scenario names the source, not the scenario.
    const QString name = QFileInfo(file).fileName();
    emit message(MessageKind::kError, opening.problem.contains(name)
                                          ? opening.problem
                                          : tr("%1: %2").arg(name, opening.problem));
  }
  // The window paints and reacts before the next file is shown.
  QMetaObject::invokeMethod(this, &RunControl::open_next, Qt::QueuedConnection);
}

void RunControl::take(Scenario scenario, const QString& file) {
  scenario_ = std::move(scenario);
  file_ = file;
  live_ids_.clear();
  check();
  emit scenario_changed();
}

void RunControl::show_session(const std::shared_ptr<const Session>& session, const QString& file) {
  const Scenario& ran = *session->snapshot->scenario;
  const QJsonObject view =
      QJsonDocument::fromJson(QByteArray::fromStdString(session->view)).object();
  Scenario edited = ran;
  const std::string workload = view.value(QLatin1String("workload")).toString().toStdString();
  try {
    if (!workload.empty()) edited = parse_scenario(workload, file.toStdString());
    edited.origin = ran.origin;  // the folder that its paths are relative to
  } catch (const Error&) {
    // The session was saved while a field had a mistake. The run's own scenario is valid and is
    // used instead.
  }
  running_json_ = to_json(view.value(QLatin1String("workload_changed")).toBool() ? ran : edited);
  joining_.clear();
  bridge_.show(session);
  take(std::move(edited), file);
  find_live_ids(*session->snapshot);
  phase_ = session->snapshot->phase;
  emit scenario_changed();
  emit state_changed();
}

// A request that the run began with has its index in the scenario as id. One that joined later is
// found by its name.
void RunControl::find_live_ids(const EngineSnapshot& snapshot) {
  const std::vector<ScenarioRequest>& began = snapshot.scenario->requests;
  live_ids_.assign(scenario_.requests.size(), -1);
  for (size_t i = 0; i < live_ids_.size(); ++i) {
    const ScenarioRequest& request = scenario_.requests[i];
    if (i < began.size() && request == began[i]) {
      live_ids_[i] = static_cast<int64_t>(i);
      continue;
    }
    for (const RequestView& joined : snapshot.requests)
      if (joined.id >= began.size() && !joined.parent && joined.name == request.name)
        live_ids_[i] = joined.id;
  }
}

bool RunControl::save(const QString& file) {
  try {
    write_file_atomically(std::filesystem::path(file.toStdString()), to_json(scenario_));
  } catch (const std::exception& error) {
    emit message(MessageKind::kError, QString::fromUtf8(error.what()), file);
    return false;
  }
  file_ = file;
  emit message(MessageKind::kInfo, tr("Saved %1.").arg(file), file);
  emit file_used(file);
  emit scenario_changed();
  return true;
}

bool RunControl::start(bool paused) {
  check();
  if (!problem_.isEmpty()) {
    emit message(MessageKind::kError, problem_);
    return false;
  }
  bridge_.start(scenario_, paused);
  bridge_.set_pace(scenario_.view.pace_tiles_per_s);
  running_json_ = to_json(scenario_);
  changed_ = false;
  joining_.clear();
  live_ids_.resize(scenario_.requests.size());
  for (size_t i = 0; i < live_ids_.size(); ++i) live_ids_[i] = static_cast<int64_t>(i);
  phase_ = EnginePhase::kLoading;
  emit started();
  emit scenario_changed();
  emit state_changed();
  return true;
}

// The engine checks a request against its model only when it takes it. Whatever can be checked
// without the model is reported now.
bool RunControl::fits_run(const ScenarioRequest& request) {
  Scenario with = scenario_;
  with.requests = {request};
  try {
    validate(with);
  } catch (const Error& error) {
    emit message(MessageKind::kError, QString::fromUtf8(error.what()));
    return false;
  }
  return true;
}

// A name that no request of the scenario or of the run has.
std::string RunControl::free_name(const std::string& wanted) const {
  const auto taken = [this](const std::string& name) {
    const auto has_it = [&name](const auto& request) { return request.name == name; };
    const auto& snapshot = bridge_.snapshot();
    return std::any_of(scenario_.requests.begin(), scenario_.requests.end(), has_it) ||
           std::find(joining_.begin(), joining_.end(), name) != joining_.end() ||
           (snapshot && std::any_of(snapshot->requests.begin(), snapshot->requests.end(), has_it));
  };
  const std::string base = wanted.empty() ? tr("Request").toStdString() : wanted;
  std::string name = base;
  for (int number = 2; taken(name); ++number) name = base + " " + std::to_string(number);
  return name;
}

bool RunControl::add_request(const ScenarioRequest& wanted) {
  if (bridge_.session()) {
    emit message(MessageKind::kError,
                 tr("This run comes from a session file and cannot continue. Press Space to run "
                    "its scenario again; then you can add requests."));
    return false;
  }
  if (!fits_run(wanted)) return false;
  ScenarioRequest request = wanted;
  request.name = free_name(wanted.name);
  scenario_.requests.push_back(request);
  live_ids_.resize(scenario_.requests.size(), -1);
  joining_.push_back(request.name);
  bridge_.add_request(request);
  running_json_ = to_json(scenario_);
  check();
  emit scenario_changed();
  return true;
}

void RunControl::find_joined(const EngineSnapshot& snapshot) {
  for (const RequestView& joined : snapshot.requests) {
    const auto sent = std::find(joining_.begin(), joining_.end(), joined.name);
    if (sent == joining_.end()) continue;
    joining_.erase(sent);
    const auto row = std::find_if(
        scenario_.requests.begin(), scenario_.requests.end(),
        [&joined](const ScenarioRequest& request) { return request.name == joined.name; });
    if (row == scenario_.requests.end()) {
      bridge_.abort(joined.id);  // it was removed from the scenario before it had joined
    } else {
      live_ids_.resize(scenario_.requests.size(), -1);
      live_ids_[static_cast<size_t>(row - scenario_.requests.begin())] = joined.id;
    }
  }
}

bool RunControl::is_joining(int index) const {
  if (index < 0 || index >= static_cast<int>(scenario_.requests.size())) return false;
  const std::string& name = scenario_.requests[static_cast<size_t>(index)].name;
  return live_id(index) < 0 && bridge_.runner().pending_commands() > 0 &&
         std::find(joining_.begin(), joining_.end(), name) != joining_.end();
}

void RunControl::remove_request(int index) {
  if (index < 0 || index >= static_cast<int>(scenario_.requests.size())) return;
  if (const int64_t id = live_id(index); id >= 0) bridge_.abort(static_cast<uint32_t>(id));
  scenario_.requests.erase(scenario_.requests.begin() + index);
  if (index < static_cast<int>(live_ids_.size())) live_ids_.erase(live_ids_.begin() + index);
  check();
  emit scenario_changed();
}

int64_t RunControl::live_id(int index) const {
  return index >= 0 && index < static_cast<int>(live_ids_.size())
             ? live_ids_[static_cast<size_t>(index)]
             : -1;
}

void RunControl::toggle() {
  if (has_ended()) {
    start();
  } else if (is_running()) {
    bridge_.pause();
  } else {
    bridge_.run();
  }
}

void RunControl::step(Granularity unit) {
  if (has_ended()) {
    start(true);
    return;
  }
  bridge_.step(unit);
}

void RunControl::set_pace(double tiles_per_s) {
  bridge_.set_pace(tiles_per_s);
  // The pace is a setting of the view: a restarted run keeps it, and it does not count as a change
  // of the workload.
  scenario_.view.pace_tiles_per_s = tiles_per_s;
  if (!changed_) running_json_ = to_json(scenario_);
}

void RunControl::set_backend(const QString& name) {
  if (name.toStdString() == scenario_.engine.backend) return;
  for (const BackendChoice& choice : backend_choices()) {
    if (choice.name != name) continue;
    if (!choice.refusals.isEmpty()) {
      emit message(MessageKind::kError, choice.refusals.join(QLatin1Char(' ')));
      emit scenario_changed();
      return;
    }
    scenario_.engine.backend = name.toStdString();
    start();
  }
}

std::vector<BackendChoice> RunControl::backend_choices() const {
  std::vector<BackendChoice> choices;
  const auto& snapshot = bridge_.snapshot();
  for (const AttentionBackend* backend : registered_backends()) {
    BackendChoice choice{
        .name = QString::fromUtf8(backend->name().data(),
                                  static_cast<qsizetype>(backend->name().size())),
        .display_name = QString::fromUtf8(backend->display_name().data(),
                                          static_cast<qsizetype>(backend->display_name().size())),
        .description = QString::fromUtf8(backend->description().data(),
                                         static_cast<qsizetype>(backend->description().size())),
        .refusals = {}};
    if (snapshot && snapshot->source.num_heads > 0)
      for (const std::string& reason :
           not_supported_reasons(*backend, layer_configs(scenario_, snapshot->source)))
        choice.refusals.append(QString::fromStdString(reason));
    choices.push_back(std::move(choice));
  }
  return choices;
}

bool RunControl::has_ended() const {
  return ended(phase_);
}

bool RunControl::is_running() const {
  const RunGate::State gate = bridge_.gate_state();
  return !has_ended() && gate != RunGate::State::kPaused && gate != RunGate::State::kCancelled;
}

void RunControl::look_at_snapshot() {
  const auto& snapshot = bridge_.snapshot();
  if (!snapshot) return;
  find_joined(*snapshot);
  if (snapshot->phase != phase_) {
    phase_ = snapshot->phase;
    emit state_changed();
  }
  if (phase_ == EnginePhase::kFailed && failed_run_ != snapshot->run) {
    failed_run_ = snapshot->run;
    emit message(MessageKind::kError, QString::fromStdString(snapshot->phase_detail));
  }
  const std::vector<std::string> messages = bridge_.messages();
  for (; messages_seen_ < messages.size(); ++messages_seen_)
    emit message(MessageKind::kWarning, QString::fromStdString(messages[messages_seen_]));
}

QStringList RunControl::bundled_models() {
  QStringList names;
  std::error_code ignored;
  try {
    for (const auto& entry :
         std::filesystem::directory_iterator(assets_folder() / "models", ignored))
      if (entry.is_directory())
        names.append(QString::fromStdString(entry.path().filename().string()));
  } catch (const Error&) {
    // No assets are installed: the list is empty. Opening a scenario reports what is missing.
  }
  names.sort();
  return names;
}

}  // namespace attn::gui

#include "moc_run_control.cpp"
