// SPDX-License-Identifier: GPL-3.0-or-later
// BoxManners: how choices and numbers with arrows take input everywhere in the program. A choice
// that is closed takes neither the wheel nor letters, so that nothing changes by accident: Up,
// Down, Enter and F4 open it, Tab moves the focus, and all other keys go on to the window. A number
// takes the wheel only while it has the focus. The style installs it on every such widget. GUI
// thread.
#pragma once

#include <QObject>

class QWidget;

namespace attn::gui {

class BoxManners : public QObject {
 public:
  // Does nothing for widgets that are no choices or numbers, nor for choices in which text can be
  // typed.
  void teach(QWidget& widget);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace attn::gui
