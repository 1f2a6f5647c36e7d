// SPDX-License-Identifier: GPL-3.0-or-later
// How the width of the table of a comparison is shared between the names of its rows and the
// columns of the backends. GUI thread.
#pragma once

#include <QString>
#include <vector>

#include "gui/views/compare/compare_model.h"
#include "gui/widgets/picture_look.h"

namespace attn::gui {

inline constexpr double kColumnInset = 6;  // px at 100%, on each side of a text in a column

struct CompareColumns {
  double table = 0;  // px, names and columns
  double names = 0;  // px
  std::vector<double> widths;
  // The lines of the heading of each column: the name of its backend, broken at blanks. A line can
  // be wider than its column only if nothing could give the column more width.
  std::vector<std::vector<QString>> headings;
  size_t most_lines = 1;  // of a heading
};

// The columns are equally wide if all headings fit on one line. Else headings get room first from
// columns with short texts and from the names, then by a second line, then from what is beside the
// table. table: the usual width, px; most: the largest one.
CompareColumns compare_columns(const CompareModel& model, const PictureLook& look, double table,
                               double most);

}  // namespace attn::gui
