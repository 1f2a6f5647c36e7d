// SPDX-License-Identifier: GPL-3.0-or-later
// ScreenText: draws the texts of the table on the screen: numbers as glyphs at computed places, and
// frequent words with a kept layout. GUI thread.
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
  // Sets the fonts and forgets earlier layouts.
  void set_fonts(const QFont& numbers, const QFont& words);
  // Right-aligned. Returns false and draws nothing if a character cannot be drawn in this way.
  bool draw_number(QPainter& painter, const QRectF& room, const QString& number);
  // Left-aligned, with an ellipsis if it does not fit. Keeps the layout of the word.
  void draw_word(QPainter& painter, const QRectF& room, const QString& word);
  // Left-aligned, with an ellipsis if it does not fit.
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
