// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/metrics/metrics_board.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "gui/models/text.h"
#include "gui/models/words/scenario_words.h"
#include "gui/theme/theme.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

constexpr int kMostColumns = 4;
constexpr double kCellWidth = 300, kCellHeight = 176;  // px at 100%

void draw_swatch(QPainter& painter, const QRectF& box, const SeriesLook& look, bool modelled) {
  const Theme& theme = Theme::instance();
  const double middle = box.center().y();
  painter.setPen(QPen(look.color, theme.line(1.5)));
  painter.setBrush(Qt::NoBrush);
  switch (look.mark) {
    case Mark::kFill:
    case Mark::kLightFill: {
      QColor fill = look.color;
      fill.setAlphaF(look.mark == Mark::kFill ? 0.45F : 0.2F);
      painter.setBrush(modelled ? theme.modelled_brush(theme.colors().surface) : QBrush(fill));
      painter.drawRect(box);
      return;
    }
    case Mark::kHollow:
      painter.setPen(QPen(look.color, theme.line(1)));
      painter.drawRect(box);
      return;
    case Mark::kDot:
      painter.setPen(Qt::NoPen);
      painter.setBrush(look.color);
      painter.drawEllipse(QPointF(box.center().x(), middle), 2.5, 2.5);
      return;
    default: {
      QPen pen(look.color, theme.line(1.5));
      if (look.mark == Mark::kDashed) pen.setDashPattern({4, 3});
      if (look.mark == Mark::kDotted) pen.setDashPattern({1, 2});
      painter.setPen(pen);
      painter.drawLine(QPointF(box.left(), middle), QPointF(box.right(), middle));
    }
  }
}

double draw_text(QPainter& painter, const QFont& font, const QColor& color, QPointF baseline,
                 const QString& text, double room) {
  const QString shown = elided_text(font, text, std::max(0.0, room));
  painter.setFont(font);
  painter.setPen(color);
  draw_line(painter, baseline, shown);
  return text_width(font, shown);
}

}  // namespace

MetricsGrid::MetricsGrid(double width, double height, const PictureLook& look)
    : columns_(std::clamp(static_cast<int>(width / look.px(kCellWidth)), 1, kMostColumns)),
      rows_((kCharts + columns_ - 1) / columns_),
      cell_width_(width / columns_),
      cell_height_(std::max<double>(look.px(kCellHeight), std::floor(height / rows_))),
      heading_(look.px(44)),
      gap_(look.px(4)) {}

QRectF MetricsGrid::cell(ChartKind kind) const {
  const int at = static_cast<int>(kind);
  return {std::floor((at % columns_) * cell_width_), (at / columns_) * cell_height_,
          std::floor(cell_width_), cell_height_};
}

QRectF MetricsGrid::chart(ChartKind kind) const {
  return cell(kind).adjusted(0, heading_, 0, -gap_);
}

void MetricsBoard::heading(QPainter& painter, ChartKind kind) const {
  const QRectF box = grid.cell(kind).adjusted(look.px(12), look.px(4), -look.px(12), 0);
  const QFontMetricsF bold(look.small_bold), small(look.small);
  double baseline = box.top() + bold.ascent() + look.px(2);
  double x = box.left();
  x += draw_text(painter, look.small_bold, look.colors.text, {x, baseline}, title_of(kind),
                 box.width()) +
       look.px(8);
  draw_text(painter, look.small, look.colors.muted, {x, baseline}, note_of(kind, model, index),
            box.right() - x);
  baseline += look.px(18);
  x = box.left();
  const bool modelled = model.modelled() && shows_time(kind);
  const std::vector<LegendEntry> entries = legend_of(kind, model, index);
  const QFontMetricsF mono(look.mono);
  double texts = 0;
  for (const LegendEntry& entry : entries)
    texts += text_width(look.small, entry.name) + look.px(4) + text_width(look.mono, entry.value);
  const bool tight = texts + static_cast<double>(entries.size()) * look.px(34) > box.width();
  const double swatch = look.px(tight ? 13 : 14), gap = look.px(tight ? 6 : 14);
  for (const LegendEntry& entry : entries) {
    draw_swatch(painter, QRectF(x, baseline - look.px(8), swatch, look.px(8)), entry.look,
                modelled);
    x += swatch + look.px(tight ? 4 : 6);
    x += draw_text(painter, look.small, look.colors.muted, {x, baseline}, entry.name, 1e4) +
         look.px(4);
    x += draw_text(painter, look.mono, look.colors.text, {x, baseline}, entry.value, 1e4) + gap;
  }
  if (kind == ChartKind::kMoves) lanes(painter);
}

void MetricsBoard::lanes(QPainter& painter) const {
  const QRectF plot = charts.plot().translated(grid.chart(ChartKind::kMoves).topLeft());
  const double height = plot.height() / kMoveLaneCount;
  painter.setFont(look.mono);
  for (int lane = 0; lane < kMoveLaneCount; ++lane) {
    const QString text = lane_text(kMoveLanes[lane], model, index, range.first, range.last);
    const double width = text_width(look.mono, text) + look.px(6);
    const QRectF box(plot.right() - width, plot.top() + lane * height + 1, width,
                     std::min<double>(height - 2, look.px(16)));
    painter.setPen(look.colors.muted);
    draw_line(painter, box, Qt::AlignCenter, text);
  }
  painter.setFont(look.small);
  for (int lane = 0; lane < kMoveLaneCount; ++lane) {
    const QRectF cell = grid.cell(ChartKind::kMoves);
    draw_line(painter,
              QRectF(cell.left(), plot.top() + lane * height,
                     plot.left() - cell.left() - look.px(6), height),
              Qt::AlignRight | Qt::AlignVCenter, name_of(kMoveLanes[lane]));
  }
}

void MetricsBoard::line_at(QPainter& painter, ChartKind kind, size_t at, const QPen& pen) const {
  const RunAxis axis = run_axis(model, range);
  const double value = axis_value(model, axis, range, at);
  if (value < axis.begin || value > axis.end) return;
  const QRectF plot = charts.plot().translated(grid.chart(kind).topLeft());
  const double x = plot.left() + (value - axis.begin) / (axis.end - axis.begin) * plot.width();
  painter.setPen(pen);
  painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
}

void MetricsBoard::overlay(QPainter& painter, ChartKind kind) const {
  heading(painter, kind);
  if (!is_over_run(kind)) return;
  if (line) line_at(painter, kind, index, QPen(look.colors.text, look.line(1)));
  if (cursor) {
    QPen pen(look.colors.accent, 2);
    pen.setDashPattern({3, 2});
    line_at(painter, kind, model.index_of_step(*cursor), pen);
  }
}
size_t told_index(const MetricsModel& model, std::optional<uint32_t> cursor) {
  if (model.empty()) return 0;
  return cursor ? model.index_of_step(*cursor) : model.size() - 1;
}

void paint_metrics(QPainter& painter, const QRectF& bounds, const MetricsModel& model,
                   const MetricsRange& range, std::optional<uint32_t> cursor) {
  const PictureLook look = PictureLook::read();
  painter.fillRect(bounds, look.colors.surface);
  if (model.empty()) {
    painter.setPen(look.colors.muted);
    draw_line(painter, bounds, Qt::AlignCenter, tr("No steps yet"));
    return;
  }
  const double head = look.px(28);
  MetricsCharts charts;
  // A page too small for the grid shows it smaller, down to about a tenth.
  double scale = 1;
  const auto fits = [&] {
    const double room = (bounds.height() - head) / scale;
    return MetricsGrid(bounds.width() / scale, room, look).height() <= room + 1;
  };
  while (scale > 0.1 && !fits()) scale *= 0.95;
  painter.save();
  painter.translate(bounds.topLeft());
  const Scenario* scenario = model.snapshot()->scenario.get();
  const QString title = scenario ? title_of(*scenario) : QString();
  QStringList words{title, time_words(model)};
  if (cursor) words << tr("numbers of step %1").arg(model.record(told_index(model, cursor)).step);
  words.removeAll(QString());
  double x = look.px(12);
  x +=
      draw_text(painter, look.title_bold, look.colors.text, {x, head - look.px(8)},
                tr("Metrics: %1")
                    .arg(counted(static_cast<int64_t>(model.size()), tr("1 step"), tr("%1 steps"))),
                bounds.width()) +
      look.px(12);
  draw_text(painter, look.small, look.colors.muted, {x, head - look.px(8)},
            words.join(QStringLiteral("  ·  ")), bounds.width() - x - look.px(12));
  painter.translate(0, head);
  painter.scale(scale, scale);
  const MetricsGrid places(bounds.width() / scale, (bounds.height() - head) / scale, look);
  const MetricsBoard board{model, charts, places, range, told_index(model, cursor), false, cursor};
  for (int i = 0; i < kCharts; ++i) {
    const auto kind = static_cast<ChartKind>(i);
    const QRectF place = board.grid.chart(kind);
    charts.set_size(place.size());
    charts.fill(kind, model, range);
    painter.save();
    painter.translate(place.topLeft());
    charts.draw(kind, painter);
    painter.restore();
    board.overlay(painter, kind);
  }
  painter.restore();
}

QSize metrics_picture_size() {
  const PictureLook look = PictureLook::read();
  return {look.px(kMostColumns * 330), look.px(28 + 2 * 250)};
}

}  // namespace attn::gui
