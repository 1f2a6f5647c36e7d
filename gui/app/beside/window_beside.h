// SPDX-License-Identifier: GPL-3.0-or-later
// WindowBeside: the commands that put a second run beside the one in the window (the run before, or
// a saved session) and take it away again. GUI thread.
#pragma once

#include <QAction>
#include <QObject>
#include <QTabWidget>

#include "gui/app/bars/message_bar.h"
#include "gui/app/beside/beside_panel.h"
#include "gui/app/window/window_session.h"

namespace attn::gui {

struct BesideTargets {
  RunControl& control;
  WindowSession& session;
  MessageBar& messages;
  QTabWidget& attention;  // the panel shows the same view as the current tab here
  BesidePanel& panel;
  QAction& earlier;  // "The run before, beside": calls toggle_earlier()
  QAction& ask;      // "Session beside…"
  QWidget& window;
};

class WindowBeside : public QObject {
  Q_OBJECT
 public:
  explicit WindowBeside(const BesideTargets& targets);

  // If a run is shown beside the window's run, closes it; else shows there the run that the
  // window's run replaced.
  void toggle_earlier();
  // Asks for a session file, then shows it.
  void ask_session();
  void close();

 private:
  void show_same_view();
  void show(const std::shared_ptr<const Session>& session, const QString& title);
  BesideTargets targets_;
};

}  // namespace attn::gui
