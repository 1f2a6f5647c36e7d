// SPDX-License-Identifier: GPL-3.0-or-later
// fuzzy_match: says how well a name matches the letters that were typed. Any thread.
#pragma once

#include <QString>
#include <optional>
#include <vector>

namespace attn::gui {

struct FuzzyMatch {
  int score = 0;               // larger is better
  std::vector<int> positions;  // where the typed characters are in the name, ascending
};

// A name matches if it contains the typed characters in their order, with others between them or
// not. Case is ignored, and so are spaces and hyphens in `typed`. Characters in a row and at starts
// of words score more. nullopt: no match. If nothing is typed, every name matches with score 0.
std::optional<FuzzyMatch> fuzzy_match(const QString& typed, const QString& name);

}  // namespace attn::gui
