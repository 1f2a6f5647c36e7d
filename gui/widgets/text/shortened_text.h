// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the whole text at a place where a widget paints a shortened text, for tooltips.
#pragma once

#include <QPointF>
#include <QString>

class QWidget;

namespace attn::gui {

// The whole of a text that `widget` paints shortened by elided_text() at this place. at: in pixels
// of the widget. Empty: there is no such text. To find it, the widget is painted once more, but not
// onto pixels. GUI thread.
QString whole_text_at(QWidget& widget, const QPointF& at);

// For elided_text(): notes that `shown` was painted for `whole`. Does nothing unless
// whole_text_at() runs on this thread. Any thread.
void note_shortened(const QString& shown, const QString& whole);

}  // namespace attn::gui
