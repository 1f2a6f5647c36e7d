// SPDX-License-Identifier: GPL-3.0-or-later
// Draws one line of text as QPainter::drawText() does, but on a screen or in an image its layout is
// kept for the next frame: a frame draws hundreds of labels that were in the last frame too, and to
// lay one out takes longer than to draw it. SVG, PDF and rotated text use drawText(). Any thread;
// each thread keeps its own layouts.
#pragma once

#include <QPainter>
#include <QRectF>
#include <QString>

namespace attn::gui {

// Uses the painter's font and pen. align: the flags of drawText(), without wrapping. A text that
// does not fit in `rect` is clipped as drawText() clips it.
void draw_line(QPainter& painter, const QRectF& rect, int align, const QString& text);
void draw_line(QPainter& painter, const QPointF& baseline, const QString& text);

}  // namespace attn::gui
