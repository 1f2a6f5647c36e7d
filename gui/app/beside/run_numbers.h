// SPDX-License-Identifier: GPL-3.0-or-later
// run_numbers(): numbers of one run, such as its steps, with names and meanings. difference_text():
// how far such a number is from the same number of another run. Any thread.
#pragma once

#include <QString>
#include <functional>
#include <optional>
#include <vector>

#include "engine/session/run/snapshot.h"

namespace attn::gui {

struct RunNumber {
  QString name;     // "Steps"
  QString meaning;  // one or two sentences
  std::optional<double> value;
  std::function<QString(double)> text;
  // Of times and rates: whether the run's clock is the virtual one. nullopt: no time is in it.
  std::optional<bool> is_modelled = std::nullopt;
};

// Names and order are the same for every snapshot. Times are by the run's clock.
std::vector<RunNumber> run_numbers(const EngineSnapshot& snapshot);

// The difference number - other as text, for example "+12.5 ms (×1.31)", as in the view Difference.
// The ratio number / other follows if both are above 0. "–" if one has no value or only one is
// modelled, "same" if they are equal.
QString difference_text(const RunNumber& number, const RunNumber& other);

}  // namespace attn::gui
