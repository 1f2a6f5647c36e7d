// SPDX-License-Identifier: GPL-3.0-or-later
// Qt's tooltips guess whether a text is HTML. This escapes a plain text (names and sentences from
// files), so that it is shown as it is. Any thread.
#pragma once

#include <QString>

namespace attn::gui {

inline QString plain_tooltip(const QString& text) {
  QString escaped = text.toHtmlEscaped();
  return QStringLiteral("<qt>%1</qt>")
      .arg(escaped.replace(QLatin1Char('\n'), QStringLiteral("<br>")));
}

}  // namespace attn::gui
