// SPDX-License-Identifier: GPL-3.0-or-later
// UserWork: the run, the scenario and the state of the window from before a lesson, to show them
// again after it. GUI thread.
#pragma once

#include <QJsonObject>
#include <QObject>
#include <memory>
#include <optional>

#include "gui/app/window/window_session.h"
#include "gui/models/run_control.h"

namespace attn::gui {

class UserWork : public QObject {
  Q_OBJECT
 public:
  // Remembers what the window shows now. Must be made before the first run of the lesson.
  UserWork(RunControl& control, WindowSession& session);

  // Whether the run can be kept when another one begins. False: it takes more than 1/8 of the
  // available memory.
  bool can_be_kept() const;
  // Shows the run again as it was. If no run was kept, starts the scenario again.
  void give_back();

 signals:
  // was_running: the kept run had not ended. It is shown as far as it was computed, and does not go
  // on.
  void given_back(bool was_running);

 private:
  void keep();
  void show_view();
  RunControl& control_;
  WindowSession& session_;
  Scenario scenario_;
  QString file_;
  std::optional<Scenario> in_file_;  // RunControl::in_file()
  double pace_;
  QJsonObject view_;
  std::shared_ptr<const Recorder> recorder_;
  std::shared_ptr<const Session> kept_;
  std::shared_ptr<const Session> shown_;  // kept_ and view_, while they are being shown again
  bool was_running_ = false;
};

}  // namespace attn::gui
