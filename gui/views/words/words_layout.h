// SPDX-License-Identifier: GPL-3.0-or-later
// WordsLayout: where the tokens of a request lie. An encoder's tokens stand above the request's
// own; both then have a caption. Coordinates are those of the content: y 0 is its top. Any thread.
#pragma once

#include <QRectF>
#include <optional>
#include <vector>

#include "gui/views/words/words_scene.h"

namespace attn::gui {

class WordsLayout {
 public:
  // width: of the lines, in px.
  void arrange(const WordsScene& scene, uint64_t run, double width);

  double height() const;  // height of all lines
  double line_height() const { return line_; }
  const WordFlow& flow(bool of_encoder) const { return of_encoder ? encoder_ : own_; }
  bool has_captions() const { return encoder_.tokens() > 0; }
  double top_of(bool of_encoder) const;  // y of the top of its first line
  QRectF rect_of(bool of_encoder, const WordPiece& piece, int64_t line) const;
  std::vector<QRectF> rects_of(const WordPlace& place) const;
  std::optional<WordPlace> at(const QPointF& point) const;
  // The token nearest to `from` in the line above (step -1) or below (1); `from` itself if there is
  // no such line.
  WordPlace beside(const WordPlace& from, int step) const;
  // The first token of the first line that begins at y or below; token -1: there is no such line.
  WordPlace first_at(double y) const;
  QRectF caret() const;  // where the next token begins

 private:
  WordFlow encoder_, own_;
  double line_ = 1;
  int64_t request_ = -1;
  uint64_t run_ = 0;
  QFont font_;
  double width_ = -1;
};

}  // namespace attn::gui
