// SPDX-License-Identifier: GPL-3.0-or-later
// Explanation: what a number that a view shows means and how it is computed, for the inspector. Any
// thread.
#pragma once

#include <QString>
#include <QStringList>
#include <utility>
#include <vector>

namespace attn::gui {

struct Explanation {
  QString title;  // such as "Logit lens: layer 3, MLP, position 12"
  QString meaning;
  std::vector<std::pair<QString, QString>> numbers;  // name and number of each
  QStringList formulas;                              // one line each
  QString origin;
};

}  // namespace attn::gui
