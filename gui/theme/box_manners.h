// SPDX-License-Identifier: GPL-3.0-or-later
// BoxManners: changes how spin boxes and combo boxes that are not editable take input. Such a combo
// box, while closed, opens at Up, Down, Return, Enter and F4 without Ctrl and Meta, and ignores the
// wheel and other keys but Tab; a spin box takes the wheel only with the focus. GUI thread.
#pragma once

#include <QObject>

class QWidget;

namespace attn::gui {

class BoxManners : public QObject {
 public:
  // Sets up a spin box, or a combo box that is not editable; other widgets are left as they are.
  void teach(QWidget& widget);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace attn::gui
