// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers in a fixed-pitch font, drawn from signs that are looked up once per font: to shape the
// numbers of 800 cells anew would take most of a frame. Any thread, each with signs of its own.
#pragma once

#include <QFont>
#include <QHash>
#include <QPainter>
#include <QRawFont>
#include <QString>

#include "gui/widgets/by_font.h"

namespace attn::gui {

class NumberSigns {
 public:
  explicit NumberSigns(const QFont& font);
  static const NumberSigns& of(const QFont& font) { return by_font<NumberSigns>(font); }

  QFont font;

  double width(const QString& text) const { return advance_ * static_cast<double>(text.size()); }
  double height() const { return height_; }
  double ascent() const { return ascent_; }
  // In `rect`, by default in its middle, in the painter's pen. Text of other signs than those of
  // numbers, and text of drawings that keep it, is drawn as any other.
  void draw(QPainter& painter, const QRectF& rect, const QString& text,
            Qt::Alignment align = Qt::AlignCenter) const;

 private:
  QRawFont raw_;
  QHash<QChar, quint32> glyphs_;
  double advance_ = 0, ascent_ = 0, height_ = 0;
};

}  // namespace attn::gui
