// SPDX-License-Identifier: GPL-3.0-or-later
// RunNumbers: the numbers of one run that can be compared with those of another, as of the step
// that a snapshot shows. Any thread.
#pragma once

#include <QString>
#include <functional>
#include <optional>
#include <vector>

#include "engine/session/run/snapshot.h"

namespace attn::gui {

struct RunNumber {
  QString name;                 // "Steps"
  QString meaning;              // a sentence
  std::optional<double> value;  // nothing: the run has no such number (yet)
  std::function<QString(double)> text;
};

// The same numbers in the same order for every snapshot. Times are those of the run's clock.
std::vector<RunNumber> run_numbers(const EngineSnapshot& snapshot);

// "+12.5 ms (×1.31)": how much larger `other` is than `number`, and other / number where both are
// above 0. "–" where one of them has no value, "same" where they are equal.
QString difference_text(const RunNumber& number, const RunNumber& other);

}  // namespace attn::gui
