// SPDX-License-Identifier: GPL-3.0-or-later
// TileSteps: the command Next. If the unit is a tile, the run goes on to its end or until a tile of
// the shown head is computed, in any request and layer; the views then show the request and layer
// of that tile. GUI thread.
#pragma once

#include <QObject>
#include <QTimer>

#include "gui/models/run_control.h"
#include "gui/models/selection.h"

namespace attn::gui {

class TileSteps : public QObject {
  Q_OBJECT
 public:
  TileSteps(RunControl& control, Selection& selection, QObject* parent);
  void next(Granularity unit);
  void stop() { poll_.stop(); }

 private:
  void look();
  bool show_new_tile();

  RunControl& control_;
  Selection& selection_;
  QTimer poll_;
  size_t seen_ = 0;  // number of events that were looked at
};

}  // namespace attn::gui
