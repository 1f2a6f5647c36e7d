// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/text_width.h"

#include <QFontMetricsF>
#include <QHash>
#include <algorithm>
#include <list>

namespace attn::gui {

namespace {

struct FontWidths {
  QFont font;
  QHash<QString, double> widths;
};

// More than are seen at once. Live figures are new texts in every picture: all of them would be
// megabytes after an hour.
constexpr qsizetype kMostTexts = 4000;
constexpr size_t kMostFonts = 8;

}  // namespace

double text_width(const QFont& font, const QString& text) {
  // The last used first. Not destroyed at the end: a font must not outlive the application.
  static auto& fonts = *new std::list<FontWidths>;
  auto known = std::ranges::find(fonts, font, &FontWidths::font);
  if (known == fonts.end()) {
    if (fonts.size() >= kMostFonts) fonts.pop_back();
    known = fonts.insert(fonts.begin(), {font, {}});
  } else if (known != fonts.begin()) {
    fonts.splice(fonts.begin(), fonts, known);
  }
  QHash<QString, double>& widths = known->widths;
  const auto found = widths.constFind(text);
  if (found != widths.constEnd()) return *found;
  if (widths.size() >= kMostTexts) widths.clear();
  return *widths.insert(text, QFontMetricsF(font).horizontalAdvance(text));
}

}  // namespace attn::gui
