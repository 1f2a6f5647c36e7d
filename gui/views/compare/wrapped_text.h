// SPDX-License-Identifier: GPL-3.0-or-later
// Where text in the pictures of the compare view may break into lines, and how high it then is. GUI
// thread.
#pragma once

#include <QFont>
#include <QFontMetricsF>
#include <QRectF>
#include <QString>

namespace attn::gui {

inline constexpr int kWrap = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;

// Permits a line break after each "_", because names of kernels are long.
inline QString breakable(QString text) {
  constexpr QChar kMayBreak(0x200B);  // zero width
  return text.replace(QLatin1Char('_'), QLatin1Char('_') + QString(kMayBreak));
}

inline double wrapped_height(const QFont& font, const QString& text, double width) {
  if (text.isEmpty()) return 0;
  return QFontMetricsF(font)
      .boundingRect(QRectF(0, 0, width, 1e6), kWrap, breakable(text))
      .height();
}

}  // namespace attn::gui
