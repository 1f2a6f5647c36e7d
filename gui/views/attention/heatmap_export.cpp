// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures and tables of the heatmap for files.
#include <fmt/format.h>

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/session/report.h"
#include "gui/views/attention/heatmap_view.h"

namespace attn::gui {
namespace {

constexpr int kMostExport = 4096;  // px of the cells of an exported picture
constexpr double kLeastExport = 200;

// Of an axis of so many tokens: cells large enough for labels up to 128; beyond that smaller cells,
// beyond kMostExport tokens blocks of cells. A larger scale of the export gives all of them more
// pixels.
double exported_side(int64_t tokens) {
  const auto count = static_cast<double>(std::max<int64_t>(1, tokens));
  double cell = std::max(1.0, std::floor(kMostExport / 2 / count));
  if (tokens <= 128) cell = tokens <= 40 ? 28 : 16;
  return std::clamp(cell * count, kLeastExport, static_cast<double>(kMostExport));
}

// Query rows x key columns of what is shown; where cells are hidden also what is kept of each row.
QByteArray combined_csv(const RequestView& request, const HeadRef& head, const Keep& keep,
                        int64_t max_rows) {
  std::string csv = "query_position,query_token";
  if (!head.record) return QByteArray::fromStdString(csv + '\n');
  const AttentionRecord& record = *head.record;
  const int64_t rows = std::min(max_rows, record.num_rows()), keys = record.num_keys();
  const std::string name = column_name(head.combine, {head.layer, head.head},
                                       record.shape().num_layers, record.shape().num_heads);
  const bool cuts = keep.kind != Keep::Kind::kAll;
  csv += ",row_sum";
  if (cuts) csv += ",kept_cells,least_kept,last_key_kept_of_least";
  for (int64_t k = 0; k < keys; ++k) csv += fmt::format(",{}_key_{}", name, k);
  csv += '\n';
  CombinedWeights weights(record, head.heads());
  std::vector<float> row(static_cast<size_t>(keys));
  for (int64_t q = 0; q < rows; ++q) {
    const bool named = request.tokens && static_cast<size_t>(q) < request.tokens->size();
    csv += fmt::format("{},{}", q,
                       named ? csv_cell((*request.tokens)[static_cast<size_t>(q)].text) : "");
    if (!weights.row_done(q)) {
      csv.append(static_cast<size_t>(keys + (cuts ? 4 : 1)), ',');
      csv += '\n';
      continue;
    }
    weights.weights(q, 1, 0, keys, row.data());
    // In parts of 256 keys, as it is drawn.
    double sum = 0;
    for (size_t first = 0; first < row.size(); first += kTileSide) {
      const auto end = row.begin() + static_cast<int64_t>(std::min(row.size(), first + kTileSide));
      double part = 0;
      for (auto value = row.begin() + static_cast<int64_t>(first); value != end; ++value)
        part += static_cast<double>(*value);
      sum += part;
    }
    csv += fmt::format(",{}", sum);
    if (cuts) {
      const RowCut cut = cut_row(row, keep);
      // Of a row that keeps nothing there is no least cell.
      csv += cut.kept == 0 ? ",0,,"
                           : fmt::format(",{},{},{}", cut.kept, format_float(cut.least),
                                         std::min(cut.last, keys - 1));
    }
    for (const float value : row) (csv += ',') += format_float(value);
    csv += '\n';
  }
  return QByteArray::fromStdString(csv);
}

}  // namespace

void HeatmapView::paint_content(QPainter& painter, const QRectF& bounds) {
  drawing()(painter, bounds);
}

// The scene with its look is copied and the weights are read from the record: nothing here touches
// the view or the theme again, so any thread may draw.
std::function<void(QPainter&, const QRectF&)> HeatmapView::drawing() const {
  HeatmapScene scene = scene_;
  scene.caption = true;
  scene.focus = false;
  scene.behind = 0;
  scene.cursor_query = scene.hover_query = -1;
  return [scene](QPainter& painter, const QRectF& bounds) {
    if (scene.rows() <= 0) {
      painter.setPen(scene.look.colors.muted);
      painter.setFont(scene.look.title);
      painter.drawText(bounds, Qt::AlignCenter, tr("No attention has been computed."));
      return;
    }
    const HeatmapLayout layout = layout_heatmap(scene, bounds);
    CanvasTransform transform = heatmap_transform(scene.rows(), scene.columns());
    transform.set_viewport(layout.cells.width(), layout.cells.height());
    transform.fit();
    HeatmapTiles tiles;
    tiles.set_head(scene.head);
    tiles.set_scale(scene.shown_scale());
    tiles.set_keep(scene.keep);
    const int level =
        level_for(transform, painter.device()->devicePixelRatioF() * painter.transform().m11());
    tiles.compute_now(picture_tiles(scene, layout, transform, level));
    paint_heatmap(painter, {scene, layout, transform, tiles, level}, nullptr);
  };
}

QSize HeatmapView::export_size() const {
  CanvasTransform transform = heatmap_transform(scene_.rows(), scene_.columns());
  const double across = exported_side(scene_.columns()), down = exported_side(scene_.rows());
  transform.set_viewport(std::max(across, down / CanvasTransform::kLongest),
                         std::max(down, across / CanvasTransform::kLongest));
  transform.fit();
  const double width = std::max(kLeastExport, transform.x.scale * transform.x.length());
  const double height = std::max(kLeastExport, transform.y.scale * transform.y.length());
  // The margins of a picture of this size: layout once with room to spare.
  HeatmapScene scene = scene_;
  scene.caption = true;
  const QRectF trial(0, 0, width + 800, height + 800);
  const QRectF cells = layout_heatmap(scene, trial).cells;
  return {static_cast<int>(std::ceil(trial.width() - cells.width() + width)),
          static_cast<int>(std::ceil(trial.height() - cells.height() + height))};
}

std::function<QByteArray()> HeatmapView::table() const {
  const RequestView* view = request();
  if (!view) return [] { return QByteArray(); };
  const int64_t rows = scene_.past ? scene_.past->computed : std::numeric_limits<int64_t>::max();
  if (scene_.head.combine.kind != Combine::kHead || scene_.keep.kind != Keep::Kind::kAll)
    return [copy = *view, head = scene_.head, keep = scene_.keep, rows] {
      return combined_csv(copy, head, keep, rows);
    };
  return [copy = *view, head = scene_.head, rows] {
    return QByteArray::fromStdString(heatmap_csv(copy, head.layer, head.head, rows));
  };
}

}  // namespace attn::gui
