// SPDX-License-Identifier: GPL-3.0-or-later
// TileSteps: the command Next. A step by tiles goes on until a tile of the shown head is computed;
// the views then show its request and layer. GUI thread.
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
  size_t seen_ = 0;  // events that were looked at
};

}  // namespace attn::gui
