// SPDX-License-Identifier: GPL-3.0-or-later
// PanelHeader: the header of a panel, 32 px high at 100%: title at the left, controls at the right.
// A view makes one as its direct child (top of its layout); the window uses the header of a docked
// view as the dock's title bar, so that a dock never has two headers. GUI thread.
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
  // A sentence in the room that title, detail and controls leave, shortened where it is too long
  // and left out where it would be a few words; always in the header's tooltip.
  void set_hint(const QString& hint);
  QString hint() const { return hint_; }
  // Controls are at the right, in the order in which they are added.
  void add_control(QWidget* control);
  // Controls to be hidden, in this order, while the header is too narrow; what they do must be
  // reachable in another way. Nothing else may hide or show them.
  void set_leaving(std::vector<QWidget*> leaving);
  QSize sizeHint() const override;
  // A panel may be narrower than its header.
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
  // The hint as it was shortened for a room of hint_room_ px, kept because a header is painted
  // often.
  QStaticText hint_line_;
  std::optional<int> hint_room_;  // px; nullopt: to be shortened anew
  QLabel* title_;
  QLabel* detail_;
  QHBoxLayout* layout_;
};

// Sets up a flat icon button of a header. name: the accessible name for screen readers.
void set_up_tool(QToolButton* button, Icon picture, const QString& name, const QString& tip);
// Sets up a flat text button that can be switched on and off; at first it is on.
void set_up_switch(QToolButton* button, const QString& text, const QString& name,
                   const QString& tip);

}  // namespace attn::gui
