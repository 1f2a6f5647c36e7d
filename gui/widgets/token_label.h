// SPDX-License-Identifier: GPL-3.0-or-later
// Token labels: the text of a token in JetBrains Mono, its spaces, tabs and newlines as faint
// marks, cut with an ellipsis where it does not fit; upright for rows, turned for columns. GUI
// thread.
#pragma once

#include <QColor>
#include <QFont>
#include <QPainter>
#include <QRectF>
#include <QString>
#include <string>
#include <vector>

namespace attn::gui {

// What is drawn for a token: marks in place of blanks, and which characters are marks.
struct TokenText {
  QString shown;
  std::vector<bool> faint;  // [shown.size()]
};
TokenText token_text(const std::string& utf8);
// One line for sentences, tooltips and accessible texts: "␣Lily" style marks, in quotes.
QString quoted_token(const std::string& utf8);

struct TokenLabelStyle {
  QFont font;
  QColor color, faint;
  Qt::Alignment align = Qt::AlignLeft;  // along the text; across it the text is centred
  bool turned = false;                  // reads from bottom to top
};
double token_width(const TokenText& token, const QFont& font);
void paint_token(QPainter& painter, const QRectF& bounds, const TokenText& token,
                 const TokenLabelStyle& style);

}  // namespace attn::gui
