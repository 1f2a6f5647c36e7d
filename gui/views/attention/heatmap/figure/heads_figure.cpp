// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heatmap/figure/heads_figure.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "gui/models/text.h"
#include "gui/widgets/color_bar.h"
#include "gui/widgets/figure/cell_image.h"
#include "gui/widgets/text/rule_words.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"

namespace attn::gui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(HeadsFigure)
};

constexpr double kPanel = 200;      // px, width of the cells of a head
constexpr double kNarrowest = 480;  // px of a figure that is to have a certain width
// Most cells on a side; in larger matrices an entry is the largest of several cells.
constexpr int64_t kMostCells = 512;

struct Layout {
  int64_t columns = 1, rows = 1;
  double width = 0, height = 0;  // of the cells of a head
  double pad = 0, gap = 0, line = 0, title = 0, legend = 0;
  double step_x() const { return width + gap; }
  double step_y() const { return line + height + gap; }
  QSizeF size() const {
    return {2 * pad + static_cast<double>(columns) * step_x() - gap + legend,
            2 * pad + title + static_cast<double>(rows) * step_y() - gap};
  }
};

int64_t num_heads(const HeatmapScene& scene) {
  return scene.head.record->shape().num_heads;
}

// panel: width of the cells of a head; 0: so that the whole has the width `all`.
Layout lay_out(const HeatmapScene& scene, double panel, double all) {
  const PictureLook& look = scene.look;
  Layout layout;
  const int64_t heads = num_heads(scene);
  layout.columns = static_cast<int64_t>(std::ceil(std::sqrt(static_cast<double>(heads))));
  layout.rows = (heads + layout.columns - 1) / layout.columns;
  layout.pad = look.px(12);
  layout.gap = look.px(12);
  layout.line = QFontMetricsF(look.small).height() + look.px(2);
  if (scene.figure.title) layout.title = look.px(32);
  if (scene.figure.legend) layout.legend = look.px(124);
  const auto columns = static_cast<double>(layout.columns);
  layout.width =
      panel > 0
          ? panel
          : std::max(16.0,
                     (all - layout.legend - 2 * layout.pad - (columns - 1) * layout.gap) / columns);
  const double shape = static_cast<double>(std::max<int64_t>(1, scene.rows())) /
                       static_cast<double>(std::max<int64_t>(1, scene.columns()));
  layout.height = layout.width * std::clamp(shape, 0.25, 4.0);
  return layout;
}

// One pixel per cell, or per block of cells; masked cells are transparent.
QImage cells_of(const HeatmapScene& scene, int64_t head) {
  const AttentionRecord& record = *scene.head.record;
  const int64_t layer = scene.head.layer, rows = scene.rows(), keys = scene.columns();
  const int64_t block = (std::max(rows, keys) + kMostCells - 1) / kMostCells;
  const WeightRule& rule = record.shape().rules.of(layer);
  HeadRef one = scene.head;
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
  bar.quantity = Words::tr("weight");
  bar.marked = -1;
  const QRectF strip(room.left(), room.top(), room.width(),
                     std::min<double>(room.height(), look.px(160)));
  paint_color_bar(painter, strip, bar, look);
  QStringList lines{Words::tr("down: query token"), Words::tr("across: key token")};
  const int64_t block = (std::max(scene.rows(), scene.columns()) + kMostCells - 1) / kMostCells;
  if (block > 1) lines << Words::tr("each dot = max of %1 × %1 cells").arg(block);
  const QString masked = mask_words(scene.head.record->shape().rules);
  if (!masked.isEmpty()) lines << Words::tr("hatched = %1").arg(masked);
  painter.setFont(look.small);
  painter.setPen(look.colors.muted);
  painter.drawText(QRectF(room.left(), strip.bottom() + look.px(8), room.width(),
                          std::max(0.0, room.bottom() - strip.bottom() - look.px(8))),
                   Qt::AlignLeft | Qt::TextWordWrap, lines.join(QLatin1Char('\n')));
}

}  // namespace

std::function<void(QPainter&, const QRectF&)> heads_figure(HeatmapScene scene) {
  return [scene = std::move(scene)](QPainter& painter, const QRectF& bounds) {
    const PictureLook& look = scene.look;
    const Layout layout = lay_out(scene, 0, bounds.width());
    const double top = bounds.top() + layout.pad + layout.title;
    painter.save();
    if (scene.figure.title) {
      painter.setFont(look.title_bold);
      painter.setPen(look.colors.text);
      const QString step =
          scene.past ? Words::tr(", after step %1").arg(scene.past->step) : QString();
      const QString heads = Words::tr("layer %1, all %2 heads")
                                .arg(layer_words(scene.head.layer, scene.head.is_encoder()))
                                .arg(num_heads(scene));
      QString title = Words::tr("%1: attention weights, %2, %3 tokens")
                          .arg(scene.request_name, heads)
                          .arg(scene.rows()) +
                      step;
      const double room = bounds.width() - 2 * layout.pad;
      if (text_width(look.title_bold, title) > room)
        title = Words::tr("%1: %2").arg(scene.request_name, heads) + step;
      draw_line(painter,
                QRectF(bounds.left() + layout.pad, bounds.top() + look.px(8), room, look.px(24)),
                Qt::AlignLeft | Qt::AlignVCenter, elided_text(look.title_bold, title, room));
    }
    for (int64_t head = 0; head < num_heads(scene); ++head) {
      const QRectF cells(
          bounds.left() + layout.pad + static_cast<double>(head % layout.columns) * layout.step_x(),
          top + static_cast<double>(head / layout.columns) * layout.step_y() + layout.line,
          layout.width, layout.height);
      painter.setFont(look.small);
      painter.setPen(look.colors.text);
      draw_line(painter,
                QRectF(cells.left(), cells.top() - layout.line, cells.width(), layout.line),
                Qt::AlignLeft | Qt::AlignVCenter, Words::tr("head %1").arg(head));
      painter.fillRect(cells, look.colors.surface);
      painter.fillRect(cells, QBrush(look.colors.hatch, Qt::BDiagPattern));
      paint_cells(painter, cells, cells_of(scene, head), kMostRects / num_heads(scene));
      painter.setPen(QPen(look.colors.line, 1));
      painter.setBrush(Qt::NoBrush);
      painter.drawRect(cells);
    }
    if (scene.figure.legend)
      paint_legend(painter, scene,
                   QRectF(bounds.right() - layout.pad - layout.legend + look.px(20), top,
                          layout.legend - look.px(20), bounds.bottom() - layout.pad - top));
    painter.restore();
  };
}

QSize heads_figure_size(const HeatmapScene& scene, std::optional<double> width) {
  const Layout layout =
      lay_out(scene, width ? 0 : scene.look.px(kPanel), std::max(width.value_or(0), kNarrowest));
  const QSizeF size = layout.size();
  return {static_cast<int>(std::lround(size.width())), static_cast<int>(std::ceil(size.height()))};
}

}  // namespace attn::gui
