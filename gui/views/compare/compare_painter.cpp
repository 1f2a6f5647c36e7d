// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/compare/compare_painter.h"

#include <QFontMetricsF>
#include <QLinearGradient>
#include <algorithm>
#include <cmath>

#include "gui/models/text.h"
#include "gui/theme/theme.h"
#include "gui/views/compare/difference_image.h"
#include "gui/views/compare/table/compare_columns.h"
#include "gui/views/compare/wrapped_text.h"
#include "gui/widgets/figure/cell_image.h"
#include "gui/widgets/text/rule_words.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

constexpr double kFilePixels = 4;  // most dots per px of a map in a vector file

QString summary_of(const CompareScene& scene) {
  const CompareResult& result = *scene.model->result();
  QString text =
      tr("%1: %2, %3, %4, %5, %6; cache %7 in blocks of %8.")
          .arg(QString::fromStdString(result.title.empty() ? "run" : result.title),
               QString::fromStdString(result.source),
               counted(result.steps, tr("1 step"), tr("%1 steps")),
               counted(result.tokens, tr("1 token"), tr("%1 tokens")),
               result.layer < 0 ? counted(result.shape.num_layers, tr("1 layer"), tr("%1 layers"))
                                : tr("layer %1").arg(result.layer),
               QString::fromStdString(result.attention), QString::fromStdString(result.dtype),
               format_count(result.block_size));
  for (const std::string& note : result.notes)
    text += QLatin1Char(' ') + QString::fromStdString(note);
  text += QLatin1Char(' ');
  const QString baseline = QString::fromStdString(result.baseline);
  if (result.baseline.empty())
    text += tr("None of these backends can run it.");
  else if (std::ranges::count_if(result.columns, &CompareColumn::ran) == 1)
    text += tr("Only %1 ran, so nothing is compared.").arg(baseline);
  else
    text += tr("The backends that ran got the same queries, keys and values, and are compared with "
               "%1.")
                .arg(baseline);
  if (!result.ended_early.empty())
    text += QLatin1Char(' ') + QString::fromStdString(result.ended_early);
  if (!result.baseline.empty() && !result.modelled_time)
    text += QLatin1Char(' ') + scene.model->times_text();
  const auto differs = [](const CompareColumn& column) {
    return column.ran() && !column.is_baseline && column.out.max_abs > 0;
  };
  if (std::ranges::any_of(result.columns, differs))
    text += QLatin1Char(' ') + scene.model->why_digits_differ();
  return text;
}

QString refusal_of(const CompareColumn& column) {
  QString text = column.refused_at > 0 ? tr("Cannot go on from step %1:").arg(column.refused_at)
                                       : tr("Cannot run this:");
  for (const std::string& sentence : column.refusals)
    text += QStringLiteral("\n") + QString::fromStdString(sentence);
  return text;
}

QString warnings_of(const CompareColumn& column) {
  QString text;
  for (const std::string& sentence : column.warnings)
    text += (text.isEmpty() ? QString() : QStringLiteral("\n")) + QString::fromStdString(sentence);
  return text;
}

// Refusals of a column that stopped on its way, else its warnings. Empty if it did not run.
QString remark_of(const CompareColumn& column) {
  if (!column.ran()) return {};
  if (!column.refusals.empty()) return refusal_of(column);
  return warnings_of(column);
}

void lay_out_rows(const CompareScene& scene, const PictureLook& look, double left, double width,
                  CompareLayout& layout) {
  const CompareModel& model = *scene.model;
  const double line = QFontMetricsF(look.small).height(), inset = look.px(6);
  double top = layout.head_top + layout.head_height;
  for (int row = 0; row < model.rowCount(); ++row) {
    const bool main_number =
        model.rows()[static_cast<size_t>(row)].quantity == CompareModel::Quantity::kOutAbs;
    const double number = main_number ? look.px(21) : line;
    double height =
        std::max(number, wrapped_height(look.small, model.headerData(row, Qt::Vertical).toString(),
                                        layout.names - inset));
    for (int column = 0; column < model.columnCount(); ++column) {
      const QString detail = model.index(row, column).data(CompareModel::kDetailRole).toString();
      if (!detail.isEmpty())
        height = std::max(
            height, number + wrapped_height(
                                 look.small, detail,
                                 layout.columns[static_cast<size_t>(column)].width() - 2 * inset));
    }
    if (model.index(row, 0).data(CompareModel::kModelledRole).toBool()) height += look.px(4);
    if (model.rows()[static_cast<size_t>(row)].quantity == CompareModel::Quantity::kTime &&
        model.result()->repetitions > 1)
      height += look.px(6);
    bool has_bar = false;
    for (int column = 0; column < model.columnCount(); ++column) {
      const QModelIndex cell = model.index(row, column);
      has_bar = has_bar || (cell.data(CompareModel::kShareRole).isValid() &&
                            !cell.data(CompareModel::kModelledRole).toBool());
    }
    if (has_bar && model.rows()[static_cast<size_t>(row)].quantity != CompareModel::Quantity::kTime)
      height += look.px(4);
    layout.rows.emplace_back(left, top, width, std::ceil(height + look.px(6)));
    top = layout.rows.back().bottom();
  }
  // The last row grows until the refusals of a column that did not run fit.
  for (size_t column = 0; column < layout.columns.size(); ++column) {
    const CompareColumn& what = model.result()->columns[column];
    const double needed = what.ran() ? 0
                                     : wrapped_height(look.small, refusal_of(what),
                                                      layout.columns[column].width() - 2 * inset) +
                                           inset;
    const double there = top - layout.head_top - layout.head_height;
    if (!layout.rows.empty() && needed > there) {
      layout.rows.back().setHeight(layout.rows.back().height() + needed - there);
      top += needed - there;
    }
  }
  for (QRectF& column : layout.columns) {
    column.setTop(layout.head_top);
    column.setBottom(top);
  }
}

constexpr double kLeftAxis = 52, kLegend = 150;

double bottom_axis(const PictureLook& look) {
  return 2 * QFontMetricsF(look.small).height() + look.px(8);
}

bool wants_map(const CompareScene& scene, size_t column) {
  const CompareColumn& what = scene.model->result()->columns[column];
  return column < scene.maps.size() && what.ran() && !what.is_baseline;
}

// reduced: a pixel of the map shows several cells.
QString largest_words(const DifferenceMap& map, bool reduced) {
  if (map.max_row < 0) return tr("no difference");
  return tr("largest %1 at row %2, %3 %4%5")
      .arg(CompareModel::difference_text(map.max_abs), format_count(map.max_row),
           map.kind == DifferenceMap::Kind::kWeights ? tr("key") : tr("head"),
           format_count(map.max_column),
           reduced ? tr("; each pixel the largest of its cells") : QString());
}

// The height of the words below the name of a map in a column of this width.
double words_height(const DifferenceMap& map, const PictureLook& look, double width) {
  const bool may_reduce = std::max<double>(map.columns, map.rows) > width / 2;
  return wrapped_height(look.small, largest_words(map, may_reduce), width - look.px(12));
}

// Places one map with its caption, and room for both axes, in `area`; without values, the caption
// alone. A map of weights is square. words: the height below the name.
void place_map(const CompareScene& scene, const PictureLook& look, size_t column,
               const QRectF& area, double words, CompareLayout& layout) {
  const DifferenceMap& map = scene.maps[column];
  const double line = QFontMetricsF(look.small).height();
  layout.captions[column] =
      QRectF(area.left(), area.top(), area.width(), line + words + look.px(4));
  if (map.values.empty()) return;
  const QRectF cells = area.adjusted(look.px(kLeftAxis), layout.captions[column].height(),
                                     -look.px(12), -bottom_axis(look));
  const double side = std::max(20.0, std::min(cells.width(), cells.height()));
  const bool square = map.kind == DifferenceMap::Kind::kWeights;
  layout.maps[column] =
      QRectF(cells.left(), cells.top(), square ? side : std::min(cells.width(), 1.6 * side),
             square ? side : std::max(20.0, cells.height()));
}

void lay_out_maps(const CompareScene& scene, const PictureLook& look, const QRectF& area,
                  CompareLayout& layout) {
  const double line = QFontMetricsF(look.small).height();
  layout.captions.resize(layout.columns.size());
  layout.maps.resize(layout.columns.size());
  std::vector<size_t> wanted;
  for (size_t column = 0; column < layout.columns.size(); ++column)
    if (wants_map(scene, column)) wanted.push_back(column);
  layout.map_title = QRectF(area.left(), area.top(), area.width(), line);
  if (wanted.empty()) return;
  const double top = area.top() + line + look.px(8);
  layout.legend = QRectF(area.left(), top, look.px(kLegend) - look.px(16), area.bottom() - top);
  const QRectF room(area.left() + look.px(kLegend), top, area.width() - look.px(kLegend),
                    area.bottom() - top);
  const size_t across =
      wanted.size() == 1 || room.width() > 1.2 * room.height() ? wanted.size() : 1;
  const size_t rows = (wanted.size() + across - 1) / across;
  const double width = room.width() / static_cast<double>(across),
               height = room.height() / static_cast<double>(rows);
  double words = line;
  for (const size_t column : wanted)
    words = std::max(words, words_height(scene.maps[column], look, width));
  for (size_t i = 0; i < wanted.size(); ++i)
    place_map(scene, look, wanted[i],
              QRectF(room.left() + static_cast<double>(i % across) * width,
                     room.top() + static_cast<double>(i / across) * height, width, height),
              words, layout);
}

void paint_head(QPainter& painter, const CompareScene& scene, const CompareLayout& layout,
                const PictureLook& look, size_t column) {
  const CompareColumn& what = scene.model->result()->columns[column];
  const QRectF& area = layout.columns[column];
  const double inset = look.px(kColumnInset), line = QFontMetricsF(look.title_bold).height();
  // Covers the lines of rows under the refusals.
  if (!what.ran())
    painter.fillRect(area.adjusted(0, layout.head_height, 0, 0), look.colors.surface);
  const QRectF head(area.left() + inset, layout.head_top, area.width() - 2 * inset,
                    line * static_cast<double>(layout.heading_lines) + look.px(8));
  painter.setFont(look.title_bold);
  painter.setPen(look.colors.text);
  // The last lines of all names are side by side.
  const std::vector<QString>& name = layout.headings[column];
  double y = head.bottom() - look.px(4) - line * static_cast<double>(name.size());
  for (const QString& part : name) {
    draw_line(painter, QRectF(head.left(), y, head.width(), line),
              Qt::AlignRight | Qt::AlignVCenter, elided_text(look.title_bold, part, head.width()));
    y += line;
  }
  painter.setFont(look.small);
  painter.setPen(look.colors.warning);
  painter.drawText(QRectF(head.left(), head.bottom(), head.width(),
                          layout.head_top + layout.head_height - head.bottom()),
                   Qt::AlignRight | Qt::AlignTop | Qt::TextWordWrap, remark_of(what));
  if (what.ran()) return;
  painter.setPen(look.colors.bad);
  painter.drawText(QRectF(area.left() + inset, layout.head_top + layout.head_height + inset,
                          area.width() - 2 * inset, area.bottom()),
                   kWrap, breakable(refusal_of(what)));
}

void paint_cell(QPainter& painter, const CompareScene& scene, const CompareLayout& layout,
                const PictureLook& look, int row, int column) {
  const QModelIndex index = scene.model->index(row, column);
  const double inset = look.px(6);
  const QRectF cell = layout.cell(static_cast<size_t>(row), static_cast<size_t>(column))
                          .adjusted(inset, look.px(3), -inset, 0);
  const auto quantity = scene.model->rows()[static_cast<size_t>(row)].quantity;
  if (const QVariant share = index.data(CompareModel::kShareRole); share.isValid()) {
    const bool total = quantity == CompareModel::Quantity::kTime;
    const bool modelled = index.data(CompareModel::kModelledRole).toBool();
    const double thick = look.px(modelled ? 5 : 3);  // a hatched bar has to be thicker
    const QRectF bar(cell.left(), cell.bottom() - look.px(1) - thick,
                     std::max(1.0, cell.width() * share.toDouble()), thick);
    if (modelled)
      painter.fillRect(bar, Theme::instance().modelled_brush(look.colors.muted));
    else
      painter.fillRect(bar, total ? look.colors.accent : look.colors.muted);
    if (const QVariant spread = index.data(CompareModel::kSpreadRole); spread.isValid()) {
      // An arrow marks an end beyond the cell.
      const QPointF ends = spread.toPointF();
      const auto place = [&](double part) {
        return cell.left() + cell.width() * std::min(1.0, part);
      };
      const double from = place(ends.x()), to = place(ends.y()), y = bar.center().y();
      painter.setPen(QPen(look.colors.text, 1));
      painter.drawLine(QPointF(from, y), QPointF(to, y));
      for (const double end : {ends.x(), ends.y()}) {
        const double x = place(end), head = look.px(3);
        if (end <= 1) {
          painter.drawLine(QPointF(x, bar.top() - 1), QPointF(x, bar.bottom() + 1));
        } else {
          painter.drawLine(QPointF(x, y), QPointF(x - head, y - head));
          painter.drawLine(QPointF(x, y), QPointF(x - head, y + head));
        }
      }
    }
  }
  QColor color = look.colors.text;
  const QString text = index.data().toString();
  if (const QVariant verdict = index.data(CompareModel::kVerdictRole); verdict.isValid())
    color = verdict.toBool() ? look.colors.good : look.colors.bad;
  QFont font = look.mono;
  const bool main_number = quantity == CompareModel::Quantity::kOutAbs;
  if (main_number) font.setPixelSize(look.px(15));
  font.setBold(main_number);
  if (!main_number && text_width(font, text) > cell.width()) font = look.small;
  if (const double width = text_width(font, text); width > cell.width()) {
    const double least = 0.7 * font.pixelSize();
    font.setPixelSize(qFloor(std::max(least, font.pixelSize() * cell.width() / width)));
  }
  const double line = QFontMetricsF(font).height();
  painter.setFont(font);
  painter.setPen(color);
  draw_line(painter, QRectF(cell.left(), cell.top(), cell.width(), line),
            Qt::AlignRight | Qt::AlignVCenter, elided_text(font, text, cell.width()));
  const QString detail = index.data(CompareModel::kDetailRole).toString();
  if (detail.isEmpty()) return;
  painter.setFont(look.small);
  painter.setPen(color == look.colors.text ? look.colors.muted : color);
  painter.drawText(QRectF(cell.left(), cell.top() + line, cell.width(), cell.height() - line),
                   Qt::AlignRight | Qt::AlignTop | Qt::TextWordWrap, detail);
}

void paint_table(QPainter& painter, const CompareScene& scene, const CompareLayout& layout,
                 const PictureLook& look) {
  const CompareModel& model = *scene.model;
  for (size_t column = 0; column < layout.columns.size(); ++column)
    if (model.result()->columns[column].is_baseline)
      painter.fillRect(layout.columns[column], look.colors.raised);
  painter.setPen(QPen(look.colors.line, 1));
  for (const QRectF& row : layout.rows) painter.drawLine(row.topLeft(), row.topRight());
  for (size_t column = 0; column < layout.columns.size(); ++column)
    paint_head(painter, scene, layout, look, column);
  for (int row = 0; row < model.rowCount(); ++row) {
    const QRectF& area = layout.rows[static_cast<size_t>(row)];
    const auto quantity = model.rows()[static_cast<size_t>(row)].quantity;
    const bool kernel = quantity == CompareModel::Quantity::kKernel ||
                        quantity == CompareModel::Quantity::kOutsideKernels;
    painter.setFont(look.small);
    painter.setPen(kernel ? look.colors.muted : look.colors.text);
    const double indent = kernel ? look.px(12) : 0;
    painter.drawText(
        area.adjusted(indent, look.px(3), 0, 0)
            .intersected(QRectF(area.left(), area.top(), layout.names - look.px(6), area.height())),
        kWrap, breakable(model.headerData(row, Qt::Vertical).toString()));
    for (int column = 0; column < model.columnCount(); ++column)
      if (model.result()->columns[static_cast<size_t>(column)].ran())
        paint_cell(painter, scene, layout, look, row, column);
  }
  if (scene.focused && scene.row >= 0 && scene.row < model.rowCount() &&
      scene.column < model.columnCount()) {
    painter.setPen(QPen(look.colors.accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(layout.cell(static_cast<size_t>(scene.row), static_cast<size_t>(scene.column))
                         .adjusted(1, 1, -1, -1));
  }
}

void paint_axes(QPainter& painter, const DifferenceMap& map, const QRectF& area,
                const PictureLook& look) {
  const QFontMetricsF metrics(look.small);
  const double line = metrics.height(), gap = look.px(4);
  painter.setFont(look.small);
  painter.setPen(look.colors.muted);
  const auto every = [&](double pixels, int64_t count, double room) {
    return label_every(pixels / static_cast<double>(count), room);
  };
  const double cell_h = area.height() / static_cast<double>(map.rows);
  const double cell_w = area.width() / static_cast<double>(map.columns);
  for (int64_t row = 0; row < map.rows; row += every(area.height(), map.rows, line * 1.5)) {
    const double y = area.top() + (static_cast<double>(row) + 0.5) * cell_h;
    draw_line(painter, QRectF(area.left() - look.px(36), y - line / 2, look.px(32), line),
              Qt::AlignRight | Qt::AlignVCenter, format_count(row));
  }
  const double widest = text_width(look.small, format_count(map.columns)) + 2 * gap;
  for (int64_t key = 0; key < map.columns; key += every(area.width(), map.columns, widest)) {
    const double x = area.left() + (static_cast<double>(key) + 0.5) * cell_w;
    draw_line(painter, QRectF(x - widest / 2, area.bottom() + 2, widest, line), Qt::AlignCenter,
              format_count(key));
  }
  painter.setPen(look.colors.text);
  const bool weights = map.kind == DifferenceMap::Kind::kWeights;
  draw_line(painter, QRectF(area.left(), area.bottom() + line + 2, area.width(), line),
            Qt::AlignCenter,
            elided_text(look.small,
                        !weights                        ? tr("head")
                        : map.cross || map.rule.encoder ? tr("encoder's key (is read)")
                                                        : tr("key (is read)"),
                        area.width()));
  painter.save();
  painter.translate(area.left() - look.px(kLeftAxis), area.center().y());
  painter.rotate(-90);
  // A longer name could reach the caption of another map.
  const QString names[] = {tr("query row (reads)"), tr("query"), QString()};
  draw_line(painter, QRectF(-look.px(100), 0, look.px(200), line), Qt::AlignCenter,
            *std::ranges::find_if(names, [&](const QString& name) {
              return text_width(look.small, name) <= area.height();
            }));
  painter.restore();
}

void paint_map(QPainter& painter, const CompareScene& scene, const CompareLayout& layout,
               const PictureLook& look, size_t column) {
  const QRectF& caption_area = layout.captions[column];
  if (caption_area.isEmpty()) return;
  const DifferenceMap& map = scene.maps[column];
  const QRectF& area = layout.maps[column];
  const double line = QFontMetricsF(look.small).height();
  painter.setFont(look.small_bold);
  painter.setPen(look.colors.text);
  draw_line(painter, QRectF(caption_area.left(), caption_area.top(), caption_area.width(), line),
            Qt::AlignLeft | Qt::AlignVCenter,
            QString::fromStdString(scene.model->result()->columns[column].display_name));
  painter.setFont(look.small);
  if (area.isEmpty()) {
    painter.setPen(look.colors.muted);
    painter.drawText(QRectF(caption_area.left(), caption_area.top() + line,
                            caption_area.width() - look.px(12), look.px(120)),
                     kWrap, breakable(QString::fromStdString(map.why)));
    return;
  }
  painter.fillRect(area, look.colors.surface);
  if (map.kind == DifferenceMap::Kind::kWeights)
    painter.fillRect(area, QBrush(look.colors.hatch, Qt::BDiagPattern));
  const double ratio =
      keeps_drawings(painter) ? kFilePixels : painter.device()->devicePixelRatioF();
  const int width =
      static_cast<int>(std::min<double>(area.width() * ratio, static_cast<double>(map.columns)));
  const int height =
      static_cast<int>(std::min<double>(area.height() * ratio, static_cast<double>(map.rows)));
  paint_cells(painter, area, difference_image(map, width, height, look),
              kMostRects / std::ssize(scene.maps));
  painter.setPen(QPen(look.colors.line, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(area);
  paint_axes(painter, map, area, look);
  const auto mark = [&](int64_t row, int64_t key, const QColor& color) {
    if (row < 0) return;
    const double w = area.width() / static_cast<double>(map.columns),
                 h = area.height() / static_cast<double>(map.rows);
    const QRectF cell(area.left() + static_cast<double>(key) * w,
                      area.top() + static_cast<double>(row) * h, w, h);
    painter.setPen(QPen(color, 2));
    painter.drawRect(cell.adjusted(-2, -2, 2, 2));
  };
  mark(map.max_row, map.max_column, look.colors.text);
  if (scene.cell.column == static_cast<int>(column))
    mark(scene.cell.row, scene.cell.key, look.colors.accent);
  painter.setPen(look.colors.text);
  const bool reduced = width < map.columns || height < map.rows;
  painter.setFont(look.small);
  painter.drawText(caption_area.adjusted(0, line, -look.px(12), 0), kWrap,
                   largest_words(map, reduced));
}

void paint_legend(QPainter& painter, const CompareScene& scene, const CompareLayout& layout,
                  const PictureLook& look) {
  const auto shown = std::find_if(scene.maps.begin(), scene.maps.end(),
                                  [](const DifferenceMap& map) { return !map.values.empty(); });
  if (layout.legend.isEmpty() || shown == scene.maps.end()) return;
  const bool is_signed = shown->kind == DifferenceMap::Kind::kWeights;
  const double line = QFontMetricsF(look.small).height();
  const QRectF area = layout.legend;
  painter.setFont(look.small);
  painter.setPen(look.colors.text);
  const QString baseline = QString::fromStdString(scene.model->result()->baseline);
  const QString what =
      is_signed ? tr("weight − weight of %1").arg(baseline)
                : tr("largest |output − output of %1| in the row of a head").arg(baseline);
  const double words = wrapped_height(look.small, what, area.width());
  painter.drawText(QRectF(area.left(), area.top(), area.width(), words), kWrap, breakable(what));
  QRectF strip(area.left(), area.top() + words + look.px(10), look.px(14),
               std::min(look.px(120) * 1.0, area.height() - words - 2 * line - look.px(20)));
  QLinearGradient colors(strip.topLeft(), strip.bottomLeft());
  for (int i = 0; i <= 16; ++i) {
    const double share = is_signed ? 1 - i / 8.0 : 1 - i / 16.0;
    colors.setColorAt(i / 16.0, difference_color(share, look));
  }
  painter.fillRect(strip, colors);
  painter.setPen(QPen(look.colors.line, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(strip);
  painter.setFont(look.mono);
  painter.setPen(look.colors.text);
  const auto tick = [&](double at, const QString& text) {
    const double y = strip.top() + at * strip.height();
    painter.drawLine(QPointF(strip.right(), y), QPointF(strip.right() + 4, y));
    draw_line(painter, QRectF(strip.right() + look.px(8), y - line / 2, area.width(), line),
              Qt::AlignLeft | Qt::AlignVCenter, text);
  };
  // Each map has its own scale, and its caption names the end. If there is only one map, the legend
  // names the end, too.
  const bool one = std::ranges::count_if(scene.maps, [](const DifferenceMap& map) {
                     return !map.values.empty();
                   }) == 1;
  const float largest = shown->max_abs;
  const QString end = one ? CompareModel::difference_text(largest) : tr("largest");
  const bool has_sign = is_signed && (!one || largest > 0);
  tick(0, has_sign ? QStringLiteral("+") + end : end);
  // On a square root scale a quarter of the largest is halfway between 0 and the largest.
  if (largest > 0 && strip.height() > 5 * line)
    tick(is_signed ? 0.25 : 0.5,
         one ? CompareModel::difference_text(largest / 4) : tr("largest / 4"));
  if (is_signed) {
    tick(0.5, QStringLiteral("0"));
    tick(1, has_sign ? QStringLiteral("−") + end : end);
  } else {
    tick(1, QStringLiteral("0"));
  }
  painter.setFont(look.small);
  double y = strip.bottom() + look.px(10);
  draw_line(painter, QRectF(area.left(), y, area.width(), line), Qt::AlignLeft | Qt::AlignVCenter,
            tr("square root scale"));
  if (!one) {
    y += line + look.px(2);
    const QString own = tr("largest: each picture has its own, see its caption");
    const double height = wrapped_height(look.small, own, area.width());
    painter.drawText(QRectF(area.left(), y, area.width(), height), kWrap, breakable(own));
    y += height - line;
  }
  if (!is_signed || mask_words(shown->rule).isEmpty()) return;
  y += line + look.px(2);
  const QRectF box(area.left(), y + 1, look.px(14), line - 2);
  painter.fillRect(box, QBrush(look.colors.hatch, Qt::BDiagPattern));
  painter.setPen(QPen(look.colors.line, 1));
  painter.drawRect(box);
  painter.setPen(look.colors.text);
  draw_line(painter, QRectF(box.right() + look.px(8), y, area.width(), line),
            Qt::AlignLeft | Qt::AlignVCenter, tr("masked"));
}

}  // namespace

CompareLayout lay_out(const CompareScene& scene, const QRectF& bounds, const PictureLook& look) {
  CompareLayout layout;
  layout.bounds = bounds;
  layout.height = bounds.height();
  if (!scene.model || !scene.model->result()) return layout;
  const CompareModel& model = *scene.model;
  const double pad = look.px(12);
  const double width = bounds.width() - 2 * pad;
  layout.summary = QRectF(bounds.left() + pad, bounds.top() + look.px(8), width,
                          wrapped_height(look.small, summary_of(scene), width));
  layout.note = QRectF(layout.summary.left(), layout.summary.bottom(), width,
                       wrapped_height(look.small, scene.note, width));
  layout.head_top = layout.note.bottom() + look.px(8);
  const auto count = static_cast<double>(model.columnCount());
  const bool beside = bounds.width() >= look.px(1000);
  const CompareColumns columns = compare_columns(
      model, look, beside ? std::min(0.56 * width, look.px(150 + 320 * count) * 1.0) : width,
      beside ? 0.7 * width : width);
  const double table = columns.table;
  layout.names = columns.names;
  layout.headings = columns.headings;
  layout.heading_lines = columns.most_lines;
  double remarks = 0, left = bounds.left() + pad + layout.names;
  for (size_t i = 0; i < columns.widths.size(); ++i) {
    layout.columns.emplace_back(left, layout.head_top, columns.widths[i], 0);
    left += columns.widths[i];
    remarks = std::max(remarks, wrapped_height(look.small, remark_of(model.result()->columns[i]),
                                               columns.widths[i] - 2 * look.px(kColumnInset)));
  }
  layout.head_height =
      QFontMetricsF(look.title_bold).height() * static_cast<double>(layout.heading_lines) +
      look.px(10) + remarks;
  lay_out_rows(scene, look, bounds.left() + pad, table, layout);
  const double table_bottom = layout.rows.empty() ? layout.head_top : layout.rows.back().bottom();
  QRectF maps(bounds.left() + pad, table_bottom + look.px(12), width, 0);
  if (beside) {
    const double gap = look.px(28);
    maps = QRectF(bounds.left() + pad + table + gap, layout.head_top, width - table - gap,
                  bounds.bottom() - pad - layout.head_top);
    maps.setHeight(std::max(maps.height(), look.px(260) * 1.0));
  } else {
    maps.setHeight(std::max(bounds.bottom() - pad - maps.top(), look.px(280) * 1.0));
  }
  lay_out_maps(scene, look, maps, layout);
  const bool any = std::any_of(layout.captions.begin(), layout.captions.end(),
                               [](const QRectF& caption) { return !caption.isEmpty(); });
  layout.height = std::max(table_bottom, any ? maps.bottom() : 0.0) + pad - bounds.top();
  return layout;
}

void paint_compare(QPainter& painter, const CompareScene& scene, const CompareLayout& layout,
                   const PictureLook& look) {
  QRectF ground = layout.bounds;
  ground.setHeight(std::max(ground.height(), layout.height));
  paint_surface(painter, ground, look.colors.surface);
  if (!scene.model || !scene.model->result()) return;
  painter.setFont(look.small);
  painter.setPen(look.colors.muted);
  painter.drawText(layout.summary, kWrap, breakable(summary_of(scene)));
  if (!scene.note.isEmpty()) {
    painter.setPen(look.colors.warning);
    painter.drawText(layout.note, kWrap, breakable(scene.note));
  }
  paint_table(painter, scene, layout, look);
  if (std::all_of(layout.captions.begin(), layout.captions.end(),
                  [](const QRectF& caption) { return caption.isEmpty(); }))
    return;
  painter.setFont(look.small_bold);
  painter.setPen(look.colors.text);
  draw_line(painter, layout.map_title, Qt::AlignLeft | Qt::AlignVCenter,
            elided_text(look.small_bold, scene.map_title, layout.map_title.width()));
  for (size_t column = 0; column < layout.maps.size() && column < scene.maps.size(); ++column)
    paint_map(painter, scene, layout, look, column);
  paint_legend(painter, scene, layout, look);
}

std::optional<CompareScene::Cell> map_cell_at(const CompareScene& scene,
                                              const CompareLayout& layout, const QPointF& point) {
  for (size_t column = 0; column < layout.maps.size(); ++column) {
    const QRectF& area = layout.maps[column];
    if (area.isEmpty() || !area.contains(point)) continue;
    const DifferenceMap& map = scene.maps[column];
    const auto part = [](double at, double length, int64_t count) {
      return std::clamp<int64_t>(static_cast<int64_t>(at / length * static_cast<double>(count)), 0,
                                 count - 1);
    };
    return CompareScene::Cell{static_cast<int>(column),
                              part(point.y() - area.top(), area.height(), map.rows),
                              part(point.x() - area.left(), area.width(), map.columns)};
  }
  return std::nullopt;
}

QString cell_sentence(const CompareScene& scene, const CompareScene::Cell& cell) {
  if (cell.column < 0 || cell.column >= static_cast<int>(scene.maps.size())) return {};
  const DifferenceMap& map = scene.maps[static_cast<size_t>(cell.column)];
  if (cell.row < 0 || cell.row >= map.rows || cell.key < 0 || cell.key >= map.columns) return {};
  const bool weights = map.kind == DifferenceMap::Kind::kWeights;
  const QString place = weights ? tr("row %1, key %2").arg(cell.row).arg(cell.key)
                                : tr("row %1, head %2").arg(cell.row).arg(cell.key);
  if (map.masked(cell.row, cell.key)) return tr("%1: masked").arg(place);
  const double value = map.values[static_cast<size_t>(cell.row * map.columns + cell.key)];
  return QStringLiteral("%1: %2").arg(place,
                                      (value > 0 && weights ? QStringLiteral("+") : QString()) +
                                          CompareModel::difference_text(value));
}

}  // namespace attn::gui
