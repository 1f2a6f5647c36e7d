// SPDX-License-Identifier: GPL-3.0-or-later
// RunBeside: a second run, which takes no further step, and what views need to show it. The two
// runs follow each other in the time cursor, in the shown request, layer and head, and in the
// tokens and cells that are selected or pointed at. GUI thread; no Widgets.
#pragma once

#include <QObject>
#include <memory>

#include "gui/bridge/engine_bridge.h"
#include "gui/models/selection.h"
#include "gui/models/time_cursor.h"

namespace attn::gui {

struct RunContext {
  EngineBridge& bridge;
  Selection& selection;
  TimeCursor& cursor;
};

class RunBeside : public QObject {
  Q_OBJECT
 public:
  // The objects of `main` must outlive it. Throws std::system_error if the system gives no thread.
  RunBeside(const RunContext& main, std::shared_ptr<const Session> session);

  RunContext context() { return {bridge_, selection_, cursor_}; }
  // Null until the session is shown, after the constructor has returned.
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
  bool ready_ = false;      // true once the run has a snapshot with requests; only then the runs
                            // follow each other
  bool following_ = false;  // true while a change is passed on; it is then not passed back
};

}  // namespace attn::gui
