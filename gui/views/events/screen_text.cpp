// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/events/screen_text.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

namespace attn::gui {
namespace {

constexpr qsizetype kMostWords = 512;  // words whose layout is kept

}  // namespace

void ScreenText::set_fonts(const QFont& numbers, const QFont& words) {
  words_ = words;
  digits_ = QRawFont::fromFont(numbers);
  glyphs_.fill({});
  laid_out_.clear();
  const QFontMetricsF metrics(words);
  word_ascent_ = metrics.ascent();
  word_height_ = metrics.height();
  widest_ = 1;
  for (char16_t c = u' '; c < glyphs_.size(); ++c)
    widest_ = std::max(widest_, metrics.horizontalAdvance(QChar(c)));
}

bool ScreenText::draw_number(QPainter& painter, const QRectF& room, const QString& number) {
  if (!digits_.isValid()) return false;
  indices_.clear();
  places_.clear();
  double width = 0;
  for (const QChar c : number) {
    if (c.unicode() >= glyphs_.size()) return false;
    Glyph& glyph = glyphs_[c.unicode()];
    if (glyph.advance < 0) {
      const QList<quint32> found = digits_.glyphIndexesForString(QString(c));
      if (found.size() != 1 || found.front() == 0) return false;
      glyph.index = found.front();
      const QList<QPointF> advances = digits_.advancesForGlyphIndexes(found);
      glyph.advance = advances.front().x();
    }
    indices_ += glyph.index;
    places_ += QPointF(width, 0);
    width += glyph.advance;
  }
  QGlyphRun run;
  run.setRawFont(digits_);
  run.setGlyphIndexes(indices_);
  run.setPositions(places_);
  const double height = digits_.ascent() + digits_.descent();
  const double base = room.top() + (room.height() - height) / 2 + digits_.ascent();
  painter.drawGlyphRun(QPointF(std::round(room.right() - width), std::round(base)), run);
  return true;
}

void ScreenText::draw_word(QPainter& painter, const QRectF& room, const QString& word) {
  auto found = laid_out_.find(word);
  if (found == laid_out_.end()) {
    if (laid_out_.size() >= kMostWords) laid_out_.clear();
    QStaticText text(word);
    text.setTextFormat(Qt::PlainText);
    text.setPerformanceHint(QStaticText::AggressiveCaching);
    text.prepare(QTransform(), words_);
    found = laid_out_.insert(word, text);
  }
  if (found->size().width() > room.width()) return draw_text(painter, room, word);
  painter.setFont(words_);
  painter.drawStaticText(
      QPointF(room.left(), std::round(room.top() + (room.height() - word_height_) / 2)), *found);
}

void ScreenText::draw_text(QPainter& painter, const QRectF& room, const QString& text) {
  // A short text of ASCII and "·" fits whatever its letters are, and is not measured.
  const bool plain =
      std::ranges::all_of(text, [](QChar c) { return c.unicode() < 128 || c == u'·'; });
  const bool fits = plain && widest_ * static_cast<double>(text.size()) <= room.width();
  painter.setFont(words_);
  const double base = room.top() + (room.height() - word_height_) / 2 + word_ascent_;
  painter.drawText(
      QPointF(room.left(), std::round(base)),
      fits ? text : QFontMetricsF(words_).elidedText(text, Qt::ElideRight, room.width()));
}

}  // namespace attn::gui
