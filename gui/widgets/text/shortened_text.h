// SPDX-License-Identifier: GPL-3.0-or-later
// The whole of a text that was painted shortened, so that every painted view can show it as a
// tooltip without knowing where it painted what.
#pragma once

#include <QPointF>
#include <QString>

class QWidget;

namespace attn::gui {

// What `widget` paints at this place (pixels of the widget) in a text that elided_text() has
// shortened: the whole text. Empty: nothing is shortened there. The widget paints once more, but
// onto nothing. GUI thread.
QString whole_text_at(QWidget& widget, const QPointF& at);

// For elided_text(): `whole` has become `shown`. Does nothing while nobody asks. Any thread.
void note_shortened(const QString& shown, const QString& whole);

}  // namespace attn::gui
