// SPDX-License-Identifier: GPL-3.0-or-later
// Explanation: what a number of a picture is, for the inspector. The views that explain what
// attention does make one for the spot that was clicked. Any thread.
#pragma once

#include <QString>
#include <QStringList>
#include <utility>
#include <vector>

namespace attn::gui {

struct Explanation {
  QString title;                                     // "Logit lens: layer 3, MLP, position 12"
  QString meaning;                                   // what the number is, in sentences
  std::vector<std::pair<QString, QString>> numbers;  // name, number
  QStringList formulas;                              // a line each; some with the numbers put in
  QString origin;                                    // what it is computed from, in sentences
};

}  // namespace attn::gui
