// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/text/text_width.h"

#include <QFontMetricsF>
#include <QHash>

#include "gui/widgets/text/by_font.h"
#include "gui/widgets/text/shortened_text.h"

namespace attn::gui {

namespace {

struct FontWidths {
  QFont font;
  QHash<QString, double> widths = {};
  explicit FontWidths(const QFont& of) : font(of) {}
};

// The cache is bounded, because a number that changes can be a new text in each frame.
constexpr qsizetype kMostTexts = 4000;

}  // namespace

double text_width(const QFont& font, const QString& text) {
  QHash<QString, double>& widths = by_font<FontWidths>(font).widths;
  const auto found = widths.constFind(text);
  if (found != widths.constEnd()) return *found;
  if (widths.size() >= kMostTexts) widths.clear();
  return *widths.insert(text, QFontMetricsF(font).horizontalAdvance(text));
}

QString elided_text(const QFont& font, const QString& text, double room) {
  if (text_width(font, text) <= room) return text;
  const QString shown = QFontMetricsF(font).elidedText(text, Qt::ElideRight, room);
  note_shortened(shown, text);
  return shown;
}

}  // namespace attn::gui
