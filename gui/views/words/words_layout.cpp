// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/words/words_layout.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "gui/widgets/text/text_width.h"

namespace attn::gui {

void WordsLayout::arrange(const WordsScene& scene, uint64_t run, double width) {
  if (scene.request != request_ || run != run_ || width != width_ || scene.font != font_) {
    request_ = scene.request;
    run_ = run;
    width_ = width;
    font_ = scene.font;
    line_ = words_line_height(font_);
    const double gap = scene.spaced ? text_width(font_, QStringLiteral(" ")) : 0;
    encoder_.begin(font_, width, gap);
    own_.begin(font_, width, gap);
  }
  encoder_.show(scene.encoder_tokens);
  own_.show(scene.tokens);
}

double WordsLayout::top_of(bool of_encoder) const {
  if (!has_captions()) return 0;
  return of_encoder ? line_ : static_cast<double>(encoder_.lines() + 2) * line_;
}

double WordsLayout::height() const {
  // The caret may stand on a line of its own.
  const int64_t lines = std::max(own_.lines(), own_.end().first + 1);
  return top_of(false) + static_cast<double>(lines) * line_;
}

QRectF WordsLayout::rect_of(bool of_encoder, const WordPiece& piece, int64_t line) const {
  return {piece.x, top_of(of_encoder) + static_cast<double>(line) * line_, piece.width, line_};
}

std::vector<QRectF> WordsLayout::rects_of(const WordPlace& place) const {
  std::vector<QRectF> rects;
  const WordFlow& words = flow(place.of_encoder);
  for (const WordPiece& piece : words.parts(place.token))
    rects.push_back(rect_of(place.of_encoder, piece, words.line_of(piece)));
  return rects;
}

std::optional<WordPlace> WordsLayout::at(const QPointF& point) const {
  for (const bool of_encoder : {false, true}) {
    const double y = point.y() - top_of(of_encoder);
    if (y < 0) continue;
    const auto line = static_cast<int64_t>(y / line_);
    if (const auto token = flow(of_encoder).token_at(line, point.x()))
      return WordPlace{of_encoder, *token};
  }
  return std::nullopt;
}

WordPlace WordsLayout::beside(const WordPlace& from, int step) const {
  const WordFlow& words = flow(from.of_encoder);
  const auto parts = words.parts(from.token);
  if (parts.empty()) return from;
  const WordPiece& part = step < 0 ? parts.front() : parts.back();
  const int64_t line = words.line_of(part) + step;
  if (line < 0 || line >= words.lines()) return from;
  return {from.of_encoder, words.nearest(line, part.x + part.width / 2)};
}

WordPlace WordsLayout::first_at(double y) const {
  for (const bool of_encoder : {true, false}) {
    const WordFlow& words = flow(of_encoder);
    const auto line = std::max<int64_t>(
        0, static_cast<int64_t>(std::ceil((y - top_of(of_encoder)) / line_ - 1e-6)));
    if (const auto pieces = words.line(line); !pieces.empty())
      return {of_encoder, pieces.front().token};
  }
  return {};
}

QRectF WordsLayout::caret() const {
  const auto [line, x] = own_.end();
  return {x, top_of(false) + static_cast<double>(line) * line_, line_ / 2, line_};
}

}  // namespace attn::gui
