// SPDX-License-Identifier: GPL-3.0-or-later
// StatusLine: the state of the run in one line, with the controls of the time cursor (TimeBar) and
// the progress of a long step (StepProgressBar). GUI thread.
#pragma once

#include <QLabel>
#include <QStatusBar>
#include <QTimer>

#include "gui/app/bars/step_progress_bar.h"
#include "gui/app/bars/time_bar.h"
#include "gui/models/notes.h"
#include "gui/models/run_control.h"

namespace attn::gui {

class StatusLine : public QStatusBar {
  Q_OBJECT
 public:
  // stop: the action of the button beside the progress of a step.
  StatusLine(RunControl& control, TimeCursor& cursor, const Notes& notes, QAction& stop,
             QWidget* parent = nullptr);
  TimeBar* time_bar() const { return time_; }
  StepProgressBar* progress() const { return progress_; }
  // The texts that are shown, joined by " | "; for tests.
  QString text() const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fit();
  void show_note();
  void show_layer();
  void soon();
  void refresh();
  void restyle();
  QLabel* cell(const QString& meaning, bool numbers);

  RunControl& control_;
  TimeCursor& cursor_;
  const Notes& notes_;
  TimeBar* time_;
  StepProgressBar* progress_;
  QTimer later_;
  bool has_layer_ = false;
  QLabel *phase_, *note_, *layer_, *rate_, *cache_, *backend_, *modelled_, *events_;
  std::vector<QLabel*> cells_, number_cells_;
};

}  // namespace attn::gui
