// SPDX-License-Identifier: GPL-3.0-or-later
// The part of RunControl that adds requests to a run, removes them, and knows which request of the
// scenario is which of the run.
#include <algorithm>

#include "engine/core/error.h"
#include "gui/models/run/message_actions.h"
#include "gui/models/run_control.h"

namespace attn::gui {

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
                 tr("This run is a recorded one and cannot continue. Press Space to run its "
                    "scenario again; then you can add requests."),
                 kOpening);
    return false;
  }
  if (!fits_run(wanted)) return false;
  ScenarioRequest request = wanted;
  request.name = free_name(wanted.name);
  scenario_.requests.push_back(request);
  live_ids_.resize(scenario_.requests.size(), -1);
  joining_.push_back(request.name);
  joined_.push_back(request);
  bridge_.add_request(request);
  running_json_ = to_json(scenario_);
  check();
  emit rebased();
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
  if (index < static_cast<int>(opened_.requests.size()))
    opened_.requests.erase(opened_.requests.begin() + index);
  if (index < static_cast<int>(live_ids_.size())) live_ids_.erase(live_ids_.begin() + index);
  check();
  emit rebased();
  emit scenario_changed();
}

int64_t RunControl::live_id(int index) const {
  return index >= 0 && index < static_cast<int>(live_ids_.size())
             ? live_ids_[static_cast<size_t>(index)]
             : -1;
}

}  // namespace attn::gui
