// SPDX-License-Identifier: GPL-3.0-or-later
// InspectorView: the selected cell, token, block or span in words and numbers, live; before it what
// is known about a number that was clicked. GUI thread.
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
  void copy() const;  // what is shown, as plain text, to the clipboard
  // Makes the context menu for a place in the page: copy everything, or the line there.
  std::unique_ptr<QMenu> copy_menu(const QPoint& in_page);
  InspectorPage& page() { return *page_; }
  // Reads everything now. While the run goes on, the view does so by itself at most ten times a
  // second.
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

// The keys of the inspector, for the window's list of keys.
std::vector<KeyHelp> inspector_key_help();

}  // namespace attn::gui
