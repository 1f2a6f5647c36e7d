// SPDX-License-Identifier: GPL-3.0-or-later
// DifferenceView::tour(): the stops of "What am I looking at?".
#include "gui/views/attention/difference/difference_view.h"

namespace attn::gui {

Tour DifferenceView::tour() const {
  Tour tour(*this);
  const DifferenceScene& scene = canvas_->scene();
  if (scene.is_empty()) {
    tour.nothing(scene.pair.refusal);
    return tour;
  }
  const DifferenceLayout& parts = canvas_->parts();
  tour.stop(
      *canvas_, parts.cells.cells, tr("Two runs, one head"),
      tr("A cell is the weight with which a query reads a key in the run of the window, minus "
         "the same weight in the run beside. Where nothing differs, the cell has the colour "
         "of the background."));
  tour.stop(*canvas_, parts.said_area, tr("How far the runs differ"), canvas_->sentences());
  tour.stop(*canvas_, parts.cells.row_labels, tr("Positions"),
            tr("Rows and columns are positions. Where the two runs have different tokens at a "
               "position, both tokens stand there, first the one in the window."));
  return tour;
}

}  // namespace attn::gui
