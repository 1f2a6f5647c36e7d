// SPDX-License-Identifier: GPL-3.0-or-later
// `attention-workbench handout`: a lesson as PDF for print, with boxes for the answers, or as the
// teacher's copy with the answers. GUI thread.
#pragma once

#include <QImage>
#include <QSizeF>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/lesson/format/lesson.h"

namespace attn::gui {

struct HandoutOrder {
  std::string lesson;  // name, number or file
  std::string out;     // the PDF file
  bool teacher = false;
  std::string language = "en";  // in which an installed lesson is taken
};

// Writes the file, and prints its name and number of pages. Throws Error.
void write_handout(const HandoutOrder& order);

// A picture of the step's view (lesson::Step::view) before the first unit of work of the run. If
// that view shows nothing then, a picture of the view words. It is laid out for the width between
// the margins of an A4 page, at 300 pixels per inch. Null: neither view shows anything.
QImage picture_of_start(const lesson::Step& step);

// The size of a picture below a text of this height: at most as wide as the page, at most 0.6 of
// the page high, and not higher than what the text leaves of its last page. nullopt: so little is
// left that the picture belongs on the next page.
std::optional<QSizeF> picture_below(double text, const QSizeF& picture, const QSizeF& page);

// Where a part begins: the page, from 0, and the distance from its top.
struct HandoutPlace {
  int page = 0;
  double top = 0;
};
// Places parts of these heights one below the other. A part below others that would cross the end
// of its page begins on the next one. A part that is higher than a page continues on further pages.
// new_page: indices of parts that begin on a new page in any case.
std::vector<HandoutPlace> place_on_pages(const std::vector<double>& heights, double page,
                                         const std::set<size_t>& new_page = {});

}  // namespace attn::gui
