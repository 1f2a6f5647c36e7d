// SPDX-License-Identifier: GPL-3.0-or-later
// fuzzy_match: how well a name fits what was typed of it. Pure functions, any thread.
#pragma once

#include <QString>
#include <optional>
#include <vector>

namespace attn::gui {

struct FuzzyMatch {
  int score = 0;               // larger is better
  std::vector<int> positions;  // in the name, of the characters that were typed, ascending
};

// The characters that were typed stand in the name in their order, whatever their case; spaces
// count for nothing. Of all ways the best is taken: characters in a row and at starts of words.
// Nothing: they do not. Nothing typed fits everything with score 0.
std::optional<FuzzyMatch> fuzzy_match(const QString& typed, const QString& name);

}  // namespace attn::gui
