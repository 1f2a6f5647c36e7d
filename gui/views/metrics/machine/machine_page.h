// SPDX-License-Identifier: GPL-3.0-or-later
// MachinePage: the page "This machine" of Metrics. It measures on request and counts the work of
// the run's attention kernels. GUI thread.
#pragma once

#include <QScrollArea>
#include <QTimer>
#include <memory>
#include <optional>

#include "gui/models/time_cursor.h"
#include "gui/views/metrics/machine/machine_job.h"
#include "gui/views/metrics/machine/roofline_canvas.h"

namespace attn::gui {

class MachinePage : public QScrollArea {
  Q_OBJECT
 public:
  // Without a bridge nothing is measured or counted.
  MachinePage(EngineBridge* bridge, TimeCursor* cursor, QWidget* parent);

  // Measures, or stops measuring.
  void toggle();
  // Measures, and waits for the end. asked_by: named in a thrown Error.
  void measure_now(const std::string& asked_by);
  bool is_measuring() const { return job_ && job_->state() != EngineJob::State::kIdle; }
  bool is_behind() const;
  RooflineCanvas& canvas() { return *canvas_; }
  const RooflineCanvas& canvas() const { return *canvas_; }
  MachineJob* job() { return job_.get(); }
  const KernelWork& work() const { return work_; }
  // Shows this scene until the page refreshes its own.
  void show_work(RooflineScene scene) { canvas_->set_scene(std::move(scene)); }
  static constexpr int kRefreshMs = 100;

 signals:
  void changed();                   // progress or end of the measurement
  void event_chosen(qint64 event);  // index into EngineBridge::events()

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void look();
  void refresh();
  void forget();
  QString state_words() const;

  EngineBridge* bridge_;
  TimeCursor* cursor_;
  RooflineCanvas* canvas_;
  std::unique_ptr<MachineJob> job_;  // null: there is no bridge
  KernelWork work_;
  QTimer counting_;  // runs while calls are counted, some events at a time
  QTimer refreshing_;
};

}  // namespace attn::gui
