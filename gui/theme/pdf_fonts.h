// SPDX-License-Identifier: GPL-3.0-or-later
// The order of the fonts in PDF files.
#pragma once

namespace attn::gui {

// Qt writes the fonts of a PDF in the order of a hash, whose seed is another number in each
// process. After this call the order depends on the fonts alone, so that the window and the program
// without a window write the same bytes. Call it before a PDF is drawn. Any thread.
void keep_order_of_pdf_fonts();

}  // namespace attn::gui
