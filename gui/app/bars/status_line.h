// SPDX-License-Identifier: GPL-3.0-or-later
// StatusLine: phase, time cursor, layer, tokens/s, KV used, backend, events; refreshed at most ten
// times a second. GUI thread.
#pragma once

#include <QLabel>
#include <QStatusBar>
#include <QTimer>

#include "gui/app/bars/time_bar.h"
#include "gui/models/run_control.h"

namespace attn::gui {

class StatusLine : public QStatusBar {
  Q_OBJECT
 public:
  StatusLine(RunControl& control, TimeCursor& cursor, QWidget* parent = nullptr);
  TimeBar* time_bar() const { return time_; }
  // The texts of the time bar and of all visible cells, joined; for tests.
  QString text() const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fit();
  void soon();
  void refresh();
  void restyle();
  QLabel* cell(const QString& meaning, bool numbers);

  RunControl& control_;
  TimeCursor& cursor_;
  TimeBar* time_;
  QTimer later_;
  bool has_layer_ = false;
  QLabel *phase_, *layer_, *rate_, *cache_, *backend_, *modelled_, *events_;
  std::vector<QLabel*> cells_, number_cells_;
};

}  // namespace attn::gui
