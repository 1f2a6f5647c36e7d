// SPDX-License-Identifier: GPL-3.0-or-later
// TeachLine: one line with the scenario's title, prompt and answer of the shown request, and
// buttons that show or hide panels. It is visible only in projector mode. GUI thread.
#pragma once

#include <QAction>
#include <QTimer>
#include <QToolButton>
#include <QWidget>
#include <vector>

#include "gui/models/selection.h"
#include "gui/models/time_cursor.h"

namespace attn::gui {

class TeachLine : public QWidget {
  Q_OBJECT
 public:
  // panels: actions that show or hide a panel; each gets a button.
  TeachLine(const Selection& selection, const TimeCursor& cursor,
            const std::vector<QAction*>& panels, QWidget* parent = nullptr);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;
  QString text() const { return accessibleName(); }

 signals:
  void prompt_wanted();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  void refresh();
  void restyle();
  const Selection& selection_;
  const TimeCursor& cursor_;
  std::vector<QToolButton*> buttons_;
  QString title_, prompt_, answer_;
  QTimer later_;
};

}  // namespace attn::gui
