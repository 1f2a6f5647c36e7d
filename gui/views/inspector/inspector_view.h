// SPDX-License-Identifier: GPL-3.0-or-later
// InspectorView: the selected thing in words and numbers, after a clicked number if there is one.
// GUI thread.
#pragma once

#include <QMenu>
#include <QScrollArea>
#include <QTimer>
#include <QToolButton>
#include <QWidget>
#include <memory>

#include "gui/theme/panel_header.h"
#include "gui/views/inspector/inspector_page.h"
#include "gui/widgets/view.h"

namespace attn::gui {

class InspectorView : public QWidget {
  Q_OBJECT
 public:
  InspectorView(const ViewContext& context, QWidget* parent);
  const InspectorContent& content() const { return page_->content(); }
  void copy() const;  // as plain text
  // The context menu; it is empty if the content is empty.
  std::unique_ptr<QMenu> copy_menu(const QPoint& in_page);
  InspectorPage& page() { return *page_; }
  void refresh();
  QSize sizeHint() const override;

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void refresh_soon();

  ViewContext context_;
  PanelHeader* header_;
  QToolButton* copy_button_;
  QScrollArea* scroll_;
  InspectorPage* page_;
  QTimer soon_;
};

std::vector<KeyHelp> inspector_key_help();

}  // namespace attn::gui
