// SPDX-License-Identifier: GPL-3.0-or-later
// SearchTerms: a line of text as terms to look for in short texts, ignoring case. A term is a word,
// or a word such as "layer" with the number after it. A number at an end of a term stands for the
// whole number: "layer 1" is not in "layer 12". Plain data; any thread.
#pragma once

#include <QString>
#include <QStringList>
#include <cstdint>

namespace attn::gui {

class SearchTerms {
 public:
  // The longest text. It has at most 64 terms, one bit of a mask for each.
  static constexpr int kMostLetters = 127;

  SearchTerms() = default;
  explicit SearchTerms(const QString& text);
  bool empty() const { return terms_.isEmpty(); }
  const QStringList& terms() const { return terms_; }
  uint64_t all() const;                          // bits of all terms
  uint64_t found_in(const QString& text) const;  // bits of found terms

 private:
  QStringList terms_;  // lower case
};

}  // namespace attn::gui
