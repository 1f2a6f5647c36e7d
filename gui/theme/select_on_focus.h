// SPDX-License-Identifier: GPL-3.0-or-later
// SelectOnFocus: selects the content of a field when it gets the focus (but not when a popup
// closes), so that what is typed replaces it. GUI thread.
#pragma once

#include <QAbstractSpinBox>
#include <QEvent>
#include <QFocusEvent>
#include <QLineEdit>
#include <QTimer>

namespace attn::gui {

class SelectOnFocus : public QObject {
 public:
  // Does nothing for widgets that are not line edits or spin boxes.
  static void teach(QWidget& field) {
    if (qobject_cast<QAbstractSpinBox*>(&field) || qobject_cast<QLineEdit*>(&field))
      field.installEventFilter(new SelectOnFocus(&field));
  }

 protected:
  // Queued, because a press of the mouse gives the focus first and then moves the text cursor,
  // which ends a selection.
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::FocusIn &&
        static_cast<QFocusEvent*>(event)->reason() != Qt::PopupFocusReason)
      QTimer::singleShot(0, watched, [watched] {
        if (auto* number = qobject_cast<QAbstractSpinBox*>(watched))
          number->selectAll();
        else
          static_cast<QLineEdit*>(watched)->selectAll();
      });
    return false;
  }

 private:
  using QObject::QObject;
};

}  // namespace attn::gui
