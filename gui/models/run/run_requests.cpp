// SPDX-License-Identifier: GPL-3.0-or-later
// The part of RunControl that adds requests to a run, removes them, and matches them with those of
// the scenario.
#include <algorithm>

#include "engine/core/error.h"
#include "gui/models/run/message_actions.h"
#include "gui/models/run_control.h"

namespace attn::gui {
namespace {

// The id of the request with this name that is not forked from another; -1: the run has none.
int64_t id_in(const EngineSnapshot* snapshot, const std::string& name) {
  if (snapshot)
    for (const RequestView& joined : snapshot->requests)
      if (!joined.parent && joined.name == name) return joined.id;
  return -1;
}

}  // namespace

// The id of a request in the scenario with which the run began is its index there. A request that
// joined later is found by its name.
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
  apart_.clear();
  for (const RequestView& joined : snapshot.requests)
    if (joined.id >= began.size() && !joined.parent &&
        joined.state != RequestState::kFinishedAborted &&
        std::ranges::find(live_ids_, int64_t{joined.id}) == live_ids_.end())
      apart_.push_back({joined.name, joined.id});
}

// Validates the scenario with this request alone. The engine checks more when it takes the request.
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

std::string RunControl::free_name(const std::string& wanted) const {
  const auto taken = [this](const std::string& name) {
    const auto has_it = [&name](const auto& request) { return request.name == name; };
    const auto& snapshot = bridge_.snapshot();
    return std::any_of(scenario_.requests.begin(), scenario_.requests.end(), has_it) ||
           std::find(joining_.begin(), joining_.end(), name) != joining_.end() ||
           std::any_of(apart_.begin(), apart_.end(), has_it) ||
           (snapshot && std::any_of(snapshot->requests.begin(), snapshot->requests.end(), has_it));
  };
  const std::string base = wanted.empty() ? tr("Request").toStdString() : wanted;
  std::string name = base;
  for (int number = 2; taken(name); ++number) name = base + " " + std::to_string(number);
  return name;
}

bool RunControl::refuses_requests() {
  if (!bridge_.session()) return false;
  emit message(MessageKind::kError,
               tr("This run is a recorded one and cannot continue. Press Space to run its "
                  "scenario again; then you can add requests."),
               kOpening);
  return true;
}

bool RunControl::add_request(const ScenarioRequest& wanted) {
  if (refuses_requests() || !fits_run(wanted)) return false;
  ScenarioRequest request = wanted;
  request.name = free_name(wanted.name);
  scenario_.requests.push_back(request);
  live_ids_.resize(scenario_.requests.size(), -1);
  joining_.push_back(request.name);
  joined_.push_back(request);
  additions_.push_back(request.name);
  bridge_.add_request(request);
  if (ran_) {
    Scenario ran = *ran_;
    ran.requests.push_back(request);
    set_ran(std::move(ran));
  }
  check();
  emit rebased();
  emit scenario_changed();
  emit request_added();
  return true;
}

void RunControl::add_to_run(const ScenarioRequest& wanted, std::vector<int32_t> prompt) {
  if (refuses_requests()) return;
  ScenarioRequest request = wanted;
  request.name = free_name(wanted.name);
  additions_.push_back(request.name);
  apart_.push_back({.name = request.name});
  bridge_.add_request(request, std::move(prompt));
  emit message(MessageKind::kInfo,
               tr("The run has one more request, %1. Views that show one request offer it when the "
                  "next step has begun. Undo takes it back.")
                   .arg(QString::fromStdString(request.name)),
               kAddition);
  emit request_added();
  emit additions_changed();
}

bool RunControl::is_with_engine(const std::string& name) const {
  const bool waits = bridge_.runner().pending_commands() > 0;
  const auto newest = bridge_.runner().snapshot();
  return waits || id_in(newest.get(), name) >= 0;
}

std::vector<RunControl::Addition> RunControl::additions_to_run() const {
  std::vector<Addition> additions;
  for (Addition addition : apart_) {
    if (addition.id < 0) addition.id = id_in(bridge_.snapshot().get(), addition.name);
    if (addition.id >= 0 || is_with_engine(addition.name)) additions.push_back(std::move(addition));
  }
  return additions;
}

void RunControl::undo_addition() {
  const std::string name = additions_.back();
  additions_.pop_back();
  const auto has_it = [&name](const auto& request) { return request.name == name; };
  const auto& ran = bridge_.snapshot()->requests;
  const auto in_run = std::find_if(ran.begin(), ran.end(), has_it);
  const auto planned = std::find_if(scenario_.requests.begin(), scenario_.requests.end(), has_it);
  if (planned != scenario_.requests.end())
    remove_request(static_cast<int>(planned - scenario_.requests.begin()));
  else if (in_run != ran.end())
    bridge_.abort(in_run->id);
  else
    joining_.push_back(name);  // find_joined() aborts it, because it is not in the scenario
  const bool has_ended = in_run != ran.end() && is_finished(in_run->state);
  if (!has_ended && std::erase_if(apart_, has_it) > 0) emit additions_changed();
  emit message(
      MessageKind::kInfo,
      (has_ended
           ? tr("“%1” has ended already, so this run keeps it. A new run does not have it. Another "
                "Undo takes back what was done before it was added.")
           : tr("“%1” was taken back: the request ends now, and this run keeps what was computed "
                "for "
                "it."))
          .arg(QString::fromStdString(name)),
      kAddition);
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
      bridge_.abort(joined.id);  // taken back, or removed from the scenario, before it had joined
    } else {
      live_ids_.resize(scenario_.requests.size(), -1);
      live_ids_[static_cast<size_t>(row - scenario_.requests.begin())] = joined.id;
    }
  }
}

bool RunControl::is_joining(int index) const {
  if (index < 0 || index >= static_cast<int>(scenario_.requests.size())) return false;
  const std::string& name = scenario_.requests[static_cast<size_t>(index)].name;
  return live_id(index) < 0 &&
         std::find(joining_.begin(), joining_.end(), name) != joining_.end() &&
         is_with_engine(name);
}

void RunControl::remove_request(int index) {
  if (index < 0 || index >= static_cast<int>(scenario_.requests.size())) return;
  if (const int64_t id = live_id(index); id >= 0) bridge_.abort(static_cast<uint32_t>(id));
  std::erase(additions_, scenario_.requests[static_cast<size_t>(index)].name);
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
