// SPDX-License-Identifier: GPL-3.0-or-later
// ScreenText: the texts of the table as the screen draws them. Laying out every number of a full
// screen anew takes longer than a frame; digits stand at fixed places instead, and the few words of
// kinds and lanes are laid out once. Pictures keep real text. GUI thread.
#pragma once

#include <QGlyphRun>
#include <QHash>
#include <QPainter>
#include <QRawFont>
#include <QStaticText>
#include <array>

namespace attn::gui {

class ScreenText {
 public:
  // Takes these fonts and forgets what was laid out for others.
  void set_fonts(const QFont& numbers, const QFont& words);
  // Draws the number right-aligned in the room. False: a character is not ASCII or not in the font;
  // nothing is drawn.
  bool draw_number(QPainter& painter, const QRectF& room, const QString& number);
  // Draws a word that comes often, left-aligned, with an ellipsis if it does not fit.
  void draw_word(QPainter& painter, const QRectF& room, const QString& word);
  // Draws any text, left-aligned, with an ellipsis if it does not fit.
  void draw_text(QPainter& painter, const QRectF& room, const QString& text);

 private:
  struct Glyph {
    quint32 index = 0;
    double advance = -1;  // px; -1: not looked up
  };
  QFont words_;
  QRawFont digits_;
  std::array<Glyph, 128> glyphs_;
  QHash<QString, QStaticText> laid_out_;
  double word_ascent_ = 0, word_height_ = 0;
  double widest_ = 1;  // width of the widest ASCII character, px
  QList<quint32> indices_;
  QList<QPointF> places_;
};

}  // namespace attn::gui
