// SPDX-License-Identifier: GPL-3.0-or-later
// WindowModels: shows the list of models, opens what is chosen there, and remembers which models
// were run. GUI thread.
#pragma once

#include <QObject>
#include <QPointer>

#include "gui/app/model_browser/model_browser.h"
#include "gui/bridge/engine_bridge.h"
#include "gui/models/run_control.h"
#include "gui/views/workload/workload_panel.h"

namespace attn::gui {

class WindowModels : public QObject {
  Q_OBJECT
 public:
  // keeps: as of OpenedModels. window: the parent of the dialog.
  WindowModels(RunControl& control, EngineBridge& bridge, WorkloadPanel& workload, bool keeps,
               QWidget& window);

  void show();
  OpenedModels& opened() { return opened_; }
  ModelBrowser* browser() const { return browser_; }  // null: closed

 private:
  void remember();
  void open(const QString& path);
  void use(const QString& path);

  RunControl& control_;
  WorkloadPanel& workload_;
  QWidget& window_;
  OpenedModels opened_;
  QPointer<ModelBrowser> browser_;
};

}  // namespace attn::gui
