// SPDX-License-Identifier: GPL-3.0-or-later
// RunBeside: a second run, which takes no further step, with what views need to show it. Its time
// cursor and selection follow those of the run in the window, and the other way round: a step,
// head, token or cell that is chosen in one run is shown in the other as far as that has it. GUI
// thread; no Widgets.
#pragma once

#include <QObject>
#include <memory>

#include "gui/bridge/engine_bridge.h"
#include "gui/models/selection.h"
#include "gui/models/time_cursor.h"

namespace attn::gui {

// What the views of one run share.
struct RunContext {
  EngineBridge& bridge;
  Selection& selection;
  TimeCursor& cursor;
};

class RunBeside : public QObject {
  Q_OBJECT
 public:
  // main outlives it. Throws std::system_error if the system gives no thread.
  RunBeside(const RunContext& main, std::shared_ptr<const Session> session);

  RunContext context() { return {bridge_, selection_, cursor_}; }
  // Null until the run is shown, a moment after the constructor.
  const std::shared_ptr<const EngineSnapshot>& snapshot() const { return cursor_.snapshot(); }

 private:
  void link_time();
  void link_selection();
  void follow_time(const TimeCursor& from, TimeCursor& to);
  void follow_shown(const RunContext& from, const RunContext& to);
  void follow_selected(const RunContext& from, const RunContext& to);
  void follow_pointed(const RunContext& from, const RunContext& to);

  RunContext main_;
  EngineBridge bridge_;
  Selection selection_;
  TimeCursor cursor_;
  bool ready_ = false;      // the run is shown; before that nothing follows
  bool following_ = false;  // a change that came from the other run does not go back to it
};

}  // namespace attn::gui
