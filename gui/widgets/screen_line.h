// SPDX-License-Identifier: GPL-3.0-or-later
// One line of text as QPainter::drawText() draws it, but on a screen laid out only once: a frame
// draws hundreds of labels that stood in the frame before, and to lay one out takes longer than to
// draw it. Pictures that keep text as text (SVG, PDF) and turned text get it from drawText(). Any
// thread, each with layouts of its own.
#pragma once

#include <QPainter>
#include <QRectF>
#include <QString>

namespace attn::gui {

// With the painter's font and pen; `align`: as of drawText(), without wrapping. A text that is
// wider than `rect` is cut as drawText() cuts it.
void draw_line(QPainter& painter, const QRectF& rect, int align, const QString& text);
void draw_line(QPainter& painter, const QPointF& baseline, const QString& text);

}  // namespace attn::gui
