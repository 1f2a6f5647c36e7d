// SPDX-License-Identifier: GPL-3.0-or-later
// LayoutMenu: View > Layout: the layouts that are built in, those of the user, saving and deleting.
// GUI thread.
#pragma once

#include <QMenu>

#include "gui/app/bars/message_bar.h"
#include "gui/app/commands/actions.h"
#include "gui/app/window/window_layouts.h"

namespace attn::gui {

class LayoutMenu : public QMenu {
  Q_OBJECT
 public:
  LayoutMenu(WindowLayouts& layouts, const Actions& actions, MessageBar& messages, QWidget* window);

 private:
  void refresh();
  void ask_name();

  WindowLayouts& layouts_;
  MessageBar& messages_;
  QWidget* window_;
  std::vector<std::pair<QAction*, QString>> built_in_;
  QAction* before_user_;  // the user's layouts stand above this separator
  QMenu* delete_menu_;
  std::vector<QAction*> user_;
};

}  // namespace attn::gui
