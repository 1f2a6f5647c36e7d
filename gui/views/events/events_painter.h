// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the table of events: cells, headings, and a sheet of rows with the filter and the count.
// Any thread, except EventsLook::now().
#pragma once

#include <QColor>
#include <QFont>
#include <QPainter>
#include <array>
#include <span>
#include <vector>

#include "gui/views/events/events_model.h"

namespace attn::gui {

// Fonts, colours and sizes of the theme. now() needs the GUI thread.
struct EventsLook {
  QFont heading, text, numbers, title;
  QColor surface, ink, muted, line, warning, accent, chosen;
  int row_height = 22, header_height = 26, pad = 8;  // px

  static EventsLook now();
  const QFont& font_of(EventColumn column) const;
  const QColor& color_of(const EventCells& cells, EventColumn column) const;
};

// Widths in px for event numbers up to `total`, times up to `end_ns`, and usual values of the other
// columns.
std::array<int, kEventColumns> column_widths(const EventsLook& look, uint64_t total,
                                             uint64_t end_ns);
// Widens the columns of numbers and, up to a limit, that of requests, for these rows. No column
// becomes narrower.
void widen_for(std::span<const EventCells> rows, const EventsLook& look,
               std::array<int, kEventColumns>& widths);
// The columns to show in `width` px. A narrow table first narrows the column of kinds (in
// `widths`), then leaves columns out.
std::vector<EventColumn> fitting_columns(std::array<int, kEventColumns>& widths, int width);

void paint_cell(QPainter& painter, const QRectF& rect, const EventsLook& look,
                const EventCells& cells, EventColumn column);
// sorted: 0 not, 1 ascending, -1 descending.
void paint_heading(QPainter& painter, const QRectF& rect, const EventsLook& look,
                   EventColumn column, int sorted);

struct EventsSheet {
  EventsLook look;
  std::array<int, kEventColumns> widths{};
  std::vector<EventCells> rows;
  EventOrder order;
  QString filter;  // in words; empty: no filter
  QString count;   // "12,345 of 1,234,567 events"
  QString empty;
  bool numbered = true;
};
QSize sheet_size(const EventsSheet& sheet);
void paint_sheet(QPainter& painter, const QRectF& bounds, const EventsSheet& sheet);

}  // namespace attn::gui
