// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/figure/cell_image.h"

#include <QPaintEngine>
#include <algorithm>
#include <vector>

namespace attn::gui {
namespace {

// An embedded image has at least kImageSide pixels on its longer side, unless a cell would
// then have more than kMostPerCell pixels per side. If a viewer smooths the image, this changes the
// edges of large cells, not their middles.
constexpr int kImageSide = 1024;
constexpr int kMostPerCell = 16;

// Cells [begin, end) of a row that have one colour. covers: whether the cells below them, in the
// next row, are all drawn (not transparent).
struct Run {
  int row, begin, end;
  QRgb color;
  bool covers;
};

// The runs of all cells that are not transparent; empty if there are more than `most` runs.
std::vector<Run> runs_of(const QImage& cells, int64_t most) {
  std::vector<Run> runs;
  for (int y = 0; y < cells.height(); ++y) {
    const auto* row = reinterpret_cast<const QRgb*>(cells.constScanLine(y));
    const auto* below = y + 1 < cells.height()
                            ? reinterpret_cast<const QRgb*>(cells.constScanLine(y + 1))
                            : nullptr;
    const auto covers = [below](int x) { return below && qAlpha(below[x]) > 0; };
    for (int x = 0, end = 0; x < cells.width(); x = end) {
      for (end = x + 1; end < cells.width() && row[end] == row[x] && covers(end) == covers(x);)
        ++end;
      if (qAlpha(row[x]) == 0) continue;
      if (std::ssize(runs) == most) return {};
      runs.push_back({y, x, end, row[x], covers(x)});
    }
  }
  return runs;
}

// Viewers that smooth edges leave a line between touching rectangles. So a rectangle reaches half a
// cell under the next one in its row and under the next row, where these are drawn.
void paint_runs(QPainter& painter, const QRectF& area, const QImage& cells,
                const std::vector<Run>& runs) {
  const double w = area.width() / cells.width(), h = area.height() / cells.height();
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (size_t i = 0; i < runs.size(); ++i) {
    const Run& run = runs[i];
    const bool next =
        i + 1 < runs.size() && runs[i + 1].row == run.row && runs[i + 1].begin == run.end;
    const double right = run.end + (next ? 0.5 : 0), bottom = run.row + (run.covers ? 1.5 : 1);
    painter.fillRect(QRectF(area.left() + run.begin * w, area.top() + run.row * h,
                            (right - run.begin) * w, (bottom - run.row) * h),
                     QColor(run.color));
  }
  painter.restore();
}

}  // namespace

bool keeps_drawings(const QPainter& painter) {
  const QPaintEngine* engine = painter.paintEngine();
  return engine && (engine->type() == QPaintEngine::SVG || engine->type() == QPaintEngine::Pdf);
}

void paint_cells(QPainter& painter, const QRectF& area, const QImage& cells, int64_t most_rects) {
  if (cells.isNull()) return;
  painter.save();
  painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
  if (!keeps_drawings(painter)) {
    painter.drawImage(area, cells);
  } else {
    const QImage plain = cells.convertToFormat(QImage::Format_ARGB32);
    const std::vector<Run> runs = runs_of(plain, most_rects);
    if (!runs.empty()) {
      paint_runs(painter, area, plain, runs);
    } else {
      const int side = std::max(plain.width(), plain.height());
      const int per_cell = std::clamp((kImageSide + side - 1) / side, 1, kMostPerCell);
      painter.drawImage(area, plain.scaled(plain.size() * per_cell));
    }
  }
  painter.restore();
}

}  // namespace attn::gui
