// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/text/screen_line.h"

#include <QFontMetricsF>
#include <QHash>
#include <QPaintEngine>
#include <QStaticText>

#include "gui/widgets/text/by_font.h"

namespace attn::gui {

namespace {

struct FontLines {
  QFont font;
  double ascent = 0, height = 0;
  QHash<QString, QStaticText> lines = {};

  explicit FontLines(const QFont& of) : font(of) {
    const QFontMetricsF metrics(of);
    ascent = metrics.ascent();
    height = metrics.height();
  }
};

// The cache is bounded, because a number that changes can be a new text in each frame.
constexpr qsizetype kMostLines = 2000;

const QStaticText& line_of(FontLines& known, const QTransform& transform, const QString& text) {
  const auto found = known.lines.constFind(text);
  if (found != known.lines.constEnd()) return *found;
  if (known.lines.size() >= kMostLines) known.lines.clear();
  QStaticText line(text);
  line.setTextFormat(Qt::PlainText);
  line.setPerformanceHint(QStaticText::AggressiveCaching);
  line.prepare(QTransform(transform.m11(), 0, 0, transform.m22(), 0, 0), known.font);
  return *known.lines.insert(text, line);
}

bool is_screen(const QPainter& painter) {
  return painter.paintEngine()->type() == QPaintEngine::Raster &&
         painter.combinedTransform().type() <= QTransform::TxScale;
}

}  // namespace

void draw_line(QPainter& painter, const QRectF& rect, int align, const QString& text) {
  if (text.isEmpty()) return;
  if (is_screen(painter)) {
    FontLines& known = by_font<FontLines>(painter.font());
    const QTransform to_screen = painter.combinedTransform();
    const QStaticText& line = line_of(known, to_screen, text);
    const double width = line.size().width();
    const bool is_whole = width <= rect.width() && known.height <= rect.height();
    if (is_whole || (align & Qt::TextDontClip)) {
      const double left = align & Qt::AlignRight     ? rect.right() - width
                          : align & Qt::AlignHCenter ? rect.center().x() - width / 2
                                                     : rect.left();
      const double top = align & Qt::AlignBottom    ? rect.bottom() - known.height
                         : align & Qt::AlignVCenter ? rect.center().y() - known.height / 2
                                                    : rect.top();
      painter.drawStaticText(QPointF(left, top), line);
      return;
    }
  }
  painter.drawText(rect, align, text);
}

void draw_line(QPainter& painter, const QPointF& baseline, const QString& text) {
  if (text.isEmpty()) return;
  if (!is_screen(painter)) return painter.drawText(baseline, text);
  FontLines& known = by_font<FontLines>(painter.font());
  painter.drawStaticText(baseline - QPointF(0, known.ascent),
                         line_of(known, painter.combinedTransform(), text));
}

}  // namespace attn::gui
