// SPDX-License-Identifier: GPL-3.0-or-later
// Widths of texts, remembered. Shaping a text takes microseconds, and a frame asks for the widths
// of the same few hundred labels again and again. Any thread, each with a memory of its own.
#pragma once

#include <QFont>
#include <QString>

namespace attn::gui {

// As QFontMetricsF::horizontalAdvance(): logical px.
double text_width(const QFont& font, const QString& text);
// As QFontMetricsF::elidedText() at the right: `text` where it fits `room`.
QString elided_text(const QFont& font, const QString& text, double room);

}  // namespace attn::gui
