// SPDX-License-Identifier: GPL-3.0-or-later
// Widths of texts, and texts shortened to a width. The widths are cached, because shaping a text
// takes long. Any thread; each thread has its own cache.
#pragma once

#include <QFont>
#include <QString>

namespace attn::gui {

// As QFontMetricsF::horizontalAdvance(): logical px.
double text_width(const QFont& font, const QString& text);
// As QFontMetricsF::elidedText() with Qt::ElideRight: `text` itself if it fits `room` (logical px).
QString elided_text(const QFont& font, const QString& text, double room);

}  // namespace attn::gui
