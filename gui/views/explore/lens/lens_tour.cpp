// SPDX-License-Identifier: GPL-3.0-or-later
// LensView::add_stops(): the stops of "What am I looking at?".
#include "gui/models/explore/inside.h"
#include "gui/views/explore/lens/lens_view.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {

void LensView::add_stops(Tour& tour, int64_t rows) const {
  const LogitLens& lens = data_->lens;
  const int64_t columns = std::min(rows - lens.first, lens.count);
  if (columns < 1) return;
  const auto column = static_cast<size_t>(columns - 1);
  const size_t top = lens.sites.size() - 1;
  const auto cell = [&](size_t site) { return lens.cell(site, lens.first + columns - 1); };
  const auto best = [&](size_t site) {
    return data_->best[site * static_cast<size_t>(lens.count) + column];
  };
  const auto percent = [](double part) { return format_number(100 * part, 3); };
  tour.stop(
      canvas(), tr("What the model would say, layer by layer"),
      tr("The %1 columns are tokens that are read; the %2 rows go up from the embedding to the "
         "last layer. A cell has the token that the model would say next if it ended there.")
          .arg(format_count(columns), format_count(static_cast<int64_t>(lens.sites.size()))));
  const auto spot = [&](size_t site) {
    return canvas().box_on_screen(
        {LensPicture::kGrid, static_cast<int64_t>(site), static_cast<int64_t>(column)});
  };
  tour.stop(canvas(), spot(0), tr("Before any layer"),
            tr("Right after the embedding only %1 has been read. The model would go on with %2, "
               "with a probability of %3%.")
                .arg(data_->tokens[column], best(0), percent(cell(0).best_probability)));
  size_t settled = top;
  while (settled > 0 && cell(settled - 1).best == cell(top).best) --settled;
  if (settled > 0 && settled < top)
    tour.stop(
        canvas(), spot(settled), tr("Where the answer appears"),
        tr("From here on (%1) the likeliest token is %2, and it stays so up to the last layer. "
           "Here its probability is %3%.")
            .arg(site_text(lens.sites[settled]), best(settled),
                 percent(cell(settled).best_probability)));
  tour.stop(canvas(), spot(top), tr("The model's own answer"),
            tr("The top row is the model's own answer; here the likeliest token is %1, with %2%.")
                .arg(best(top), percent(cell(top).best_probability)));
  tour.stop(
      canvas(), canvas().box_on_screen({LensPicture::kGrid, static_cast<int64_t>(top), 0}),
      tr("Against the text"),
      tr("After token %1 the text goes on with %2. The model gave that %3% and rank %4; rank 0 "
         "is the likeliest token.")
          .arg(data_->tokens.front(), data_->wanted.front(),
               percent(lens.cell(top, lens.first).probability),
               QString::number(lens.cell(top, lens.first).rank)));
  tour.stop(*color_, tr("What the colours say"),
            tr("Colours show: %1. The list has other numbers; a click on a cell shows the bars of "
               "its likeliest tokens.")
                .arg(color_->currentText()));
}

}  // namespace attn::gui
