// SPDX-License-Identifier: GPL-3.0-or-later
// PlainGlyphs: while one lives, the fonts that Theme makes on this thread draw each character with
// the glyph of that character alone. For files from which text is copied: beside digits and
// capitals Inter has other glyphs for the minus and the parentheses, and a PDF does not know which
// characters those stand for, so they would be lost.
#pragma once

#include <QFont>

namespace attn::gui {

class PlainGlyphs {
 public:
  PlainGlyphs();
  ~PlainGlyphs();
  PlainGlyphs(const PlainGlyphs&) = delete;
  PlainGlyphs& operator=(const PlainGlyphs&) = delete;

  static void apply_to(QFont& font);  // for Theme
};

}  // namespace attn::gui
