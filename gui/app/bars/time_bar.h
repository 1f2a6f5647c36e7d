// SPDX-License-Identifier: GPL-3.0-or-later
// TimeBar: the controls of the time cursor: a slider over the steps, Step back, Step forward and
// Live. GUI thread.
#pragma once

#include <QLabel>
#include <QSlider>
#include <QToolButton>

#include "gui/models/time_cursor.h"

namespace attn::gui {

class TimeBar : public QWidget {
  Q_OBJECT
 public:
  explicit TimeBar(TimeCursor& cursor, QWidget* parent = nullptr);
  // For example "step 31", or "step 12 of 31" at a past step.
  QString text() const { return step_->text(); }
  QSlider* slider() const { return slider_; }
  QToolButton* live() const { return live_; }

 private:
  void refresh();
  void restyle();

  TimeCursor& cursor_;
  QToolButton *back_, *forward_, *live_;
  QSlider* slider_;
  QLabel* step_;
};

}  // namespace attn::gui
