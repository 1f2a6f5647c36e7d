// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences broken into lines that fit, and painted one below the other. Any thread.
#pragma once

#include <QFont>
#include <QPainter>
#include <QString>
#include <vector>

namespace attn::gui {

// Breaks at spaces only: a longer word has a line of its own.
std::vector<QString> wrapped_lines(const QFont& font, const QString& text, double room);
// in_file: the text is wrapped (true), or is one line that is cut if it does not fit (false).
std::vector<QString> title_lines(const QFont& font, const QString& text, double room, bool in_file);
// The title of a figure. `full` if it fits into one line, else `brief` if that does, else `full` in
// several lines. A longer word is broken, so that nothing is cut.
std::vector<QString> figure_title_lines(const QFont& font, const QString& full,
                                        const QString& brief, double room);
// Uses the painter's font and pen; the lines share the height of the area.
void paint_lines(QPainter& painter, const QRectF& area, const std::vector<QString>& lines);

}  // namespace attn::gui
