// SPDX-License-Identifier: GPL-3.0-or-later
// Makes HTML of a plain text for a tooltip, because Qt would take some plain texts for HTML. Any
// thread.
#pragma once

#include <QString>

namespace attn::gui {

inline QString plain_tooltip(const QString& text) {
  QString escaped = text.toHtmlEscaped();
  return QStringLiteral("<qt>%1</qt>")
      .arg(escaped.replace(QLatin1Char('\n'), QStringLiteral("<br>")));
}

}  // namespace attn::gui
