// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heatmap/heatmap_export.h"

#include <fmt/format.h>

#include <QCoreApplication>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/session/report/report.h"
#include "gui/views/attention/cell_numbers.h"
#include "gui/views/attention/heatmap/drawing/heatmap_painter.h"
#include "gui/views/attention/heatmap/figure/heads_figure.h"

namespace attn::gui {
namespace {

struct ExportWords {
  Q_DECLARE_TR_FUNCTIONS(HeatmapExport)
};

constexpr int kMostExport = 4096;  // px, longest side of the matrix if no width is asked for
constexpr double kLeastExport = 200;
// px: the least width of a figure whose width is given: of the cells alone, and with a legend or
// sums.
constexpr double kNarrowest = 320, kNarrowestWithLegend = 480;
// px at 100%: with a legend or sums a figure with large text is drawn at least so wide.
constexpr double kNarrowestOfText = 320;

// The length in px of the matrix along an axis of `tokens` tokens. Up to 128 tokens, a cell has 28
// or 16 px, or more in a very small matrix.
double exported_side(int64_t tokens) {
  const auto count = static_cast<double>(std::max<int64_t>(1, tokens));
  double cell = std::max(1.0, std::floor(kMostExport / 2 / count));
  if (tokens <= 128) cell = tokens <= 40 ? 28 : 16;
  return std::clamp(cell * count, kLeastExport, static_cast<double>(kMostExport));
}

// Query rows x key columns. With a Keep, more columns say what is kept of each row. In a computed
// row masked weights are 0 and other masked cells empty; a row that is not computed is empty.
// row_sum is the sum of the row; for scores row_max, the largest score, is in its place.
QByteArray combined_csv(const RequestView& request, const HeadRef& head, const Keep& keep,
                        int64_t max_rows) {
  std::string csv = "query_position,query_token";
  if (!head.record) return QByteArray::fromStdString(csv + '\n');
  const AttentionRecord& record = *head.record;
  const int64_t rows = std::min(max_rows, record.num_rows()), keys = record.num_keys(head.layer);
  const bool scores = head.quantity == Quantity::kScore;
  const std::string name = column_of(head);
  const bool cuts = keep.kind != Keep::Kind::kAll;
  csv += scores ? ",row_max" : ",row_sum";
  if (cuts) csv += ",kept_cells,least_kept,last_key_kept_of_least";
  for (int64_t k = 0; k < keys; ++k) csv += fmt::format(",{}_key_{}", name, k);
  csv += '\n';
  CellNumbers numbers(head);
  std::vector<float> row(static_cast<size_t>(keys));
  for (int64_t q = 0; q < rows; ++q) {
    const bool named = request.tokens && static_cast<size_t>(q) < request.tokens->size();
    csv += fmt::format("{},{}", q,
                       named ? csv_cell((*request.tokens)[static_cast<size_t>(q)].text) : "");
    if (!numbers.row_done(q)) {
      csv.append(static_cast<size_t>(keys + (cuts ? 4 : 1)), ',');
      csv += '\n';
      continue;
    }
    numbers.cells(q, 1, 0, keys, row.data());
    // Added in parts of 256 keys, in the same way as the sums that are drawn.
    double sum = 0;
    for (size_t first = 0; first < row.size(); first += kTileSide) {
      const auto end = row.begin() + static_cast<int64_t>(std::min(row.size(), first + kTileSide));
      double part = 0;
      for (auto value = row.begin() + static_cast<int64_t>(first); value != end; ++value)
        part += static_cast<double>(*value);
      sum += part;
    }
    if (scores) {
      float max = 0;
      numbers.maxima(q, 1, &max);
      csv += ',' + format_float(max);
    } else {
      csv += fmt::format(",{}", sum);
    }
    if (cuts) {
      const RowCut cut = cut_row(row, keep, head.num_seen(q, keys));
      // A row that keeps nothing has no smallest kept cell.
      csv += cut.kept == 0 ? ",0,,"
                           : fmt::format(",{},{},{}", cut.kept, format_float(cut.least),
                                         std::min(cut.last, keys - 1));
    }
    for (int64_t k = 0; k < keys; ++k) {
      csv += ',';
      if (head.quantity == Quantity::kWeight || head.sees(q, k))
        csv += format_float(row[static_cast<size_t>(k)]);
    }
    csv += '\n';
  }
  return QByteArray::fromStdString(csv);
}

// The parts beside the cells need some room, however narrow the figure is.
double laid_out_width(const HeatmapScene& scene, double wanted) {
  const bool alone = !scene.figure.legend && !scene.figure.sums;
  return std::max(
      wanted,
      alone ? kNarrowest : std::max<double>(kNarrowestWithLegend, scene.look.px(kNarrowestOfText)));
}

}  // namespace

// The drawing does not use the view or the theme, so any thread may draw.
std::function<void(QPainter&, const QRectF&)> heatmap_drawing(HeatmapScene scene) {
  scene.read_look();
  if (scene.figure.all_heads && scene.head.record) return heads_figure(std::move(scene));
  scene.caption = scene.figure.title;
  scene.focus = false;
  scene.behind = 0;
  scene.cursor_query = scene.cursor_key = scene.hover_query = scene.hover_key = -1;
  if (!scene.figure.selection) scene.mark = {};
  return [scene = std::move(scene)](QPainter& painter, const QRectF& bounds) {
    if (scene.rows() <= 0) {
      painter.setPen(scene.look.colors.muted);
      painter.setFont(scene.look.title);
      painter.drawText(bounds, Qt::AlignCenter, ExportWords::tr("No attention has been computed."));
      return;
    }
    const HeatmapLayout layout = layout_heatmap(scene, bounds);
    CanvasTransform transform = heatmap_transform(scene.rows(), scene.columns());
    transform.set_viewport(layout.cells.width(), layout.cells.height());
    transform.fit();
    HeatmapTiles tiles;
    tiles.set_head(scene.head);
    tiles.set_keep(scene.keep);
    const int level = level_for(transform, cell_pixels(painter, transform));
    tiles.compute_now(picture_tiles(scene, layout, transform, level));
    HeatmapScene shown = scene;
    shown.score_range = tiles.score_range(scene.scored_rows());
    tiles.set_scale(shown.shown_scale());
    paint_heatmap(painter, {shown, layout, transform, tiles, level}, nullptr);
  };
}

QSize heatmap_export_size(HeatmapScene scene, std::optional<double> wanted) {
  scene.read_look();
  if (scene.figure.all_heads && scene.head.record) return heads_figure_size(scene, wanted);
  scene.caption = scene.figure.title;
  CanvasTransform transform = heatmap_transform(scene.rows(), scene.columns());
  const double across = exported_side(scene.columns()), down = exported_side(scene.rows());
  transform.set_viewport(std::max(across, down / CanvasTransform::kLongest),
                         std::max(down, across / CanvasTransform::kLongest));
  transform.fit();
  const double width = std::max(kLeastExport, transform.x.scale * transform.x.length());
  const double height = std::max(kLeastExport, transform.y.scale * transform.y.length());
  if (wanted) {
    const double across_all = laid_out_width(scene, *wanted);
    // The room for the labels of columns depends on the height, so the height that makes the cells
    // square is found step by step.
    double down_all = across_all;
    for (int i = 0; i < 12; ++i) {
      const QRectF cells = layout_heatmap(scene, {0, 0, across_all, down_all}).cells;
      down_all += cells.width() * height / width - cells.height();
    }
    return {static_cast<int>(std::lround(across_all)), static_cast<int>(std::ceil(down_all))};
  }
  // Lays out a larger picture once to learn the margins around the cells.
  const QRectF trial(0, 0, width + 800, height + 800);
  const HeatmapLayout layout = layout_heatmap(scene, trial);
  const double across_all = std::ceil(trial.width() - layout.cells.width() + width);
  double down_all = trial.height() - layout.cells.height() + height;
  // The title may need more lines in the narrower picture.
  down_all += layout_heatmap(scene, {0, 0, across_all, down_all}).caption.height() -
              layout.caption.height();
  return {static_cast<int>(across_all), static_cast<int>(std::ceil(down_all))};
}

QString heatmap_figure_title(HeatmapScene scene, const RequestView& request, int64_t layer,
                             int64_t head, const FigureLook& look) {
  const QString name = QString::fromStdString(request.name);
  const int64_t computed = request.attention ? request.attention->num_rows() : 0;
  if (scene.past && (scene.request_name != name || scene.head.record != request.attention))
    return {};
  if (!scene.past) scene.head.rows = std::max(computed, request.prompt_len);
  scene.request_name = name;
  scene.head.record = request.attention;
  scene.head.layer = layer;
  scene.head.head = head;
  scene.figure = look;
  return look.all_heads && scene.head.record ? heads_title(scene).full : heatmap_title(scene).full;
}

double heatmap_figure_width(HeatmapScene scene, const RequestView& request, int64_t layer,
                            const FigureLook& look, double width) {
  scene.read_look();
  scene.head.record = request.attention;
  scene.head.layer = layer;
  scene.figure = look;
  if (look.all_heads && scene.head.record) return heads_figure_size(scene, width).width();
  return laid_out_width(scene, width);
}

std::function<QByteArray()> heatmap_table(const RequestView& request, const HeatmapScene& scene) {
  const int64_t rows = scene.past ? scene.past->computed : std::numeric_limits<int64_t>::max();
  if (!scene.shows_one_whole_head())
    return [request, head = scene.head, keep = scene.keep, rows] {
      return combined_csv(request, head, keep, rows);
    };
  return [request, head = scene.head, rows] {
    return QByteArray::fromStdString(heatmap_csv(request, head.layer, head.head, rows));
  };
}

}  // namespace attn::gui
