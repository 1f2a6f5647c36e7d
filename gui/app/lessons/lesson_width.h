// SPDX-License-Identifier: GPL-3.0-or-later
// LessonWidth: keeps the width of the lesson's panel when the window gets another width. The panel
// has the width that the user gave it, at most half the window, or otherwise one at which its lines
// are easy to read. The views have the rest. GUI thread.
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
  // Gives the panel its width. If a view is between it and Attention, that gets most of the rest.
  void place();
  // Gives the visible panel its width at the cost of Attention, after the layout has sized the
  // other panels.
  void keep();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  int width() const;
  QDockWidget* attention_dock() const;
  QDockWidget* dock_beside(const QDockWidget& attention) const;
  void place(QDockWidget* attention, QDockWidget* beside,
             int part_of_beside);  // per cent of the rest
  void follow_window();

  QMainWindow& window_;
  QDockWidget& panel_;
  QTabWidget& attention_;
  const std::vector<View*>& views_;
  int chosen_ = 0;         // width chosen by the user, px; 0: none
  int dragged_from_ = -1;  // width when a separator was pressed, px; -1: none is pressed
};

}  // namespace attn::gui
