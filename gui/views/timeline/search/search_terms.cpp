// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/timeline/search/search_terms.h"

#include <algorithm>

#include "gui/models/text.h"

namespace attn::gui {
namespace {

bool is_number(const QString& word) {
  return std::all_of(word.begin(), word.end(), [](QChar c) { return c.isDigit(); });
}

bool is_in(const QString& term, const QString& text) {
  for (qsizetype at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) {
    const qsizetype end = at + term.size();
    const bool cuts_first = term.front().isDigit() && at > 0 && text[at - 1].isDigit();
    const bool cuts_last = term.back().isDigit() && end < text.size() && text[end].isDigit();
    if (!cuts_first && !cuts_last) return true;
  }
  return false;
}

}  // namespace

SearchTerms::SearchTerms(const QString& text) {
  const QStringList numbered{tr("layer"), tr("head"), tr("step"), tr("worker"), tr("request")};
  bool takes_number = false;
  for (const QString& word :
       text.left(kMostLetters).toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
    if (takes_number && is_number(word))
      terms_.back() += QLatin1Char(' ') + word;
    else
      terms_ += word;
    takes_number = numbered.contains(word, Qt::CaseInsensitive);
  }
}

uint64_t SearchTerms::all() const {
  return terms_.size() == 64 ? ~uint64_t{0} : (uint64_t{1} << terms_.size()) - 1;
}

uint64_t SearchTerms::found_in(const QString& text) const {
  const QString lower = text.toLower();
  uint64_t bits = 0;
  for (qsizetype i = 0; i < terms_.size(); ++i)
    if (is_in(terms_[i], lower)) bits |= uint64_t{1} << i;
  return bits;
}

}  // namespace attn::gui
