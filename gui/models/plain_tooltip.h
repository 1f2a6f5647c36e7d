// SPDX-License-Identifier: GPL-3.0-or-later
// Escapes a plain text for a tooltip: Qt would take some texts for HTML. Any thread.
#pragma once

#include <QString>

namespace attn::gui {

inline QString plain_tooltip(const QString& text) {
  QString escaped = text.toHtmlEscaped();
  return QStringLiteral("<qt>%1</qt>")
      .arg(escaped.replace(QLatin1Char('\n'), QStringLiteral("<br>")));
}

}  // namespace attn::gui
