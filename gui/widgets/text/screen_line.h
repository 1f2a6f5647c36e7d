// SPDX-License-Identifier: GPL-3.0-or-later
// Draws one line of text as QPainter::drawText() does, but keeps its layout for the next frame on a
// screen or in an image. Any thread; each thread keeps its own layouts.
#pragma once

#include <QPainter>
#include <QRectF>
#include <QString>

namespace attn::gui {

// Uses the painter's font and pen. align: the flags of drawText(), without wrapping.
void draw_line(QPainter& painter, const QRectF& rect, int align, const QString& text);
void draw_line(QPainter& painter, const QPointF& baseline, const QString& text);

}  // namespace attn::gui
