// SPDX-License-Identifier: GPL-3.0-or-later
// InsideSwitch: the button that switches Inside on and off. Each view derived from ExploreView has
// one, and all switch the same thing. Its tooltip says how many bytes are kept. GUI thread.
#pragma once

#include <QToolButton>

#include "gui/models/explore/inside.h"

namespace attn::gui {

class InsideSwitch : public QToolButton {
  Q_OBJECT
 public:
  explicit InsideSwitch(Inside& inside, QWidget* parent = nullptr);

 private:
  void refresh();
  Inside& inside_;
};

// What a view says in place of its picture while it has none: how to switch the inside on, that it
// is being computed, or why there is none. what: what will appear ("The bars of the next token").
QString inside_waiting_text(const Inside& inside, const QString& what);
// "1.50 MiB", for the bytes of a residual store; for 0 "its size is not known until the model is
// loaded".
QString inside_bytes_text(double bytes);

}  // namespace attn::gui
