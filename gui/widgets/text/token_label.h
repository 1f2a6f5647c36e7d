// SPDX-License-Identifier: GPL-3.0-or-later
// Token labels: the text of a token with faint marks for spaces, tabs and newlines, cut with an
// ellipsis where it does not fit. Any thread.
#pragma once

#include <QColor>
#include <QFont>
#include <QPainter>
#include <QRectF>
#include <QString>
#include <string>
#include <vector>

namespace attn::gui {

inline constexpr char16_t kNewlineMark = u'\u21b5';  // downwards arrow with corner leftwards
inline constexpr size_t kMostShownBytes = 256;       // of a token's text; the rest is not shown

// shown: the characters that are drawn. faint: which of them are marks.
struct TokenText {
  QString shown;
  std::vector<bool> faint;  // [shown.size()]
};
TokenText token_text(const std::string& utf8);
// “·Lily”: the token in quotes, with marks for blanks.
QString quoted_token(const std::string& utf8);

struct TokenLabelStyle {
  QFont font;
  QColor color, faint;
  Qt::Alignment align = Qt::AlignLeft;  // along the text
  bool turned = false;                  // reads from bottom to top
};
double token_width(const TokenText& token, const QFont& font);
void paint_token(QPainter& painter, const QRectF& bounds, const TokenText& token,
                 const TokenLabelStyle& style);

}  // namespace attn::gui
