// SPDX-License-Identifier: GPL-3.0-or-later
// LessonWidth: the width of the lesson's panel. It grows little with the window, so that its lines
// stay easy to read, and keeps what a user gave it; the views have the rest. GUI thread.
#pragma once

#include <QDockWidget>
#include <QMainWindow>
#include <QTabWidget>
#include <vector>

#include "gui/widgets/view.h"

namespace attn::gui {

class LessonWidth : public QObject {
 public:
  LessonWidth(QMainWindow& window, QDockWidget& panel, QTabWidget& attention,
              const std::vector<View*>& views);
  // Gives the panel its width, and a view beside Attention most of the rest.
  void place();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  int width() const;
  QDockWidget* attention_dock() const;
  QDockWidget* dock_beside(const QDockWidget& attention) const;
  void place(QDockWidget* attention, QDockWidget* beside, int part_of_beside);  // per cent
  void follow_window();

  QMainWindow& window_;
  QDockWidget& panel_;
  QTabWidget& attention_;
  const std::vector<View*>& views_;
  int chosen_ = 0;         // by the user; 0: none
  int dragged_from_ = -1;  // -1: no separator is pressed
};

}  // namespace attn::gui
