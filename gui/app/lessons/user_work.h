// SPDX-License-Identifier: GPL-3.0-or-later
// UserWork: what was in the window before a lesson: the run with everything that was recorded of
// it, the scenario as it was edited, and how the window showed them. A lesson runs scenarios of its
// own in the same window; afterwards the work comes back. GUI thread.
#pragma once

#include <QJsonObject>
#include <QObject>
#include <memory>

#include "gui/app/window/window_session.h"
#include "gui/models/run_control.h"

namespace attn::gui {

class UserWork : public QObject {
  Q_OBJECT
 public:
  // Takes what the window shows now. To be made before the first run of the lesson.
  UserWork(RunControl& control, WindowSession& session);

  // Whether the run will be kept when another one begins: it is not too large for the memory.
  bool can_be_kept() const;
  // Shows the work again. If no run was kept, the scenario is started again.
  void give_back();

 signals:
  // was_running: the run was still going on; it is shown up to where it was, and does not go on.
  void given_back(bool was_running);

 private:
  void keep();
  void show_view();
  RunControl& control_;
  WindowSession& session_;
  Scenario scenario_;
  QString file_;
  double pace_;
  QJsonObject view_;
  std::shared_ptr<const Recorder> recorder_;  // of the run; null: there was none
  std::shared_ptr<const Session> kept_;
  std::shared_ptr<const Session> shown_;  // kept_ with the view, while it is being shown
  bool was_running_ = false;
};

}  // namespace attn::gui
