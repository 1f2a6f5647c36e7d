// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/request/inside_switch.h"

#include "engine/core/memory.h"

namespace attn::gui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(InsideSwitch)
};

}  // namespace

QString inside_bytes_text(double bytes) {
  return bytes > 0 ? QString::fromStdString(bytes_text(bytes))
                   : Words::tr("its size is not known until the model is loaded");
}

QString inside_waiting_text(const Inside& inside, const QString& what) {
  if (const QString refusal = inside.refusal(); !refusal.isEmpty()) return refusal;
  if (!inside.is_on())
    return Words::tr(
               "%1 will appear here when Inside, above, is switched on. The program then keeps the "
               "residual stream and the outputs of the heads of this request (%2).")
        .arg(what, inside_bytes_text(inside.bytes()));
  if (!inside.trouble().isEmpty()) return inside.trouble();
  return Words::tr(
      "The program computes what goes through the model for this request. A run that is paused "
      "inside a step has to end the step first.");
}

InsideSwitch::InsideSwitch(Inside& inside, QWidget* parent) : QToolButton(parent), inside_(inside) {
  setText(tr("Inside"));
  setCheckable(true);
  setAutoRaise(true);
  setAccessibleName(tr("Keep what goes through the model"));
  connect(this, &QToolButton::toggled, &inside, &Inside::set_on);
  connect(&inside, &Inside::switched, this, &InsideSwitch::refresh);
  connect(&inside, &Inside::changed, this, &InsideSwitch::refresh);
  refresh();
}

void InsideSwitch::refresh() {
  const QSignalBlocker quiet(this);
  setChecked(inside_.is_on());
  const QString refusal = inside_.refusal();
  setEnabled(inside_.is_on() || refusal.isEmpty());
  const QString tip = refusal.isEmpty()
                          ? tr("Keep the residual stream and the outputs of all heads of the shown "
                               "request: %1. The run does not change (I)")
                                .arg(inside_bytes_text(inside_.bytes()))
                          : refusal;
  if (tip != toolTip()) setToolTip(tip);
}

}  // namespace attn::gui

#include "moc_inside_switch.cpp"
