// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heatmap_raster.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace attn::gui {

namespace {

// One axis in device pixels: which entry each pixel shows.
struct Pixels {
  std::vector<int64_t> entry;  // at the level
  std::vector<char> gap;       // the last pixel of a cell that is large enough
  int64_t phase = 0;  // device pixel of content 0 modulo the patterns: they move with the content
  int count = 0;      // pixels that show content
};

Pixels map_axis(const CanvasAxis& axis, int level, double ratio, int length, bool gaps) {
  Pixels pixels;
  const double scale = axis.scale * ratio;
  const auto cells = static_cast<int64_t>(axis.end);
  const auto cell_at = [&](int pixel) {
    return static_cast<int64_t>(std::floor(axis.offset + (pixel + 0.5) / scale));
  };
  for (int i = 0; i < length; ++i) {
    const int64_t cell = cell_at(i);
    if (cell >= cells) break;
    pixels.entry.push_back(std::max<int64_t>(0, cell) >> level);
    pixels.gap.push_back(gaps && cell_at(i + 1) != cell);
  }
  pixels.count = static_cast<int>(pixels.entry.size());
  pixels.phase = std::llround(axis.offset * scale);
  return pixels;
}

struct Painter {
  const RasterLook& look;
  int64_t hatch_period, hatch_width, dot_period, dot_width;
  bool outlines;  // cells are large enough for an outline

  // Pixels of a row of masked cells, one period longer than `count`: a row starts at its place in
  // the period. Most of a causal matrix is masked, and a division per pixel would show.
  std::vector<QRgb> hatch_row(int count) const {
    std::vector<QRgb> row(static_cast<size_t>(count + hatch_period));
    for (size_t i = 0; i < row.size(); ++i)
      row[i] = static_cast<int64_t>(i) % hatch_period < hatch_width ? look.hatch : look.surface;
    return row;
  }
  int64_t hatch_start(int64_t place) const {
    return (place % hatch_period + hatch_period) % hatch_period;
  }

  QRgb pattern(CellCode code, int64_t x, int64_t y, bool gap) const {
    switch (code) {
      case kNotComputedCode:
        if (outlines) return gap ? look.outline : look.surface;
        return x % dot_period < dot_width && y % dot_period < dot_width ? look.outline
                                                                        : look.surface;
      case kNanCode:
        return outlines ? look.surface : look.nan;  // large cells get their cross from the painter
      default:
        return look.pending;
    }
  }
};

}  // namespace

bool has_gaps(const CanvasTransform& transform, int level) {
  return level == 0 && std::min(transform.x.scale, transform.y.scale) >= kGapCell;
}

QImage raster_cells(const CanvasTransform& transform, int level, double device_ratio, int width,
                    int height, const RasterLook& look,
                    const std::function<const CellCode*(int64_t, int64_t)>& codes) {
  const bool gaps = has_gaps(transform, level);
  const Pixels columns = map_axis(transform.x, level, device_ratio, width, gaps);
  const Pixels rows = map_axis(transform.y, level, device_ratio, height, gaps);
  if (columns.count == 0 || rows.count == 0) {
    QImage nothing(1, 1, QImage::Format_ARGB32_Premultiplied);
    nothing.fill(Qt::transparent);
    return nothing;
  }
  // Without an alpha channel a frame copies it; with one it would blend two million pixels.
  QImage image(columns.count, rows.count, QImage::Format_RGB32);

  const auto device = [&](double logical) {
    return std::max<int64_t>(1, std::llround(logical * device_ratio));
  };
  const Painter painter{look, device(kHatchPeriod), device(1), device(kDotPeriod), device(1), gaps};
  const std::vector<QRgb> hatch = painter.hatch_row(columns.count);
  std::vector<CellCode> line(static_cast<size_t>(columns.count), kPendingCode);
  const int64_t first_tile = columns.entry.front() / kTileSide,
                last_tile = columns.entry.back() / kTileSide;
  std::vector<const CellCode*> tiles(static_cast<size_t>(last_tile - first_tile + 1));
  int64_t line_entry = -1, tile_row = -1;
  bool plain = false;  // the line is colours only: it looks the same in each of its pixel rows
  const QRgb* copy_from = nullptr;
  for (int y = 0; y < rows.count; ++y) {
    auto* out = reinterpret_cast<QRgb*>(image.scanLine(y));
    const int64_t entry = rows.entry[static_cast<size_t>(y)];
    const bool row_gap = rows.gap[static_cast<size_t>(y)];
    if (entry != line_entry) {
      plain = true;
      copy_from = nullptr;
      if (entry / kTileSide != tile_row) {
        tile_row = entry / kTileSide;
        for (size_t i = 0; i < tiles.size(); ++i)
          tiles[i] = codes(tile_row, first_tile + static_cast<int64_t>(i));
      }
      for (int x = 0; x < columns.count;) {
        const int64_t tile = columns.entry[static_cast<size_t>(x)] / kTileSide;
        const CellCode* source = tiles[static_cast<size_t>(tile - first_tile)];
        const CellCode* row = source ? source + entry % kTileSide * kTileSide : nullptr;
        for (; x < columns.count && columns.entry[static_cast<size_t>(x)] / kTileSide == tile;
             ++x) {
          const CellCode code =
              row ? row[columns.entry[static_cast<size_t>(x)] % kTileSide] : kPendingCode;
          line[static_cast<size_t>(x)] = code;
          plain = plain && (code < kMaskedCode || code == kHiddenCode);
        }
      }
      line_entry = entry;
    }
    if (plain && copy_from && !row_gap) {
      std::memcpy(out, copy_from, static_cast<size_t>(columns.count) * sizeof(QRgb));
      continue;
    }
    const int64_t pattern_y = y + rows.phase;
    const QRgb* masked = hatch.data() + painter.hatch_start(columns.phase + pattern_y);
    for (int x = 0; x < columns.count; ++x) {
      const CellCode code = line[static_cast<size_t>(x)];
      const bool gap = row_gap || columns.gap[static_cast<size_t>(x)];
      if (code < kMaskedCode) {
        out[x] = gap ? look.surface : (*look.colors)[code];
      } else if (code == kMaskedCode) {
        out[x] = masked[x];
      } else if (code == kHiddenCode) {
        out[x] = gap ? look.surface : look.hidden;
      } else {
        out[x] = painter.pattern(code, x + columns.phase, pattern_y, gap);
      }
    }
    if (plain && !row_gap) copy_from = out;
  }
  return image;
}

}  // namespace attn::gui
