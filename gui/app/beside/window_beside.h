// SPDX-License-Identifier: GPL-3.0-or-later
// WindowBeside: the commands that show a second run beside the run of the window, and close it
// again. GUI thread.
#pragma once

#include <QObject>
#include <QSplitter>
#include <QTabWidget>

#include "gui/app/bars/message_bar.h"
#include "gui/app/beside/beside_panel.h"
#include "gui/app/commands/actions.h"
#include "gui/app/window/window_session.h"

namespace attn::gui {

struct BesideTargets {
  RunControl& control;
  WindowSession& session;
  MessageBar& messages;
  QTabWidget& attention;  // the panel shows the view of its current tab, if it has that
  BesidePanel& panel;
  const Actions& actions;
  QWidget& window;
};

class WindowBeside : public QObject {
  Q_OBJECT
 public:
  explicit WindowBeside(const BesideTargets& targets);

  void toggle_earlier();
  void ask_session();
  // Shows the view that compares the two runs. Without a second run it opens the run before or says
  // how to open one.
  void show_pair();
  void close();

 private:
  void show_same_view();
  void show(const std::shared_ptr<const Session>& session, const QString& title);
  void show_earlier(const std::shared_ptr<const Session>& earlier);
  void main_run_changed();
  QSplitter* columns() const;
  BesideTargets targets_;
  // The run that the panel took from EngineRunner::earlier(); null: a saved session or nothing
  std::shared_ptr<const Session> earlier_;
};

}  // namespace attn::gui
