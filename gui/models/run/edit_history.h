// SPDX-License-Identifier: GPL-3.0-or-later
// EditHistory: undo and redo for edits of the scenario. Cleared by RunControl::started() and
// rebased(). GUI thread; no Widgets.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <string>
#include <vector>

#include "gui/models/run_control.h"

namespace attn::gui {

class EditHistory : public QObject {
  Q_OBJECT
 public:
  explicit EditHistory(RunControl& control, QObject* parent = nullptr);

  bool can_undo() const { return !undo_.empty(); }
  bool can_redo() const { return !redo_.empty(); }
  void undo();  // only if can_undo()
  void redo();

 signals:
  void changed();

 private:
  static constexpr size_t kMostEdits = 100;
  void take(const Scenario& before);
  // For an edit that turned `before` into the present scenario. If `from` has the present scenario,
  // takes it and all that follow it out of `from`, and adds `before` to `to`. Otherwise returns
  // false.
  bool follow(const Scenario& before, std::vector<Scenario>& from, std::vector<Scenario>& to);
  void step(std::vector<Scenario>& from, std::vector<Scenario>& to);
  void clear();

  RunControl& control_;
  std::vector<Scenario> undo_, redo_;
  std::string last_places_;  // JSON paths that the newest edit changed; empty after an undo or redo
  QElapsedTimer since_edit_;
  bool stepping_ = false;
};

}  // namespace attn::gui
