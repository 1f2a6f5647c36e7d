// SPDX-License-Identifier: GPL-3.0-or-later
// PanelHeader: the header of a panel or a view, 32 px high at 100%: title at the left, controls at
// the right. MainWindow::add_panel() makes it the title bar of a dock. Also functions that set up
// tool buttons and switches. GUI thread.
#pragma once

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QStaticText>
#include <QToolButton>
#include <QWidget>
#include <optional>
#include <vector>

#include "gui/theme/icons.h"

namespace attn::gui {

class PanelHeader : public QWidget {
  Q_OBJECT
 public:
  explicit PanelHeader(const QString& title, QWidget* parent = nullptr);
  QString title() const { return title_->text(); }
  void set_title(const QString& title) { title_->setText(title); }
  // A short muted text after the title ("layer 2, head 3").
  void set_detail(const QString& detail);
  // A sentence in the room that the other parts leave. It is shortened, or left out if there is
  // too little room; the header's tooltip has it whole.
  void set_hint(const QString& hint);
  QString hint() const { return hint_; }
  void add_control(QWidget* control);
  // Controls that are hidden, in this order, while the header is too narrow. Nothing else may hide
  // or show them.
  void set_leaving(std::vector<QWidget*> leaving);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void restyle();
  void fit();
  void paint_hint(QPainter& painter);
  std::vector<QWidget*> leaving_;
  QString hint_;
  // The hint, shortened to hint_room_ px, or empty.
  QStaticText hint_line_;
  std::optional<int> hint_room_;  // px; nullopt: the hint has to be shortened anew
  QLabel* title_;
  QLabel* detail_;
  QHBoxLayout* layout_;
};

// name: the accessible name, for screen readers.
void set_up_tool(QToolButton* button, Icon picture, const QString& name, const QString& tip);
// Makes the button a switch, which is on at first.
void set_up_switch(QToolButton* button, const QString& text, const QString& name,
                   const QString& tip);

}  // namespace attn::gui
