// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a WordsScene. Any thread.
#pragma once

#include <QPainter>

#include "gui/views/words/words_layout.h"

namespace attn::gui {

struct WordsParts {
  QRectF title, text, legend;  // empty: not drawn
};
// bounds: without the room for a scroll bar.
WordsParts parts_of(const WordsScene& scene, const QRectF& bounds);

// The ground of a token. With weights: the larger its weight, the more of the accent colour; a
// weight of NaN has a colour of its own. Without: a tint for prompt, answer or encoder.
QColor word_ground(const WordsScene& scene, const WordPlace& place);

// top: the y of the content at the upper edge of parts.text.
void paint_words(QPainter& painter, const WordsScene& scene, const WordsLayout& layout,
                 const WordsParts& parts, double top);

}  // namespace attn::gui
