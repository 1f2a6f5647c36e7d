// SPDX-License-Identifier: GPL-3.0-or-later
// `attention-workbench handout`: a lesson as PDF for print, with the picture of the start of each
// step and empty boxes for the answers, or as the teacher's copy with the answers. GUI thread, any
// platform plugin.
#pragma once

#include <string>

namespace attn::gui {

struct HandoutOrder {
  std::string lesson;  // a name, a number or a file
  std::string out;     // the PDF file
  bool teacher = false;
  std::string language = "en";  // of an installed lesson
};

// Prints where the file is. Throws Error: for a lesson with mistakes with a sentence for each.
void write_handout(const HandoutOrder& order);

}  // namespace attn::gui
