// SPDX-License-Identifier: GPL-3.0-or-later
// StepProgressBar: how far a step is that takes longer than half a second (its layer, and the part
// of the layer's attention that is done), and a button that stops the run. GUI thread.
#pragma once

#include <QLabel>
#include <QProgressBar>
#include <QTimer>
#include <QToolButton>
#include <QWidget>

#include "gui/models/run_control.h"

QT_FORWARD_DECLARE_CLASS(QAction)

namespace attn::gui {

class StepProgressBar : public QWidget {
  Q_OBJECT
 public:
  StepProgressBar(RunControl& control, QAction& stop, QWidget* parent = nullptr);
  QString text() const { return isHidden() ? QString() : text_->text(); }
  QToolButton* stop_button() const { return stop_; }

 signals:
  void shown_changed();  // the bar appeared or disappeared, or its text has another width

 private:
  void look();
  void restyle();

  RunControl& control_;
  QLabel* text_;
  QProgressBar* part_;
  QToolButton* stop_;
  QTimer timer_;
};

}  // namespace attn::gui
