// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/theme/pdf_fonts.h"

#include <QHashSeed>

namespace attn::gui {

// The seed is not random again afterwards: another thread may draw a PDF, too.
void keep_order_of_pdf_fonts() {
  QHashSeed::setDeterministicGlobalSeed();
}

}  // namespace attn::gui
