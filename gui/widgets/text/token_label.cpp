// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/text/token_label.h"

#include <QFontMetricsF>
#include <string_view>

#include "engine/core/utf8.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"

namespace attn::gui {

namespace {

constexpr char16_t kSpaceMark = u'\u00b7';  // middle dot
constexpr char16_t kEllipsis = u'\u2026';
constexpr char16_t kTabMark = u'\u2192';  // rightwards arrow

void append(TokenText& out, QChar c, bool faint) {
  out.shown.append(c);
  out.faint.push_back(faint);
}

// The longest beginning that fits `width`, with an ellipsis if something was cut; nothing if only
// the ellipsis would fit.
TokenText elided(const TokenText& token, const QFont& font, double width) {
  if (text_width(font, token.shown) <= width) return token;
  const QChar ellipsis(kEllipsis);
  const double room = width - text_width(font, ellipsis);
  TokenText out;
  for (qsizetype i = 0; i < token.shown.size(); ++i) {
    if (text_width(font, out.shown + token.shown[i]) > room) break;
    append(out, token.shown[i], token.faint[static_cast<size_t>(i)]);
  }
  if (!out.shown.isEmpty() && out.shown.back().isHighSurrogate()) {
    out.shown.chop(1);
    out.faint.pop_back();
  }
  if (out.shown.isEmpty()) return out;
  append(out, ellipsis, true);
  return out;
}

}  // namespace

TokenText token_text(const std::string& utf8) {
  TokenText out;
  // The text of a token from a file may be very long.
  const bool is_long = utf8.size() > kMostShownBytes;
  const std::string_view begin(utf8.data(),
                               is_long ? whole_chars(utf8, kMostShownBytes) : utf8.size());
  for (QChar c : QString::fromUtf8(begin.data(), static_cast<qsizetype>(begin.size()))) {
    if (c == QLatin1Char(' ')) {
      append(out, QChar(kSpaceMark), true);
    } else if (c == QLatin1Char('\n')) {
      append(out, QChar(kNewlineMark), true);
    } else if (c == QLatin1Char('\t')) {
      append(out, QChar(kTabMark), true);
    } else if (c.category() == QChar::Other_Control) {
      append(out, QChar(u'\ufffd'), true);
    } else {
      append(out, c, false);
    }
  }
  if (is_long) append(out, QChar(kEllipsis), true);
  if (out.shown.isEmpty()) append(out, QChar(u'\u2205'), true);  // a token without text
  return out;
}

QString quoted_token(const std::string& utf8) {
  return QStringLiteral("“") + token_text(utf8).shown + QStringLiteral("”");
}

double token_width(const TokenText& token, const QFont& font) {
  return text_width(font, token.shown);
}

void paint_token(QPainter& painter, const QRectF& bounds, const TokenText& token,
                 const TokenLabelStyle& style) {
  const QFontMetricsF metrics(style.font);
  const double along = style.turned ? bounds.height() : bounds.width();
  const double across = style.turned ? bounds.width() : bounds.height();
  const TokenText text = elided(token, style.font, along);
  const double length = text_width(style.font, text.shown);

  painter.save();
  if (style.turned) {
    painter.translate(bounds.left(), bounds.bottom());
    painter.rotate(-90);
  } else {
    painter.translate(bounds.left(), bounds.top());
  }
  painter.setFont(style.font);
  double x = 0;
  if (style.align & Qt::AlignRight) x = along - length;
  if (style.align & Qt::AlignHCenter) x = (along - length) / 2;
  const double baseline = across / 2 + (metrics.ascent() - metrics.descent()) / 2;
  for (qsizetype begin = 0; begin < text.shown.size();) {
    qsizetype end = begin + 1;
    const bool faint = text.faint[static_cast<size_t>(begin)];
    while (end < text.shown.size() && text.faint[static_cast<size_t>(end)] == faint) ++end;
    const QString run = text.shown.mid(begin, end - begin);
    painter.setPen(faint ? style.faint : style.color);
    draw_line(painter, QPointF(x, baseline), run);
    x += text_width(style.font, run);
    begin = end;
  }
  painter.restore();
}

}  // namespace attn::gui
