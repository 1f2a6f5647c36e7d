// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/text/word_flow.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "gui/widgets/text/text_width.h"

namespace attn::gui {
namespace {

bool is_newline(const TokenText& text, int at) {
  return text.faint[static_cast<size_t>(at)] && text.shown[at] == QChar(kNewlineMark);
}

// The end of the longest part that fits. The part has at least one character.
int end_of_fitting(const TokenText& text, int begin, int end, const QFont& font, double room) {
  const QFontMetricsF metrics(font);
  int fits = begin;
  for (int next = begin; next < end;) {
    next += next + 1 < end && text.shown[next].isHighSurrogate() ? 2 : 1;
    if (fits > begin && metrics.horizontalAdvance(text.shown.mid(begin, next - begin)) > room)
      break;
    fits = next;
  }
  return fits;
}

}  // namespace

double words_line_height(const QFont& font) {
  constexpr double kSpacing = 1.35;  // height of a line, as a multiple of the font's height
  return std::ceil(QFontMetricsF(font).height() * kSpacing);
}

void WordFlow::begin(const QFont& font, double width, double gap) {
  font_ = font;
  gap_ = gap;
  width_ = std::max(1.0, width);
  count_ = laid_out_ = 0;
  pieces_.clear();
  begins_.clear();
}

void WordFlow::show(const Tokens& tokens) {
  const int64_t count = tokens ? static_cast<int64_t>(tokens->size()) : 0;
  if (count < count_) {
    while (!pieces_.empty() && pieces_.back().token >= count) pieces_.pop_back();
    while (!begins_.empty() && begins_.back() >= pieces_.size()) begins_.pop_back();
  }
  for (int64_t token = count_; token < count; ++token)
    add(token, token_text((*tokens)[static_cast<size_t>(token)].text));
  laid_out_ += std::max<int64_t>(0, count - count_);
  count_ = count;
}

void WordFlow::add(int64_t token, const TokenText& text) {
  const auto size = static_cast<int>(text.shown.size());
  const bool goes_on = size > 2 && text.shown.startsWith(QLatin1String("##"));
  for (int begin = 0; begin < size;) {
    int end = begin;
    while (end < size && !is_newline(text, end)) ++end;
    if (end < size) ++end;  // the newline's mark is the last character of its line
    double width = text_width(font_, text.shown.mid(begin, end - begin));
    if (width > width_) {
      end = end_of_fitting(text, begin, end, font_, width_);
      width = text_width(font_, text.shown.mid(begin, end - begin));
    }
    add_piece({.token = token,
               .begin = begin,
               .end = end,
               .width = width,
               .ends_line = is_newline(text, end - 1)},
              goes_on || begin > 0);
    begin = end;
  }
}

void WordFlow::add_piece(WordPiece piece, bool joins) {
  auto [line, x] = end();
  if (joins && x > 0) x -= gap_;
  const bool wraps = x > 0 && x + piece.width > width_;
  piece.x = wraps ? 0 : x;
  if (wraps || line == lines()) begins_.push_back(pieces_.size());
  pieces_.push_back(piece);
}

std::pair<int64_t, double> WordFlow::end() const {
  if (pieces_.empty()) return {0, 0};
  const WordPiece& last = pieces_.back();
  if (last.ends_line) return {lines(), 0};
  return {lines() - 1, last.x + last.width + gap_};
}

std::span<const WordPiece> WordFlow::line(int64_t line) const {
  if (line < 0 || line >= lines()) return {};
  const auto at = static_cast<size_t>(line);
  const size_t end = at + 1 < begins_.size() ? begins_[at + 1] : pieces_.size();
  return std::span(pieces_).subspan(begins_[at], end - begins_[at]);
}

std::span<const WordPiece> WordFlow::parts(int64_t token) const {
  // No equal_range: clang 14 does not compile its subrange.
  const auto begin = std::ranges::lower_bound(pieces_, token, {}, &WordPiece::token);
  const auto end = std::ranges::upper_bound(pieces_, token, {}, &WordPiece::token);
  return {begin, end};
}

int64_t WordFlow::line_of(const WordPiece& piece) const {
  const auto at = static_cast<size_t>(&piece - pieces_.data());
  return std::ranges::upper_bound(begins_, at) - begins_.begin() - 1;
}

std::optional<int64_t> WordFlow::token_at(int64_t at, double x) const {
  for (const WordPiece& piece : line(at))
    if (x >= piece.x && x < piece.x + piece.width) return piece.token;
  return std::nullopt;
}

int64_t WordFlow::nearest(int64_t at, double x) const {
  const auto pieces = line(at);
  for (const WordPiece& piece : pieces)
    if (x < piece.x + piece.width) return piece.token;
  return pieces.empty() ? -1 : pieces.back().token;
}

}  // namespace attn::gui
