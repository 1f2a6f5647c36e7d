// SPDX-License-Identifier: GPL-3.0-or-later
// EventsView::tour(): the stops of "What am I looking at?".
#include <QHeaderView>

#include "gui/views/events/events_view.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {

Tour EventsView::tour() const {
  Tour tour(*this);
  const std::vector<EventCells>& rows = table_->model().cells();
  if (rows.empty()) {
    tour.nothing(rows_->total() == 0
                     ? tr("No event has been recorded yet. Press Space to run the scenario.")
                     : tr("No event fits the filter, the chosen kinds and the switch “Only "
                          "selected”. Take them back to see all events."));
    return tour;
  }
  QTableView& view = table_->view();
  const auto cell = [&](EventColumn column) {
    return view.visualRect(view.model()->index(0, static_cast<int>(column)));
  };
  const auto text = [&](EventColumn column) {
    return rows.front().texts[static_cast<size_t>(column)];
  };
  tour.stop(*table_, tr("Everything that happened"),
            tr("A row is an event that the engine recorded, such as a step, a kernel, a tile or a "
               "change of a block. Now there are %1.")
                .arg(count_words()));
  tour.stop(
      *view.viewport(),
      QRectF(0, cell(EventColumn::kNumber).top(), view.viewport()->width(),
             cell(EventColumn::kNumber).height()),
      tr("One event"),
      tr("This is event %1 of the run, of the kind “%2”, at %3 ms. Enter or a double-click takes "
         "the views there.")
          .arg(text(EventColumn::kNumber), text(EventColumn::kKind), text(EventColumn::kTime)));
  tour.stop(*view.horizontalHeader(), tr("Columns"),
            tr("Click a heading to sort by it; click again to reverse the order."));
  tour.stop(*line_, tr("Find the one you need"),
            tr("Type a word or a condition here, such as kind:tile or request:0, and only rows "
               "that fit stay. Tab completes conditions. Now %1 rows are shown.")
                .arg(format_count(static_cast<int64_t>(rows_->size()))));
  tour.stop(*only_, tr("Only what is selected"),
            tr("With this switch the table shows only events of what is selected, for example of a "
               "span, a token or a block."));
  return tour;
}

}  // namespace attn::gui
