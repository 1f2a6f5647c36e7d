// SPDX-License-Identifier: GPL-3.0-or-later
// Draws numbers in a fixed-pitch font. The glyphs of a font are cached, which is faster than
// shaping each text. Any thread; each thread looks up its own glyphs.
#pragma once

#include <QFont>
#include <QHash>
#include <QPainter>
#include <QRawFont>
#include <QString>

#include "gui/widgets/text/by_font.h"

namespace attn::gui {

class NumberSigns {
 public:
  explicit NumberSigns(const QFont& font);
  static const NumberSigns& of(const QFont& font) { return by_font<NumberSigns>(font); }

  QFont font;

  double width(const QString& text) const { return advance_ * static_cast<double>(text.size()); }
  double height() const { return height_; }
  double ascent() const { return ascent_; }
  // Draws in `rect`, vertically centred, in the colour of the painter's pen. For other characters
  // than digits and #×.,+-−e, for a font without their glyphs, if the painter scales or rotates,
  // and if the device has no pixels, it is QPainter::drawText() with the flags `align` alone.
  void draw(QPainter& painter, const QRectF& rect, const QString& text,
            Qt::Alignment align = Qt::AlignCenter) const;

 private:
  QRawFont raw_;
  QHash<QChar, quint32> glyphs_;
  double advance_ = 0, ascent_ = 0, height_ = 0;
};

}  // namespace attn::gui
