// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/run/edit_history.h"

#include <algorithm>
#include <utility>

#include "engine/core/files/json.h"

namespace attn::gui {
namespace {

// Changes at the same places that follow each other within this time are one edit.
constexpr qint64 kPauseMs = 1500;

using Json = nlohmann::json;

// Adds the JSON paths at which `a` and `b` differ to `places`, one on each line.
void list_changes(const Json& a, const Json& b, const std::string& path, std::string& places) {
  if (a.is_object() && b.is_object()) {
    for (const auto& [key, value] : a.items())
      if (const auto other = b.find(key); other != b.end())
        list_changes(value, *other, path + '/' + key, places);
      else
        places += path + '/' + key + '\n';
    for (const auto& [key, value] : b.items())
      if (!a.contains(key)) places += path + '/' + key + '\n';
  } else if (a.is_array() && b.is_array()) {
    const size_t both = std::min(a.size(), b.size());
    for (size_t i = 0; i < both; ++i)
      list_changes(a[i], b[i], path + '/' + std::to_string(i), places);
    for (size_t i = both; i < std::max(a.size(), b.size()); ++i)
      places += path + '/' + std::to_string(i) + '\n';
  } else if (a != b) {
    places += path + '\n';
  }
}

std::string changed_places(const Scenario& a, const Scenario& b) {
  Json before = parse_json(to_json(a), "the scenario");
  const TakenApart before_apart(before);
  Json after = parse_json(to_json(b), "the scenario");
  const TakenApart after_apart(after);
  std::string places;
  list_changes(before, after, "", places);
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
  // The field of the prompt has an undo and a redo of its own. If they lead to a scenario of this
  // history, that counts as a step within it, not as a new edit: otherwise Undo here would bring
  // back what the field has just undone.
  if (places.find("/prompt\n") != std::string::npos &&
      (follow(before, undo_, redo_) || follow(before, redo_, undo_))) {
    last_places_.clear();
    emit changed();
    return;
  }
  const bool goes_on = !undo_.empty() && redo_.empty() && places == last_places_ &&
                       since_edit_.isValid() && since_edit_.elapsed() < kPauseMs;
  if (!goes_on) undo_.push_back(before);
  if (undo_.size() > kMostEdits) undo_.erase(undo_.begin());
  redo_.clear();
  last_places_ = std::move(places);
  since_edit_.start();
  emit changed();
}

bool EditHistory::follow(const Scenario& before, std::vector<Scenario>& from,
                         std::vector<Scenario>& to) {
  const auto found = std::find(from.rbegin(), from.rend(), control_.scenario());
  if (found == from.rend()) return false;
  to.push_back(before);
  from.erase(found.base() - 1, from.end());
  return true;
}

void EditHistory::step(std::vector<Scenario>& from, std::vector<Scenario>& to) {
  Scenario there = std::move(from.back());
  from.pop_back();
  to.push_back(control_.scenario());
  // A change of the pace is not an edit: the pace stays as it was chosen last.
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
