// SPDX-License-Identifier: GPL-3.0-or-later
// LayoutMenu: the menu View > Layout. It applies built-in layouts and those of the user, and saves
// and deletes the latter. GUI thread.
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
  QAction* before_user_;
  QMenu* delete_menu_;
  std::vector<QAction*> user_;
};

}  // namespace attn::gui
