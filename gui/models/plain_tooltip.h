// SPDX-License-Identifier: GPL-3.0-or-later
// Tool tips guess whether a text is HTML; names and sentences that come from files are not. Pure.
#pragma once

#include <QString>

namespace attn::gui {

inline QString plain_tooltip(const QString& text) {
  QString escaped = text.toHtmlEscaped();
  return QStringLiteral("<qt>%1</qt>")
      .arg(escaped.replace(QLatin1Char('\n'), QStringLiteral("<br>")));
}

}  // namespace attn::gui
