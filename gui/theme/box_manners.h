// SPDX-License-Identifier: GPL-3.0-or-later
// BoxManners: how choices and numbers with arrows take input everywhere in the program. A choice
// that is closed takes neither the wheel nor letters, so that nothing changes by accident: Up,
// Down, Enter and F4 open it, and everything else goes on to the window. A number takes the wheel
// only while it has the focus. The style installs it on every such widget. GUI thread.
#pragma once

#include <QObject>

class QWidget;

namespace attn::gui {

class BoxManners : public QObject {
 public:
  // Does nothing for other widgets.
  void teach(QWidget& widget);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace attn::gui
