// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/run/edit_history.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace attn::gui {
namespace {

// A pause of this length between two changes of one field makes them two edits.
constexpr qint64 kPauseMs = 1500;

// The JSON paths of what differs, each on a line.
std::string changed_places(const Scenario& a, const Scenario& b) {
  std::string places;
  for (const auto& change :
       nlohmann::json::diff(nlohmann::json::parse(to_json(a)), nlohmann::json::parse(to_json(b))))
    places += change["path"].get<std::string>() + '\n';
  return places;
}

}  // namespace

EditHistory::EditHistory(RunControl& control, QObject* parent)
    : QObject(parent), control_(control) {
  connect(&control, &RunControl::edited, this, &EditHistory::take);
  connect(&control, &RunControl::started, this, &EditHistory::clear);
  connect(&control, &RunControl::rebased, this, &EditHistory::clear);
}

void EditHistory::take(const Scenario& before) {
  if (stepping_) return;
  std::string places = changed_places(before, control_.scenario());
  const bool goes_on = !undo_.empty() && redo_.empty() && places == last_places_ &&
                       since_edit_.isValid() && since_edit_.elapsed() < kPauseMs;
  if (!goes_on) undo_.push_back(before);
  if (undo_.size() > kMostEdits) undo_.erase(undo_.begin());
  redo_.clear();
  last_places_ = std::move(places);
  since_edit_.start();
  emit changed();
}

void EditHistory::step(std::vector<Scenario>& from, std::vector<Scenario>& to) {
  Scenario there = std::move(from.back());
  from.pop_back();
  to.push_back(control_.scenario());
  // The pace is no edit: it stays as it was chosen last.
  there.view.pace_tiles_per_s = control_.scenario().view.pace_tiles_per_s;
  last_places_.clear();
  stepping_ = true;
  control_.edit(there);
  stepping_ = false;
  emit changed();
}

void EditHistory::undo() {
  step(undo_, redo_);
}

void EditHistory::redo() {
  step(redo_, undo_);
}

void EditHistory::clear() {
  undo_.clear();
  redo_.clear();
  last_places_.clear();
  emit changed();
}

}  // namespace attn::gui

#include "moc_edit_history.cpp"
