// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/commands/fuzzy_match.h"

#include <algorithm>

namespace attn::gui {
namespace {

constexpr int kAnywhere = 1, kWordStart = 10, kInARow = 12, kFirst = 6;
constexpr int kNone = -1000000;

bool starts_word(const QString& name, qsizetype at) {
  return at == 0 || !name[at - 1].isLetterOrNumber();
}

}  // namespace

std::optional<FuzzyMatch> fuzzy_match(const QString& typed, const QString& name) {
  QString wanted;
  for (const QChar c : typed)
    if (!c.isSpace() && c != QLatin1Char('-')) wanted.append(c.toCaseFolded());
  if (wanted.isEmpty()) return FuzzyMatch{};
  QString text;
  for (const QChar c : name) text.append(c.toCaseFolded());
  const auto rows = static_cast<size_t>(wanted.size()), columns = static_cast<size_t>(text.size());
  // best[i][j]: the best score of the first i + 1 typed characters, with the last of them at
  // position j of the name. from[i][j]: where the typed character before that one is in the name.
  std::vector<std::vector<int>> best(rows, std::vector<int>(columns, kNone)),
      from(rows, std::vector<int>(columns, -1));
  for (size_t i = 0; i < rows; ++i) {
    int reached = kNone, reached_at = -1;  // the largest of best[i - 1][0..j - 1]
    for (size_t j = 0; j < columns; ++j) {
      if (i > 0 && j > 0 && best[i - 1][j - 1] > reached) {
        reached = best[i - 1][j - 1];
        reached_at = static_cast<int>(j) - 1;
      }
      const auto at = static_cast<qsizetype>(j);
      if (text[at] != wanted[static_cast<qsizetype>(i)]) continue;
      const int here = kAnywhere + (starts_word(text, at) ? kWordStart : 0) + (j == 0 ? kFirst : 0);
      if (i == 0) {
        best[i][j] = here;
        continue;
      }
      if (reached > kNone) {
        best[i][j] = reached + here;
        from[i][j] = reached_at;
      }
      if (j > 0 && best[i - 1][j - 1] > kNone && best[i - 1][j - 1] + here + kInARow > best[i][j]) {
        best[i][j] = best[i - 1][j - 1] + here + kInARow;
        from[i][j] = static_cast<int>(j) - 1;
      }
    }
  }
  const auto last = std::ranges::max_element(best.back());
  if (*last == kNone) return std::nullopt;
  FuzzyMatch match;
  // Of two equally good matches, the one in the shorter name scores higher.
  match.score = *last * 8 - static_cast<int>(columns);
  int at = static_cast<int>(last - best.back().begin());
  for (size_t i = rows; i-- > 0;) {
    match.positions.push_back(at);
    at = from[i][static_cast<size_t>(at)];
  }
  std::ranges::reverse(match.positions);
  return match;
}

}  // namespace attn::gui
