// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/run_control.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "engine/attention/backend.h"
#include "engine/core/error.h"
#include "engine/core/files/output_file.h"
#include "engine/core/files/whole_file.h"
#include "engine/session/run/layer_configs.h"
#include "engine/session/scenario/prompts/own_prompts.h"
#include "gui/models/file_path.h"
#include "gui/models/problem_words.h"
#include "gui/models/run/message_actions.h"
#include "gui/models/words/run_words.h"
#include "gui/models/words/scenario_words.h"

namespace attn::gui {
namespace {

QString name_of_file(const Scenario& scenario) {
  const std::filesystem::path file = scenario.origin.file;
  try {
    for (const std::string& name : shipped_scenarios())
      if (find_scenario(name) == file) return QString::fromStdString(name);
  } catch (const Error&) {
    // No shipped scenarios are installed.
  }
  return QString::fromStdString(file.empty() ? scenario.source.model : file.string());
}

// Returns no files if they cannot be listed, as when the model is not found; loading reports that.
std::vector<std::filesystem::path> input_files_or_none(const Scenario& scenario) {
  try {
    return input_files(scenario);
  } catch (const Error&) {
    return {};
  }
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
  connect(&bridge, &EngineBridge::run_started, this, [this] {
    messages_seen_ = news_told_ = 0;
    remarks_.begin_run();
    tell_replaced();
  });
}

void RunControl::check() {
  problem_.clear();
  problem_where_.clear();
  problem_at_field_.clear();
  try {
    validate(scenario_);
    valid_ = scenario_;
  } catch (const Error& error) {
    problem_ = QString::fromUtf8(error.what());
    problem_where_ = QString::fromStdString(error.parts().where);
    problem_at_field_ = words_at_field(error.parts());
  }
  changed_ = !ran_ || to_json(scenario_) != ran_json_;
  if (!told_problem_.isEmpty() && told_problem_ != problem_) {
    told_problem_.clear();
    emit settled(kMistake);
  }
}

void RunControl::set_ran(Scenario scenario) {
  ran_json_ = to_json(scenario);
  ran_ = std::move(scenario);
}

void RunControl::edit(const Scenario& scenario) {
  const Scenario before = std::exchange(scenario_, scenario);
  name_own_prompts(scenario_, opened_);
  if (scenario_.engine.num_blocks != before.engine.num_blocks)
    chosen_blocks_ = scenario_.engine.num_blocks;
  meter_.grow_cache(before, scenario_, chosen_blocks_);
  check();
  if (!(scenario_ == before)) emit edited(before);
  emit scenario_changed();
}

PromptFit RunControl::fit(int index) {
  // No tokens are counted before the run of this scenario has loaded its model.
  const bool is_new =
      !changed_ && (!bridge_.snapshot() || bridge_.snapshot()->source.num_layers < 1);
  return index < 0 || is_new ? PromptFit{} : meter_.fit(scenario_, static_cast<size_t>(index));
}

void RunControl::make_it_fit(int index) {
  if (index < 0) return;
  Scenario scenario = scenario_;
  meter_.make_it_fit(scenario, static_cast<size_t>(index));
  edit(scenario);
}

void RunControl::take(Scenario scenario, const QString& file) {
  emit settled(kLayout);
  scenario_ = opened_ = std::move(scenario);
  chosen_blocks_ = scenario_.engine.num_blocks;
  kept_json_ = to_json(scenario_);
  in_file_ = scenario_;
  file_ = file;
  live_ids_.clear();
  check();
  emit rebased();
  emit scenario_changed();
}

void RunControl::show_scenario(const Scenario& scenario, const QString& file) {
  take(scenario, file);
  kept_json_.clear();
  in_file_.reset();
}

void RunControl::show_session(const std::shared_ptr<const Session>& session, const QString& file) {
  const Scenario& ran = *session->snapshot->scenario;
  const QJsonObject view =
      QJsonDocument::fromJson(QByteArray::fromStdString(session->view)).object();
  Scenario edited = ran;
  const std::string workload = view.value(QLatin1String("workload")).toString().toStdString();
  try {
    if (!workload.empty()) edited = parse_scenario(workload, file.toStdString());
    edited.origin = ran.origin;  // the file to which its paths are relative
  } catch (const Error&) {
    // The saved edits cannot be read, for example because a field had a mistake. Then the scenario
    // of the run is used.
  }
  leave_run();
  set_ran(view.value(QLatin1String("workload_changed")).toBool() ? ran : edited);
  joining_.clear();
  bridge_.show(session);
  take(std::move(edited), file);
  kept_json_.clear();
  if (session->file.empty()) in_file_.reset();
  find_live_ids(*session->snapshot);
  phase_ = session->snapshot->phase;
  emit scenario_changed();
  emit state_changed();
}

void RunControl::leave_run() {
  emit settled(kOpening);
  emit settled(kOfRun);
  stopping_ = false;
  undo_place_ = UndoPlace::kNowhere;
  additions_.clear();
  apart_.clear();
  earlier_ = nullptr;
  earlier_joined_ = std::exchange(joined_, {});
  const auto& snapshot = bridge_.snapshot();
  const Scenario* ran = snapshot ? snapshot->scenario.get() : nullptr;
  tells_replaced_ = ran && (bridge_.session() || ran->title != scenario_.title ||
                            ran->engine.backend != scenario_.engine.backend ||
                            !(ran->source == scenario_.source));
}

void RunControl::tell_replaced() {
  earlier_ = bridge_.runner().earlier();
  if (std::exchange(went_back_, false) && earlier_)
    emit run_replaced(
        undo_place_ == UndoPlace::kEarlier
            ? tr("Undo went back to the run before this one. Undo again returns to the newer run.")
            : tr("Undo returned to the newer run. Undo again goes back to the run before it."));
  if (!std::exchange(tells_replaced_, false) || !earlier_) return;
  emit run_replaced(tr("The run of %1 was replaced.").arg(earlier_title()));
}

QString RunControl::earlier_title() const {
  if (!earlier_ || !earlier_->snapshot->scenario) return {};
  const QString title = title_of(*earlier_->snapshot->scenario);
  return title.isEmpty() ? tr("an earlier scenario") : title;
}

void RunControl::go_back() {
  if (!earlier_) {
    emit message(MessageKind::kInfo, tr("There is no earlier run to go back to."), kOpening);
    return;
  }
  if (!may_leave_() || !earlier_) return;
  emit replacing();
  const std::shared_ptr<const Session> session = std::exchange(earlier_, nullptr);
  std::vector<ScenarioRequest> joined = earlier_joined_;
  const bool returns = undo_place_ == UndoPlace::kEarlier;
  show_session(session, session->file.empty() ? name_of_file(*session->snapshot->scenario)
                                              : QString::fromStdString(session->file.string()));
  tells_replaced_ = false;
  went_back_ = true;
  undo_place_ = returns ? UndoPlace::kNewer : UndoPlace::kEarlier;
  // Requests in the run that add_request() had added are added to the scenario again, unless the
  // run is that of a session file.
  std::erase_if(joined, [&](const ScenarioRequest& request) {
    const auto& ran = session->snapshot->requests;
    return !session->file.empty() || std::ranges::none_of(ran, [&](const RequestView& one) {
      return one.name == request.name;
    });
  });
  if (joined.empty()) return;
  scenario_.requests.insert(scenario_.requests.end(), joined.begin(), joined.end());
  set_ran(scenario_);
  joined_ = std::move(joined);
  find_live_ids(*session->snapshot);
  check();
  emit scenario_changed();
}

void RunControl::forget_earlier() {
  earlier_ = nullptr;
  earlier_joined_.clear();
}

std::vector<std::filesystem::path> RunControl::files_read() const {
  std::vector<std::filesystem::path> files = input_files_or_none(scenario_);
  if (const auto& snapshot = bridge_.snapshot(); snapshot && snapshot->scenario)
    for (std::filesystem::path& file : input_files_or_none(*snapshot->scenario))
      files.push_back(std::move(file));
  if (const auto session = bridge_.session()) files.push_back(session->file);
  return files;
}

QString RunControl::refusal_of_output(const QString& file, Output output) const {
  if (file.contains(QChar::ReplacementCharacter))
    return tr("%1 was not written: this name has bytes that are not UTF-8, so the file would get "
              "another name. Choose another name or folder.")
        .arg(file);
  const std::filesystem::path target = FilePath(file).path();
  const auto session = bridge_.session();
  for (const std::filesystem::path& input : files_read()) {
    const bool is_own_file = output == Output::kScenario  ? input == scenario_.origin.file
                             : output == Output::kSession ? session && input == session->file
                                                          : false;
    if (!is_own_file && is_same_file(target, input))
      return tr("%1 was not written: the run reads this file, or the scenario does. Choose another "
                "name or folder.")
          .arg(file);
  }
  return {};
}

bool RunControl::save(const QString& file) {
  if (const QString refusal = refusal_of_output(file, Output::kScenario); !refusal.isEmpty()) {
    emit message(MessageKind::kError, refusal, file);
    return false;
  }
  try {
    write_file_atomically(FilePath(file).path(), to_json(scenario_));
  } catch (const std::exception& error) {
    emit message(MessageKind::kError, QString::fromUtf8(message_of(error)), file);
    return false;
  }
  file_ = file;
  kept_json_ = to_json(scenario_);
  in_file_ = scenario_;
  emit message(MessageKind::kInfo, tr("Saved %1.").arg(file), file);
  emit file_used(file);
  emit scenario_changed();
  return true;
}

bool RunControl::start(bool paused) {
  check();
  if (!problem_.isEmpty()) {
    told_problem_ = problem_;
    emit message(MessageKind::kError, problem_, kMistake);
    return false;
  }
  if (!may_leave_()) return false;
  leave_run();
  bridge_.start(scenario_, paused);
  bridge_.set_pace(scenario_.view.pace_tiles_per_s);
  set_ran(scenario_);
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

void RunControl::toggle() {
  if (is_at_start()) {
    start();
  } else if (is_running()) {
    bridge_.pause();
  } else {
    bridge_.run();
  }
}

void RunControl::stop() {
  if (has_ended()) return;
  stopping_ = true;
  bridge_.cancel();
}

void RunControl::step(Granularity unit) {
  if (has_ended() && bridge_.session()) {
    emit message(
        MessageKind::kInfo,
        tr("This run is a recorded one and cannot continue. Space runs its scenario again."),
        kOpening);
    return;
  }
  if (is_at_start()) {
    start(true);
    return;
  }
  bridge_.step(unit);
}

void RunControl::set_pace(double tiles_per_s) {
  bridge_.set_pace(tiles_per_s);
  // The scenario keeps the pace for its next run. A new pace alone does not set has_changes().
  scenario_.view.pace_tiles_per_s = tiles_per_s;
  if (!ran_) return;
  Scenario ran = *ran_;
  ran.view.pace_tiles_per_s = tiles_per_s;
  set_ran(std::move(ran));
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
    const ScenarioEngine before = scenario_.engine;
    scenario_.engine.backend = name.toStdString();
    if (choice.pads) scenario_.engine.pad_head_size = true;
    if (start() || !problem_.isEmpty()) return;
    scenario_.engine = before;  // the user keeps the current run
    check();
    emit scenario_changed();
    return;
  }
}

std::vector<BackendChoice> RunControl::backend_choices() const {
  std::vector<BackendChoice> choices;
  const auto& snapshot = bridge_.snapshot();
  // The snapshot has the shape of the last run's source, which says nothing about another source.
  const bool is_known = snapshot && snapshot->source.num_heads > 0 && snapshot->scenario &&
                        snapshot->scenario->source == scenario_.source &&
                        (!scenario_.source.reads_text() ||
                         scenario_.attention.type == snapshot->source.type_of_model());
  for (const AttentionBackend* backend : registered_backends()) {
    BackendChoice choice{
        .name = QString::fromUtf8(backend->name().data(),
                                  static_cast<qsizetype>(backend->name().size())),
        .display_name = QString::fromUtf8(backend->display_name().data(),
                                          static_cast<qsizetype>(backend->display_name().size())),
        .description = QString::fromUtf8(backend->description().data(),
                                         static_cast<qsizetype>(backend->description().size())),
        .refusals = {}};
    if (is_known) {
      const auto reasons = [&](const Scenario& scenario) {
        return not_supported_reasons(*backend, layer_configs(scenario, snapshot->source));
      };
      for (const std::string& reason : reasons(scenario_))
        choice.refusals.append(QString::fromStdString(reason));
      Scenario padded = scenario_;
      padded.engine.pad_head_size = true;
      if (!choice.refusals.isEmpty() && reasons(padded).empty()) {
        choice.refusals.clear();
        choice.pads = true;
      }
    }
    choices.push_back(std::move(choice));
  }
  return choices;
}

bool RunControl::has_ended() const {
  return ended(phase_);
}

bool RunControl::has_begun() const {
  return phase_ != EnginePhase::kIdle;
}

// Whether Run starts a new run. While the program reads a session at its start, there is no
// scenario yet.
bool RunControl::is_at_start() const {
  return has_ended() || (!has_begun() && !scenario_.requests.empty());
}

bool RunControl::is_running() const {
  const RunGate::State gate = bridge_.gate_state();
  return !has_ended() && gate != RunGate::State::kPaused && gate != RunGate::State::kCancelled;
}

void RunControl::look_at_snapshot() {
  const auto& snapshot = bridge_.snapshot();
  if (!snapshot) return;
  meter_.set_run(snapshot);
  find_joined(*snapshot);
  if (snapshot->phase != phase_) {
    phase_ = snapshot->phase;
    emit state_changed();
  }
  if (has_ended() && std::exchange(stopping_, false) && phase_ == EnginePhase::kCancelled)
    emit message(
        MessageKind::kWarning,
        stopped_words(bridge_.runner().progress(), snapshot->steps ? snapshot->steps->size() : 0),
        kOfRun + QStringLiteral("stopped"));
  if (phase_ == EnginePhase::kFailed && failed_run_ != snapshot->run) {
    failed_run_ = snapshot->run;
    emit message(MessageKind::kError, QString::fromStdString(snapshot->phase_detail),
                 kOfRun + QStringLiteral("failed"));
  }
  tell_news(*snapshot);
  const std::vector<std::string> messages = bridge_.messages();
  for (; messages_seen_ < messages.size(); ++messages_seen_)
    if (tells_remarks_ && remarks_.tells(messages[messages_seen_]))
      emit message(kind_of(messages[messages_seen_], *snapshot),
                   QString::fromStdString(messages[messages_seen_]),
                   kOfRun + QString::number(messages_seen_));
}

void RunControl::tell_news(const EngineSnapshot& snapshot) {
  size_t count = 0;
  const QString text = news_words(snapshot, count);
  if (count <= news_told_) return;
  news_told_ = count;
  emit message(MessageKind::kWarning, text, kOfRun + QStringLiteral("news"));
}

QStringList RunControl::bundled_models() {
  QStringList names;
  try {
    for (const std::string& name : shipped_models()) names.append(QString::fromStdString(name));
  } catch (const Error&) {
  }
  return names;
}

}  // namespace attn::gui

#include "moc_run_control.cpp"
