// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/text/number_signs.h"

#include <QFontMetricsF>
#include <QGlyphRun>
#include <QPaintEngine>
#include <algorithm>

namespace attn::gui {

NumberSigns::NumberSigns(const QFont& of) : font(of), raw_(QRawFont::fromFont(of)) {
  const QString all = QStringLiteral("0123456789#×.,+-−e");
  const QVector<quint32> indices = raw_.glyphIndexesForString(all);
  for (qsizetype i = 0; i < std::min(all.size(), indices.size()); ++i)
    if (indices[i] != 0) glyphs_.insert(all[i], indices[i]);
  const QFontMetricsF metrics(of);
  advance_ = metrics.horizontalAdvance(QLatin1Char('0'));
  ascent_ = metrics.ascent();
  height_ = metrics.height();
}

void NumberSigns::draw(QPainter& painter, const QRectF& rect, const QString& text,
                       Qt::Alignment align) const {
  bool plain = painter.paintEngine()->type() == QPaintEngine::Raster &&
               painter.transform().type() <= QTransform::TxTranslate && raw_.isValid();
  QVector<quint32> indices;
  QVector<QPointF> places;
  for (qsizetype i = 0; plain && i < text.size(); ++i) {
    const auto glyph = glyphs_.constFind(text[i]);
    plain = glyph != glyphs_.constEnd();
    if (!plain) break;
    indices.append(*glyph);
    places.append(QPointF(advance_ * static_cast<double>(i), 0));
  }
  if (!plain) {
    painter.drawText(rect, static_cast<int>(align) | Qt::AlignVCenter | Qt::TextDontClip, text);
    return;
  }
  QGlyphRun run;
  run.setRawFont(raw_);
  run.setGlyphIndexes(indices);
  run.setPositions(places);
  const double left = align & Qt::AlignLeft    ? rect.left()
                      : align & Qt::AlignRight ? rect.right() - width(text)
                                               : rect.center().x() - width(text) / 2;
  painter.drawGlyphRun(QPointF(left, rect.center().y() - height_ / 2 + ascent_), run);
}

}  // namespace attn::gui
