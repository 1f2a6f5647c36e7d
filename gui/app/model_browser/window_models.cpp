// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/model_browser/window_models.h"

#include <QFileInfo>
#include <algorithm>

#include "engine/model/find_models.h"
#include "engine/session/scenario/scenario.h"
#include "gui/models/file_path.h"
#include "gui/models/text.h"

namespace attn::gui {

WindowModels::WindowModels(RunControl& control, EngineBridge& bridge, WorkloadPanel& workload,
                           bool keeps, QWidget& window)
    : control_(control), workload_(workload), window_(window), opened_(keeps) {
  connect(&workload, &WorkloadPanel::models_wanted, this, &WindowModels::show);
  connect(&bridge, &EngineBridge::run_started, this, &WindowModels::remember);
}

// The name of a model that comes with the program is no path and is not remembered.
void WindowModels::remember() {
  const std::string& model = control_.scenario().source.model;
  if (model.empty()) return;
  try {
    const std::vector<std::string> shipped = shipped_models();
    if (std::ranges::find(shipped, model) == shipped.end()) opened_.add_model(text_of(model));
  } catch (const std::exception&) {
    // Without shipped data no name can be told from a path.
  }
}

void WindowModels::show() {
  if (!browser_) {
    QStringList places;
    for (const std::filesystem::path& place : model_places())
      places.append(FilePath(place).shown());
    browser_ = new ModelBrowser(control_, opened_, places, &window_);
    browser_->setAttribute(Qt::WA_DeleteOnClose);
    connect(browser_, &ModelBrowser::open_wanted, this, &WindowModels::open);
    connect(browser_, &ModelBrowser::use_wanted, this, &WindowModels::use);
  }
  browser_->show();
  browser_->raise();
  browser_->activateWindow();
}

// The dialog stays when the user stays with the run, or when the model cannot be opened: then the
// window says why.
void WindowModels::open(const QString& path) {
  if (!control_.open(path)) return;
  if (browser_) browser_->close();
  control_.start();
}

void WindowModels::use(const QString& path) {
  workload_.use_model(path);
  if (browser_) browser_->close();
}

}  // namespace attn::gui

#include "moc_window_models.cpp"
