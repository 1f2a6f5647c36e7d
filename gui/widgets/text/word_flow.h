// SPDX-License-Identifier: GPL-3.0-or-later
// WordFlow: the tokens of a sequence as lines of running text. A line ends after a newline, and
// before a token that does not fit. A token is divided after a newline in its text, and if it is
// wider than a line. When tokens are added, the old ones stay in their places. Any thread.
#pragma once

#include <QFont>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/session/run/snapshot.h"
#include "gui/widgets/text/token_label.h"

namespace attn::gui {

using Tokens = std::shared_ptr<const std::vector<TokenView>>;

// A token, or the part of one that stands on a line.
struct WordPiece {
  int64_t token = 0;       // position in the sequence
  int begin = 0, end = 0;  // characters of token_text().shown
  double x = 0, width = 0;
  bool ends_line = false;  // its last character is the mark of a newline
};

// Height of a line of words, px.
double words_line_height(const QFont& font);

class WordFlow {
 public:
  // Forgets all tokens. width: of a line, px. gap: after a token, px; before a token such as
  // "##ing" there is none.
  void begin(const QFont& font, double width, double gap);
  // Shows these tokens. They must be the ones shown before, with some added or cut off at the end;
  // otherwise call begin() first. Null: no tokens.
  void show(const Tokens& tokens);

  int64_t tokens() const { return count_; }
  int64_t lines() const { return static_cast<int64_t>(begins_.size()); }
  int64_t laid_out() const { return laid_out_; }
  std::span<const WordPiece> line(int64_t line) const;
  // The pieces of a token; empty: the token is not shown.
  std::span<const WordPiece> parts(int64_t token) const;
  int64_t line_of(const WordPiece& piece) const;
  // The token at x (px) of a line; nullopt: there is none.
  std::optional<int64_t> token_at(int64_t line, double x) const;
  // The token at x of a line, else the next one of the line, else its last; -1: the line is empty.
  int64_t nearest(int64_t line, double x) const;
  // Where the next token would begin if it fits: its line, which may be lines(), and x.
  std::pair<int64_t, double> end() const;

 private:
  void add(int64_t token, const TokenText& text);
  void add_piece(WordPiece piece, bool joins);

  QFont font_;
  double width_ = 1, gap_ = 0;
  int64_t count_ = 0, laid_out_ = 0;
  std::vector<WordPiece> pieces_;
  std::vector<size_t> begins_;  // [lines()] index of the first piece of each line
};

}  // namespace attn::gui
