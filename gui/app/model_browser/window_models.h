// SPDX-License-Identifier: GPL-3.0-or-later
// WindowModels: shows the list of models, opens the chosen model or puts it into the scenario, and
// remembers which models were run. GUI thread.
#pragma once

#include <QObject>
#include <QPointer>
#include <QThreadPool>

#include "gui/app/model_browser/model_browser.h"
#include "gui/bridge/engine_bridge.h"
#include "gui/models/run_control.h"
#include "gui/views/workload/workload_panel.h"

namespace attn::gui {

class WindowModels : public QObject {
  Q_OBJECT
 public:
  // keeps: as in OpenedModels. window: the parent of the dialog.
  WindowModels(RunControl& control, EngineBridge& bridge, WorkloadPanel& workload, bool keeps,
               QWidget& window);
  ~WindowModels() override;

  void show();
  OpenedModels& opened() { return opened_; }
  ModelBrowser* browser() const { return browser_; }  // null: the list is closed

 private:
  void remember();
  void open(const QString& path);
  void end_opening();
  void use(const QString& model);

  RunControl& control_;
  EngineBridge& bridge_;
  WorkloadPanel& workload_;
  QWidget& window_;
  OpenedModels opened_;
  QString opening_;              // the path of the last open(); empty once its run was started
  uint64_t remembered_run_ = 0;  // the last run that remember() has dealt with
  ModelSearch search_;
  QPointer<ModelBrowser> browser_;
  QThreadPool reader_;  // last member: its destructor waits for the model that is being read
};

}  // namespace attn::gui
