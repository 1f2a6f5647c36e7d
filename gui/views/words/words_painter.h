// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the words: lines of tokens with their colours and marks, and the legend. Any thread.
#pragma once

#include <QPainter>

#include "gui/views/words/words_layout.h"

namespace attn::gui {

// The parts of a picture of the words.
struct WordsParts {
  QRectF title, text, legend;  // empty: not drawn
};
// bounds: without the room for a scroll bar.
WordsParts parts_of(const WordsScene& scene, const QRectF& bounds);

// The ground of a token: where weights are shown, the accent colour in the strength of its weight
// against the largest; otherwise a tint of prompt or answer.
QColor word_ground(const WordsScene& scene, const WordPlace& place);

// top: the content at the upper edge of parts.text, px. Draws only the lines that are in sight.
void paint_words(QPainter& painter, const WordsScene& scene, const WordsLayout& layout,
                 const WordsParts& parts, double top);

}  // namespace attn::gui
