// SPDX-License-Identifier: GPL-3.0-or-later
// SearchTerms: a line of text as terms to be looked for in short texts, without regard to case. A
// term is a word; "layer", "head", "step", "worker" or "request" and the number after it are one
// term. A number at either end of a term stands for the whole number: "layer 1" is not in "layer
// 12". Plain data; any thread.
#pragma once

#include <QString>
#include <QStringList>
#include <cstdint>

namespace attn::gui {

class SearchTerms {
 public:
  // The longest text: it has at most 64 terms, a bit of a mask for each.
  static constexpr int kMostLetters = 127;

  SearchTerms() = default;
  explicit SearchTerms(const QString& text);
  bool empty() const { return terms_.isEmpty(); }
  const QStringList& terms() const { return terms_; }
  uint64_t all() const;                          // the bits of all terms
  uint64_t found_in(const QString& text) const;  // the bits of the terms that are in the text

 private:
  QStringList terms_;  // lower case
};

}  // namespace attn::gui
