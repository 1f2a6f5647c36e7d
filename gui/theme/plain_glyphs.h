// SPDX-License-Identifier: GPL-3.0-or-later
// PlainGlyphs: while an object of this class lives, fonts of Theme::font() made on this thread have
// no contextual alternates, glyphs that depend on the characters beside them. For text that is
// copied from a PDF: Inter has such glyphs beside digits and capitals.
#pragma once

#include <QFont>

namespace attn::gui {

class PlainGlyphs {
 public:
  PlainGlyphs();
  ~PlainGlyphs();
  PlainGlyphs(const PlainGlyphs&) = delete;
  PlainGlyphs& operator=(const PlainGlyphs&) = delete;

  static void apply_to(QFont& font);  // for Theme::font()
};

}  // namespace attn::gui
