// SPDX-License-Identifier: GPL-3.0-or-later
// What the help says about a button, field, label or tab of the window, from its name, tool tip and
// keys. GUI thread.
#pragma once

#include <QPoint>
#include <QString>
#include <QWidget>
#include <optional>

namespace attn::gui {

struct ControlWords {
  QString name, meaning;  // plain text
  QString keys;           // in the notation of the system; may be empty
  QString refusal;        // why it is grey; may be empty
};

// at: the place in the widget, which chooses the tab of a bar of tabs. nullopt: no control is
// there, or it has no text that says what it is for.
std::optional<ControlWords> words_of_control(const QWidget& widget, const QPoint& at);

}  // namespace attn::gui
