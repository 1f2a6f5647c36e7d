// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/theme/plain_glyphs.h"

namespace attn::gui {
namespace {

thread_local int living = 0;

}  // namespace

PlainGlyphs::PlainGlyphs() {
  ++living;
}

PlainGlyphs::~PlainGlyphs() {
  --living;
}

void PlainGlyphs::apply_to(QFont& font) {
  if (living == 0) return;
#if QT_VERSION >= QT_VERSION_CHECK(6, 7, 0)
  font.setFeature("calt", 0);
#else
  font.setStyleStrategy(QFont::PreferNoShaping);  // this switches off kerning, too
#endif
}

}  // namespace attn::gui
