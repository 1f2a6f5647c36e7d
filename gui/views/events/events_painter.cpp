// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/events/events_painter.h"

#include <QFontMetricsF>
#include <QLocale>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/theme/theme.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

constexpr int kDetailsWidth = 560;       // px at 100%, in a picture
constexpr double kPictureSlack = 1.1;    // factor for the widths of kinds and names
constexpr int kMostKindWidth = 140;      // px at 100%, in a narrow table
constexpr int kMostNameWidth = 150;      // px at 100%, names of requests; longer ones are cut
constexpr int kLeastDetailsWidth = 200;  // px at 100% that are kept for details
// The columns that a narrow table leaves out, in this order.
constexpr std::array kFirstToGo = {EventColumn::kNumber, EventColumn::kLane, EventColumn::kLayer,
                                   EventColumn::kBlock, EventColumn::kDuration};

size_t place(EventColumn column) {
  return static_cast<size_t>(column);
}

// The text of `value` with 0 for every digit.
QString widest(double value, int decimals) {
  QString text = QLocale().toString(value, 'f', decimals);
  for (QChar& c : text)
    if (c.isDigit()) c = u'0';
  return text;
}

}  // namespace

EventsLook EventsLook::now() {
  const Theme& theme = Theme::instance();
  const ThemeColors& colors = theme.colors();
  EventsLook look;
  look.heading = theme.font(TextRole::kSmall, QFont::DemiBold);
  look.text = theme.font(TextRole::kSmall);
  look.numbers = theme.mono(TextRole::kSmall);
  look.title = theme.font(TextRole::kBody, QFont::DemiBold);
  look.surface = colors.surface;
  look.ink = colors.text;
  look.muted = colors.muted;
  look.line = colors.line;
  look.warning = colors.warning;
  look.accent = colors.accent;
  look.row_height = theme.px(22);
  look.header_height = theme.px(26);
  look.pad = theme.px(8);
  const float part = 0.18F;
  const auto mix = [part](float a, float b) { return a + (b - a) * part; };
  look.chosen = QColor::fromRgbF(mix(colors.surface.redF(), colors.accent.redF()),
                                 mix(colors.surface.greenF(), colors.accent.greenF()),
                                 mix(colors.surface.blueF(), colors.accent.blueF()));
  return look;
}

const QFont& EventsLook::font_of(EventColumn column) const {
  return is_right_aligned(column) ? numbers : text;
}

const QColor& EventsLook::color_of(const EventCells& cells, EventColumn column) const {
  const bool words = column == EventColumn::kKind || column == EventColumn::kDetails;
  if (cells.warning && words) return warning;
  return column == EventColumn::kNumber || column == EventColumn::kLane ? muted : ink;
}

std::array<int, kEventColumns> column_widths(const EventsLook& look, uint64_t total,
                                             uint64_t end_ns) {
  std::array<QString, kEventColumns> samples;
  samples[place(EventColumn::kNumber)] = widest(static_cast<double>(total), 0);
  samples[place(EventColumn::kTime)] = widest(std::floor(static_cast<double>(end_ns) * 1e-6), 6);
  samples[place(EventColumn::kDuration)] = widest(99999, 3);
  samples[place(EventColumn::kLane)] = lane_words(lane_of_worker(99));
  samples[place(EventColumn::kStep)] = QStringLiteral("00000");
  samples[place(EventColumn::kLayer)] = QStringLiteral("000");
  samples[place(EventColumn::kRequest)] = QStringLiteral("Somename");
  samples[place(EventColumn::kBlock)] = QStringLiteral("00000");
  std::array<int, kEventColumns> widths{};
  const QFontMetricsF heading(look.heading);
  for (int i = 0; i < kEventColumns; ++i) {
    const auto column = static_cast<EventColumn>(i);
    const QFontMetricsF metrics(look.font_of(column));
    // Room for the mark of the order beside the heading.
    double width = heading.horizontalAdvance(column_title(column)) + look.pad;
    width = std::max(width, metrics.horizontalAdvance(samples[place(column)]));
    if (column == EventColumn::kKind) {
      for (size_t kind = 0; kind < kEventKinds; ++kind)
        width =
            std::max(width, metrics.horizontalAdvance(kind_words(static_cast<EventKind>(kind))));
      width *= kPictureSlack;
    }
    widths[place(column)] = static_cast<int>(width) + 2 * look.pad;
  }
  widths[place(EventColumn::kDetails)] = kDetailsWidth * look.row_height / 22;
  return widths;
}

void widen_for(std::span<const EventCells> rows, const EventsLook& look,
               std::array<int, kEventColumns>& widths) {
  for (int i = 0; i < kEventColumns; ++i) {
    const auto column = static_cast<EventColumn>(i);
    if (column == EventColumn::kRequest) {
      const QFontMetricsF metrics(look.font_of(column));
      const double most = kMostNameWidth * look.row_height / 22.0;
      double width = 0;
      for (const EventCells& cells : rows)
        width = std::max(width, metrics.horizontalAdvance(cells.texts[place(column)]));
      widths[place(column)] =
          std::max(widths[place(column)],
                   static_cast<int>(std::min(width * kPictureSlack, most)) + 2 * look.pad);
      continue;
    }
    if (!is_right_aligned(column)) continue;
    // Digits of this font are equally wide, so the longest text is the widest.
    QString longest;
    for (const EventCells& cells : rows)
      if (cells.texts[place(column)].size() > longest.size()) longest = cells.texts[place(column)];
    const double width = QFontMetricsF(look.font_of(column)).horizontalAdvance(longest);
    widths[place(column)] = std::max(widths[place(column)], static_cast<int>(width) + 2 * look.pad);
  }
}

std::vector<EventColumn> fitting_columns(std::array<int, kEventColumns>& widths, int width) {
  std::vector<EventColumn> columns;
  int used = 0;
  for (int i = 0; i < kEventColumns; ++i) columns.push_back(static_cast<EventColumn>(i));
  for (int i = 0; i + 1 < kEventColumns; ++i) used += widths[static_cast<size_t>(i)];
  const int least = kLeastDetailsWidth * widths.back() / kDetailsWidth;
  if (used + least > width) {
    int& kind = widths[place(EventColumn::kKind)];
    const int cut = std::min(kind, kMostKindWidth * widths.back() / kDetailsWidth);
    used -= std::exchange(kind, cut) - cut;
  }
  for (const EventColumn column : kFirstToGo) {
    if (used + least <= width) break;
    std::erase(columns, column);
    used -= widths[place(column)];
  }
  return columns;
}

void paint_cell(QPainter& painter, const QRectF& rect, const EventsLook& look,
                const EventCells& cells, EventColumn column) {
  const QString& text = cells.texts[place(column)];
  if (text.isEmpty()) return;
  const QFont& font = look.font_of(column);
  const QRectF room = rect.adjusted(look.pad, 0, -look.pad, 0);
  const bool words = column == EventColumn::kKind || column == EventColumn::kRequest ||
                     column == EventColumn::kDetails;
  painter.setFont(font);
  painter.setPen(look.color_of(cells, column));
  const auto align = Qt::AlignVCenter | (is_right_aligned(column) ? Qt::AlignRight : Qt::AlignLeft);
  // Numbers are not clipped: they may reach into the padding.
  painter.drawText(
      room,
      static_cast<int>(align) | Qt::TextSingleLine |
          (words ? 0 : static_cast<int>(Qt::TextDontClip)),
      words ? QFontMetricsF(font, painter.device()).elidedText(text, Qt::ElideRight, room.width())
            : text);
}

void paint_heading(QPainter& painter, const QRectF& rect, const EventsLook& look,
                   EventColumn column, int sorted) {
  const QRectF room = rect.adjusted(look.pad, 0, -look.pad, 0);
  const bool right = is_right_aligned(column);
  painter.setFont(look.heading);
  painter.setPen(sorted != 0 ? look.ink : look.muted);
  QRectF text;
  painter.drawText(room,
                   static_cast<int>(Qt::AlignVCenter | (right ? Qt::AlignRight : Qt::AlignLeft)) |
                       Qt::TextSingleLine,
                   column_title(column), &text);
  if (sorted == 0) return;
  const double side = look.pad * 0.75;
  const double x = right ? text.left() - side - look.pad * 0.35 : text.right() + look.pad * 0.35;
  const double y = rect.center().y(), half = side * 0.35 * sorted;
  const QPointF mark[] = {{x, y + half}, {x + side, y + half}, {x + side / 2, y - half}};
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(look.accent);
  painter.drawPolygon(mark, 3);
  painter.restore();
}

QSize sheet_size(const EventsSheet& sheet) {
  int width = 2 * sheet.look.pad;
  for (const int column : sheet.widths) width += column;
  const int rows = std::max<int>(3, static_cast<int>(sheet.rows.size()));
  return {width, 2 * sheet.look.header_height + rows * sheet.look.row_height + sheet.look.pad};
}

void paint_sheet(QPainter& painter, const QRectF& bounds, const EventsSheet& sheet) {
  const EventsLook& look = sheet.look;
  painter.save();
  painter.setClipRect(bounds);
  painter.translate(bounds.topLeft());
  const double width = bounds.width(), pad = look.pad;
  const auto line = [&](double y) { painter.fillRect(QRectF(0, y - 1, width, 1), look.line); };

  // The first line has the title, the filter and the count.
  const QRectF top(pad * 2, 0, width - 4 * pad, look.header_height);
  painter.setFont(look.title);
  painter.setPen(look.ink);
  QRectF title;
  painter.drawText(top, Qt::AlignVCenter | Qt::AlignLeft, EventsModel::tr("Events"), &title);
  painter.setFont(look.text);
  painter.setPen(look.muted);
  QRectF count;
  painter.drawText(top, Qt::AlignVCenter | Qt::AlignRight, sheet.count, &count);
  const QRectF middle(title.right() + 2 * pad, 0, count.left() - title.right() - 4 * pad,
                      look.header_height);
  if (!sheet.filter.isEmpty() && middle.width() > 4 * pad)
    painter.drawText(middle, Qt::AlignVCenter | Qt::AlignLeft,
                     QFontMetricsF(look.text, painter.device())
                         .elidedText(sheet.filter, Qt::ElideRight, middle.width()));
  line(look.header_height);

  std::array<int, kEventColumns> widths = sheet.widths;
  std::vector<EventColumn> columns = fitting_columns(widths, static_cast<int>(width - 2 * pad));
  if (!sheet.numbered) std::erase(columns, EventColumn::kNumber);
  std::vector<QRectF> places;
  double x = pad;
  for (const EventColumn column : columns) {
    const bool last = column == EventColumn::kDetails;
    const double wide = last ? std::max(0.0, width - pad - x) : widths[place(column)];
    places.emplace_back(x, 0, wide, look.row_height);
    x += wide;
  }
  double y = look.header_height;
  for (size_t i = 0; i < columns.size(); ++i)
    paint_heading(painter, QRectF(places[i].x(), y, places[i].width(), look.header_height), look,
                  columns[i],
                  columns[i] != sheet.order.column ? 0
                  : sheet.order.descending         ? -1
                                                   : 1);
  y += look.header_height;
  line(y);
  if (sheet.rows.empty()) {
    painter.setFont(look.text);
    painter.setPen(look.muted);
    painter.drawText(QRectF(pad * 2, y, width - 4 * pad, look.row_height * 2.0),
                     Qt::AlignVCenter | Qt::AlignLeft | Qt::TextWordWrap, sheet.empty);
  }
  for (const EventCells& cells : sheet.rows) {
    if (y + look.row_height > bounds.height() + 0.5) break;
    for (size_t i = 0; i < columns.size(); ++i)
      paint_cell(painter, places[i].translated(0, y), look, cells, columns[i]);
    y += look.row_height;
    line(y);
  }
  painter.restore();
}

}  // namespace attn::gui
