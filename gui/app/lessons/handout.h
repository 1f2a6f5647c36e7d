// SPDX-License-Identifier: GPL-3.0-or-later
// `attention-workbench handout`: a lesson as PDF for print, with a picture of how each step begins
// (once for steps in a row with the same run and view) and empty boxes for the answers, or as the
// teacher's copy with the answers. GUI thread, any platform plugin.
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
  std::string lesson;  // a name, a number or a file
  std::string out;     // the PDF file
  bool teacher = false;
  std::string language = "en";  // of an installed lesson
};

// Writes the file, and prints its name and number of pages. Throws Error; if the lesson has
// mistakes, the error lists them.
void write_handout(const HandoutOrder& order);

// The view of a step before its first unit of work: what the learner sees when the question is
// asked. Where that view is empty then, the text of the prompt. Laid out for the width between the
// margins of an A4 page, at 300 pixels per inch, so that its letters are as large as those of a
// figure, unless a table of the view needs more width. Null: neither shows anything.
QImage picture_of_start(const lesson::Step& step);

// The size at which a picture is printed below a text of this height: as wide as the page, or less
// where it would be higher than 0.6 of the page or than what is left of it. nullopt: what is left
// is too little, so it is printed on the next page.
std::optional<QSizeF> picture_below(double text, const QSizeF& picture, const QSizeF& page);

// Where a part of a hand-out begins: the page, from 0, and the distance from its top.
struct HandoutPlace {
  int page = 0;
  double top = 0;
};
// Places parts of these heights one below the other on pages of this height. A part that would
// cross the end of a page begins on the next one; one that is higher than a page continues on the
// pages after that. new_page: parts, by their places in `heights`, that begin on a new page anyway.
std::vector<HandoutPlace> place_on_pages(const std::vector<double>& heights, double page,
                                         const std::set<size_t>& new_page = {});

}  // namespace attn::gui
