// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/model_browser/window_models.h"

#include <filesystem>

#include "engine/model/find_models.h"
#include "engine/session/scenario/scenario.h"
#include "gui/models/file_path.h"
#include "gui/views/workload/fields/model_change.h"

namespace attn::gui {

WindowModels::WindowModels(RunControl& control, EngineBridge& bridge, WorkloadPanel& workload,
                           bool keeps, QWidget& window)
    : control_(control), bridge_(bridge), workload_(workload), window_(window), opened_(keeps) {
  reader_.setMaxThreadCount(1);
  connect(&workload, &WorkloadPanel::models_wanted, this, &WindowModels::show);
  connect(&bridge, &EngineBridge::snapshot_changed, this, &WindowModels::remember);
  connect(&control, &RunControl::started, this, &WindowModels::end_opening);
}

WindowModels::~WindowModels() {
  delete browser_.data();  // uses members of this object
}

// Remembers a model once it has been loaded. Not the model of a recorded run, which need not be on
// this machine, and not models that come with the program, which are listed anyway.
void WindowModels::remember() {
  const auto& snapshot = bridge_.snapshot();
  if (!snapshot || snapshot->run == remembered_run_ || snapshot->source.num_layers < 1) return;
  remembered_run_ = snapshot->run;
  if (bridge_.session() || !snapshot->scenario || !snapshot->scenario->source.reads_text()) return;
  try {
    const std::filesystem::path path =
        std::filesystem::absolute(model_folder(*snapshot->scenario)).lexically_normal();
    if (shipped_model_at(path).empty()) opened_.add_model(FilePath(path).shown());
  } catch (const std::exception&) {
    // For example, the files of the model are gone since it was loaded.
  }
}

void WindowModels::show() {
  if (!browser_) {
    QStringList places;
    for (const std::filesystem::path& place : model_places())
      places.append(FilePath(place).shown());
    browser_ = new ModelBrowser(control_, opened_, search_, places, &window_);
    browser_->setAttribute(Qt::WA_DeleteOnClose);
    connect(browser_, &ModelBrowser::open_wanted, this, &WindowModels::open);
    connect(browser_, &ModelBrowser::use_wanted, this, &WindowModels::use);
  }
  browser_->show();
  browser_->raise();
  browser_->activateWindow();
}

// The dialog stays open if the user chooses to keep the run, or if the model cannot be opened. In
// the second case the window says why.
void WindowModels::open(const QString& path) {
  if (control_.is_opening() && path == opening_) return;  // pressed again while it is read
  opening_ = path;
  control_.open_later({path});
}

void WindowModels::end_opening() {
  if (opening_.isEmpty() || control_.file() != opening_) return;
  opening_.clear();
  if (browser_) browser_->close();
}

// A thread reads the model, because a large tokenizer takes time.
void WindowModels::use(const QString& model) {
  reader_.start([this, scenario = control_.scenario(), model = model.toStdString()] {
    const ModelChange change = read_model_change(scenario, model);
    QMetaObject::invokeMethod(
        this,
        [this, change] {
          workload_.use_model(change);
          if (browser_) browser_->close();
        },
        Qt::QueuedConnection);
  });
}

}  // namespace attn::gui

#include "moc_window_models.cpp"
