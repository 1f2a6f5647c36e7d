// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the whole text where a shortened one was painted, for tooltips.
#pragma once

#include <QPointF>
#include <QString>

class QWidget;

namespace attn::gui {

// The whole of a text that `widget` paints shortened (elided_text()) at this place, in its pixels;
// empty: none. The widget is painted once more, onto nothing. GUI thread.
QString whole_text_at(QWidget& widget, const QPointF& at);

// For elided_text(): `shown` stands for `whole`. Does nothing while nobody asks. Any thread.
void note_shortened(const QString& shown, const QString& whole);

}  // namespace attn::gui
