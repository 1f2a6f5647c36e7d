// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/theme/box_manners.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QKeyEvent>

namespace attn::gui {
namespace {

bool pass_on(QEvent* event) {
  event->ignore();
  return true;
}

bool take_key(QComboBox& box, QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_F4:
      if (event->modifiers() & (Qt::ControlModifier | Qt::MetaModifier)) return pass_on(event);
      box.showPopup();
      return true;
    case Qt::Key_Tab:
    case Qt::Key_Backtab:
      return false;
    default:
      return pass_on(event);
  }
}

}  // namespace

void BoxManners::teach(QWidget& widget) {
  const auto* box = qobject_cast<QComboBox*>(&widget);
  if (!(box && !box->isEditable()) && !qobject_cast<QAbstractSpinBox*>(&widget)) return;
  // With Qt::WheelFocus a turn of the wheel would give the widget the focus.
  if (widget.focusPolicy() == Qt::WheelFocus) widget.setFocusPolicy(Qt::StrongFocus);
  widget.removeEventFilter(this);
  widget.installEventFilter(this);
}

bool BoxManners::eventFilter(QObject* watched, QEvent* event) {
  auto* box = qobject_cast<QComboBox*>(watched);
  if (event->type() == QEvent::Wheel && (box || !static_cast<QWidget*>(watched)->hasFocus()))
    return pass_on(event);
  if (event->type() == QEvent::KeyPress && box)
    return take_key(*box, static_cast<QKeyEvent*>(event));
  return false;
}

}  // namespace attn::gui
