// SPDX-License-Identifier: GPL-3.0-or-later
// LanguageMenu: a menu for the language that the program uses from its next start on. GUI thread.
#pragma once

#include <QMenu>

#include "gui/app/bars/message_bar.h"

namespace attn::gui {

class LanguageMenu : public QMenu {
  Q_OBJECT
 public:
  LanguageMenu(MessageBar& messages, QWidget* parent);

 private:
  void refresh();
};

}  // namespace attn::gui
