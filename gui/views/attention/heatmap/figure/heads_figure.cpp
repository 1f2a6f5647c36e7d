// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heatmap/figure/heads_figure.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <vector>

#include "gui/models/text.h"
#include "gui/widgets/color_bar.h"
#include "gui/widgets/figure/cell_image.h"
#include "gui/widgets/text/rule_words.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/wrapped_lines.h"

namespace attn::gui {
namespace {

struct FigureWords {
  Q_DECLARE_TR_FUNCTIONS(HeadsFigure)
};

// px at 100%, width of one head if no width is given: in a figure of one layer, and of all layers
constexpr double kPanel = 200, kSmallPanel = 96;
// px: the least width of a figure whose width is given.
constexpr double kNarrowestFigure = 480;

struct Layout {
  int64_t columns = 1, rows = 1;
  double width = 0, height = 0;
  double pad = 0, gap = 0, title = 0, legend = 0;
  double line = 0;
  double axis = 0, names = 0;
  std::vector<QString> title_lines;
  double step_x() const { return width + gap; }
  double step_y() const { return line + height + gap; }
  QSizeF size() const {
    return {2 * pad + names + static_cast<double>(columns) * step_x() - gap + legend,
            2 * pad + title + axis + static_cast<double>(rows) * step_y() - gap};
  }
};

int64_t num_heads(const HeatmapScene& scene) {
  return scene.head.record->shape().num_heads;
}

// Most dots on a side; in larger matrices a dot is the largest of several cells.
int64_t most_cells(const HeatmapScene& scene) {
  return scene.figure.all_layers ? 256 : 512;
}

int64_t cells_of_a_dot(const HeatmapScene& scene) {
  const int64_t most = most_cells(scene);
  return (std::max(scene.rows(), scene.columns()) + most - 1) / most;
}

QString layer_number(const HeatmapScene& scene, int64_t layer) {
  return scene.head.is_encoder() ? FigureWords::tr("E%1").arg(layer) : QString::number(layer);
}

QString what_is_drawn(const HeatmapScene& scene) {
  const int64_t heads = num_heads(scene), all = scene.head.record->shape().num_layers;
  if (!scene.figure.all_layers)
    return FigureWords::tr("layer %1, all %2 heads")
        .arg(layer_words(scene.head.layer, scene.head.is_encoder()))
        .arg(heads);
  const auto layers = std::ssize(layers_alike(scene));
  if (layers == all) return FigureWords::tr("all %1 layers, all %2 heads").arg(all).arg(heads);
  // In a model with an encoder and a decoder not all layers read the same tokens.
  return FigureWords::tr("%1 of %2 layers, those that read the same tokens, all %3 heads")
      .arg(layers)
      .arg(all)
      .arg(heads);
}

std::vector<QString> title_lines_of(const HeatmapScene& scene, double room) {
  const HeatmapTitle title = heads_title(scene);
  return figure_title_lines(scene.look.title_bold, scene.figure.title_or(title.full),
                            scene.figure.title_or(title.brief), room);
}

// panel: the width of the cells of one head; 0: such that the whole figure is `all` wide, but at
// least 16.
Layout lay_out(const HeatmapScene& scene, double panel, double all) {
  const PictureLook& look = scene.look;
  Layout layout;
  const int64_t heads = num_heads(scene);
  layout.pad = look.px(12);
  const double line = QFontMetricsF(look.small).height() + look.px(2);
  if (scene.figure.all_layers) {
    const std::vector<int64_t> layers = layers_alike(scene);
    layout.columns = heads;
    layout.rows = std::ssize(layers);
    layout.gap = look.px(4);
    layout.axis = 2 * line;
    layout.names = line + text_width(look.small, layer_number(scene, layers.back())) + look.px(6);
  } else {
    layout.columns = static_cast<int64_t>(std::ceil(std::sqrt(static_cast<double>(heads))));
    layout.rows = (heads + layout.columns - 1) / layout.columns;
    layout.gap = look.px(12);
    layout.line = line;
  }
  if (scene.figure.legend) layout.legend = look.px(124);
  const auto columns = static_cast<double>(layout.columns);
  layout.width = panel > 0 ? panel
                           : std::max(16.0, (all - layout.legend - 2 * layout.pad - layout.names -
                                             (columns - 1) * layout.gap) /
                                                columns);
  const double shape = static_cast<double>(std::max<int64_t>(1, scene.rows())) /
                       static_cast<double>(std::max<int64_t>(1, scene.columns()));
  layout.height = layout.width * std::clamp(shape, 0.25, 4.0);
  if (scene.figure.title) {
    layout.title_lines = title_lines_of(scene, layout.size().width() - 2 * layout.pad);
    layout.title = look.px(32) + look.px(20) * static_cast<double>(layout.title_lines.size() - 1);
  }
  return layout;
}

// One pixel per cell, or per block of cells; masked cells are transparent.
QImage cells_of(const HeatmapScene& scene, int64_t layer, int64_t head) {
  const AttentionRecord& record = *scene.head.record;
  const int64_t rows = scene.rows(), keys = scene.columns(), block = cells_of_a_dot(scene);
  const WeightRule& rule = record.shape().rules.of(layer);
  HeadRef one = scene.head;
  one.layer = layer;
  one.head = head;
  one.combine = {};
  QImage image(static_cast<int>((keys + block - 1) / block),
               static_cast<int>((rows + block - 1) / block), QImage::Format_ARGB32);
  image.fill(Qt::transparent);
  const ColorTable& colors = color_table(scene.map);
  std::vector<float> weights(static_cast<size_t>(keys)),
      largest(static_cast<size_t>(image.width()));
  for (int y = 0; y < image.height(); ++y) {
    std::ranges::fill(largest, kMaskedCell);
    for (int64_t q = y * block; q < std::min(rows, (y + 1) * block); ++q) {
      const bool done =
          q < record.num_rows() && !scene.came_later(q) && record.row_done(layer, head, q);
      if (done) record.weights(layer, head, q, 1, 0, keys, weights.data());
      const KeySpan seen = rule.span(q, keys);
      for (int64_t k = seen.begin; k < seen.end; ++k) {
        if (rule.has_holes() && !one.sees(q, k)) continue;
        float& entry = largest[static_cast<size_t>(k / block)];
        const float value = done ? weights[static_cast<size_t>(k)] : kNotComputedCell;
        if (!is_value(entry) || std::isnan(value) || value > entry) entry = value;
      }
    }
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (size_t x = 0; x < largest.size(); ++x) {
      const float value = largest[x];
      if (value == kNotComputedCell)
        line[x] = scene.look.colors.raised.rgb();
      else if (std::isnan(value))
        line[x] = scene.look.colors.not_a_number.rgb();
      else if (is_value(value))
        line[x] = colors[static_cast<size_t>(scene.scale.index(static_cast<double>(value)))];
    }
  }
  return image;
}

void paint_legend(QPainter& painter, const HeatmapScene& scene, const QRectF& room) {
  const PictureLook& look = scene.look;
  ColorBar bar;
  bar.map = scene.map;
  bar.scale = scene.scale;
  bar.quantity = FigureWords::tr("weight");
  bar.marked = -1;
  const QRectF strip(room.left(), room.top(), room.width(),
                     std::min<double>(room.height(), look.px(160)));
  paint_color_bar(painter, strip, bar, look);
  QStringList lines{FigureWords::tr("down: query token"), FigureWords::tr("across: key token")};
  const int64_t block = cells_of_a_dot(scene);
  if (block > 1) lines << FigureWords::tr("each dot = max of %1 × %1 cells").arg(block);
  const QString masked = mask_words(scene.head.record->shape().rules);
  if (!masked.isEmpty()) lines << FigureWords::tr("hatched = %1").arg(masked);
  painter.setFont(look.small);
  painter.setPen(look.colors.muted);
  painter.drawText(QRectF(room.left(), strip.bottom() + look.px(8), room.width(),
                          std::max(0.0, room.bottom() - strip.bottom() - look.px(8))),
                   Qt::AlignLeft | Qt::TextWordWrap, lines.join(QLatin1Char('\n')));
}

// Draws the numbers of layers and heads. origin: the upper left corner of the cells of the first
// head.
void paint_axes(QPainter& painter, const HeatmapScene& scene, const Layout& layout,
                const QPointF& origin) {
  const PictureLook& look = scene.look;
  const double line = layout.axis / 2;
  painter.setFont(look.small);
  painter.setPen(look.colors.text);
  const double high = static_cast<double>(layout.rows) * layout.step_y() - layout.gap,
               wide = static_cast<double>(layout.columns) * layout.step_x() - layout.gap;
  draw_line(painter, QRectF(origin.x(), origin.y() - 2 * line, wide, line),
            Qt::AlignLeft | Qt::AlignVCenter, FigureWords::tr("head →"));
  for (int64_t head = 0; head < layout.columns; ++head)
    draw_line(painter,
              QRectF(origin.x() + static_cast<double>(head) * layout.step_x(), origin.y() - line,
                     layout.width, line),
              Qt::AlignCenter, QString::number(head));
  const std::vector<int64_t> layers = layers_alike(scene);
  for (size_t row = 0; row < layers.size(); ++row)
    draw_line(painter,
              QRectF(origin.x() - layout.names + line,
                     origin.y() + static_cast<double>(row) * layout.step_y(),
                     layout.names - line - look.px(6), layout.height),
              Qt::AlignRight | Qt::AlignVCenter, layer_number(scene, layers[row]));
  painter.save();
  painter.translate(origin.x() - layout.names, origin.y() + high);
  painter.rotate(-90);
  draw_line(painter, QRectF(0, 0, high, line), Qt::AlignRight | Qt::AlignVCenter,
            FigureWords::tr("← layer"));
  painter.restore();
}

void paint_head(QPainter& painter, const HeatmapScene& scene, const QRectF& cells, int64_t layer,
                int64_t head, int64_t most_rects) {
  const ThemeColors& colors = scene.look.colors;
  painter.fillRect(cells, colors.surface);
  painter.fillRect(cells, QBrush(colors.hatch, Qt::BDiagPattern));
  paint_cells(painter, cells, cells_of(scene, layer, head), most_rects);
  painter.setPen(QPen(colors.line, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(cells);
}

}  // namespace

HeatmapTitle heads_title(const HeatmapScene& scene) {
  const QString step =
      scene.past ? FigureWords::tr(", after step %1").arg(scene.past->step) : QString();
  const QString drawn = what_is_drawn(scene);
  return {FigureWords::tr("%1: attention weights, %2, %3 tokens")
                  .arg(scene.request_name, drawn)
                  .arg(scene.rows()) +
              step,
          FigureWords::tr("%1: %2").arg(scene.request_name, drawn) + step};
}

std::vector<int64_t> layers_alike(const HeatmapScene& scene) {
  std::vector<int64_t> layers;
  HeadRef at = scene.head;
  for (at.layer = 0; at.layer < scene.head.record->shape().num_layers; ++at.layer)
    if (at.is_encoder() == scene.head.is_encoder() &&
        at.keys_are_tokens() == scene.head.keys_are_tokens())
      layers.push_back(at.layer);
  return layers;
}

std::function<void(QPainter&, const QRectF&)> heads_figure(HeatmapScene scene) {
  return [scene = std::move(scene)](QPainter& painter, const QRectF& bounds) {
    const PictureLook& look = scene.look;
    const Layout layout = lay_out(scene, 0, bounds.width());
    const QPointF origin(bounds.left() + layout.pad + layout.names,
                         bounds.top() + layout.pad + layout.title + layout.axis);
    painter.save();
    if (scene.figure.title) {
      painter.setFont(look.title_bold);
      painter.setPen(look.colors.text);
      paint_lines(painter,
                  QRectF(bounds.left() + layout.pad, bounds.top() + look.px(8),
                         bounds.width() - 2 * layout.pad, layout.title - look.px(8)),
                  layout.title_lines);
    }
    const bool all_layers = scene.figure.all_layers;
    if (all_layers) paint_axes(painter, scene, layout, origin);
    const std::vector<int64_t> layers =
        all_layers ? layers_alike(scene) : std::vector{scene.head.layer};
    const int64_t heads = num_heads(scene), count = std::ssize(layers) * heads;
    for (int64_t i = 0; i < count; ++i) {
      const QRectF cells(
          origin.x() + static_cast<double>(i % layout.columns) * layout.step_x(),
          origin.y() + static_cast<double>(i / layout.columns) * layout.step_y() + layout.line,
          layout.width, layout.height);
      if (!all_layers) {
        painter.setFont(look.small);
        painter.setPen(look.colors.text);
        draw_line(painter,
                  QRectF(cells.left(), cells.top() - layout.line, cells.width(), layout.line),
                  Qt::AlignLeft | Qt::AlignVCenter, FigureWords::tr("head %1").arg(i));
      }
      paint_head(painter, scene, cells, layers[static_cast<size_t>(i / heads)], i % heads,
                 kMostRects / count);
    }
    const double top = origin.y() - layout.axis;
    if (scene.figure.legend)
      paint_legend(painter, scene,
                   QRectF(bounds.right() - layout.pad - layout.legend + look.px(20), top,
                          layout.legend - look.px(20), bounds.bottom() - layout.pad - top));
    painter.restore();
  };
}

QSize heads_figure_size(const HeatmapScene& scene, std::optional<double> width) {
  const double panel = scene.look.px(scene.figure.all_layers ? kSmallPanel : kPanel);
  const Layout layout =
      lay_out(scene, width ? 0 : panel, std::max(width.value_or(0), kNarrowestFigure));
  const QSizeF size = layout.size();
  return {static_cast<int>(std::lround(size.width())), static_cast<int>(std::ceil(size.height()))};
}

}  // namespace attn::gui
