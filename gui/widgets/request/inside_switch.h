// SPDX-License-Identifier: GPL-3.0-or-later
// InsideSwitch: the button that switches Inside on and off. Its tooltip says how many bytes Inside
// takes, or why it is refused. Also what views say while Inside shows nothing. GUI thread.
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

// What a view says in place of its picture while Inside has nothing to show. what: the subject of
// the sentence ("The bars of the next token").
QString inside_waiting_text(const Inside& inside, const QString& what);
// "1.50 MiB"; if `bytes` is 0, that the size is not known yet.
QString inside_bytes_text(double bytes);

}  // namespace attn::gui
