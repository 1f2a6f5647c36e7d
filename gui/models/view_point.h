// SPDX-License-Identifier: GPL-3.0-or-later
// ViewPoint: what a view shows at one place, for its context menu and the help. exact_number(): a
// number as a text from which the same number is read back. Any thread.
#pragma once

#include <QLocale>
#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

#include "gui/models/selection.h"

namespace attn::gui {

struct ViewPoint {
  struct Number {
    QString name;  // "weight"
    QString text;  // all digits, without a unit and without separators
  };

  QString text;                 // what is there, in words; empty: nothing
  std::vector<Number> numbers;  // the numbers of the place, in the order of the context menu
  // What can be selected there. Commands that go to the place select the first. A request, layer or
  // head of -1 stands for the one that is shown.
  std::vector<SelectionState> things;
  int64_t request = -1, layer = -1, head = -1;  // of the place; -1: the one that is shown
  std::optional<uint32_t> step;
};

// Rounded to the fewest digits (a float: at least 6) from which the same number is read back.
inline QString exact_number(float value) {
  for (int digits = 6; digits < 9; ++digits)
    if (const QString text = QString::number(static_cast<double>(value), 'g', digits);
        text.toFloat() == value)
      return text;
  return QString::number(static_cast<double>(value), 'g', 9);
}
inline QString exact_number(double value) {
  return QString::number(value, 'g', QLocale::FloatingPointShortest);
}

}  // namespace attn::gui
