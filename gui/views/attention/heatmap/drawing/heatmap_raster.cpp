// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heatmap/drawing/heatmap_raster.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attn::gui {

namespace {

struct Pixels {
  std::vector<int64_t> entry;
  std::vector<uint8_t> in_tile;
  std::vector<int> gaps;  // the last pixel of each cell, if there are gaps
  // How many device pixels the content is scrolled by. It is added to the place of a pixel, so that
  // patterns move with the content.
  int64_t phase = 0;
  int count = 0;  // pixels that show content

  bool is_gap(int pixel) const { return std::ranges::binary_search(gaps, pixel); }
};
static_assert(kTileSide == 256);  // an index within a tile fits in_tile

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
    pixels.in_tile.push_back(static_cast<uint8_t>(pixels.entry.back() % kTileSide));
    if (gaps && cell_at(i + 1) != cell) pixels.gaps.push_back(i);
  }
  pixels.count = static_cast<int>(pixels.entry.size());
  pixels.phase = std::llround(axis.offset * scale);
  return pixels;
}

// Pixels [begin, end) of a line with one code for which Painter::is_pattern() holds.
struct PatternRun {
  int begin, end;
  CellCode code;
};

class Painter {
 public:
  Painter(const RasterLook& look, double device_ratio, bool crosses, const Pixels& columns)
      : look_(look),
        crosses_(crosses),
        columns_(columns),
        dot_period_(device(kDotPeriod, device_ratio)),
        width_(device(1, device_ratio)),
        hatch_period_(device(kHatchPeriod, device_ratio)),
        // A row of the hatch, one period longer than the image, so that a copy can begin at any
        // place of the period.
        hatch_(static_cast<size_t>(columns.count + hatch_period_)) {
    std::ranges::copy(*look.colors, colors_.begin());
    colors_[kHiddenCode] = look.hidden;
    for (size_t i = 0; i < hatch_.size(); ++i)
      hatch_[i] = static_cast<int64_t>(i) % hatch_period_ < width_ ? look.hatch : look.surface;
  }

  // The colour of a code in [0, 256) or of kHiddenCode; patterns are painted over it.
  QRgb color(CellCode code) const { return colors_[code]; }
  static bool is_pattern(CellCode code) { return code >= kMaskedCode && code != kHiddenCode; }

  // y: the pixel row plus the phase of the rows.
  void pattern(QRgb* out, const PatternRun& run, int64_t y) const {
    if (run.code == kMaskedCode) {
      const int64_t place = (columns_.phase + y) % hatch_period_;
      const QRgb* from = hatch_.data() + (place + hatch_period_) % hatch_period_;
      std::copy(from + run.begin, from + run.end, out + run.begin);
    } else if (run.code == kNotComputedCode) {
      const bool row_has_dots = y % dot_period_ < width_;
      for (int x = run.begin; x < run.end; ++x)
        out[x] = row_has_dots && (x + columns_.phase) % dot_period_ < width_ ? look_.dots
                                                                             : look_.surface;
    } else if (run.code == kNanCode) {  // MatrixPicture::crosses() draws a cross in large cells
      std::fill(out + run.begin, out + run.end, crosses_ ? look_.surface : look_.nan);
    } else {
      std::fill(out + run.begin, out + run.end, look_.pending);
    }
  }

 private:
  static int64_t device(double logical, double device_ratio) {
    return std::max<int64_t>(1, std::llround(logical * device_ratio));
  }

  const RasterLook& look_;
  bool crosses_;
  const Pixels& columns_;
  int64_t dot_period_, width_, hatch_period_;
  std::vector<QRgb> hatch_;
  std::array<QRgb, kNumCellCodes> colors_ = {};
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
  QImage image(columns.count, rows.count, QImage::Format_RGB32);

  const Painter painter(look, device_ratio, gaps, columns);
  std::vector<CellCode> codes_of_line(static_cast<size_t>(columns.count), kPendingCode);
  std::vector<QRgb> line(static_cast<size_t>(columns.count));
  std::vector<PatternRun> patterns;  // patterns of the line
  const int64_t first_tile = columns.entry.front() / kTileSide,
                last_tile = columns.entry.back() / kTileSide;
  std::vector<const CellCode*> tiles(static_cast<size_t>(last_tile - first_tile + 1));
  int64_t line_entry = -1, tile_row = -1;
  for (int y = 0; y < rows.count; ++y) {
    const int64_t entry = rows.entry[static_cast<size_t>(y)];
    if (entry != line_entry) {
      line_entry = entry;
      if (entry / kTileSide != tile_row) {
        tile_row = entry / kTileSide;
        for (size_t i = 0; i < tiles.size(); ++i)
          tiles[i] = codes(tile_row, first_tile + static_cast<int64_t>(i));
      }
      bool has_patterns = false;
      for (int x = 0; x < columns.count;) {
        const int64_t tile = columns.entry[static_cast<size_t>(x)] / kTileSide;
        const auto next = std::ranges::lower_bound(columns.entry, (tile + 1) * kTileSide);
        const int end = static_cast<int>(next - columns.entry.begin());
        const CellCode* source = tiles[static_cast<size_t>(tile - first_tile)];
        const CellCode* row = source ? source + entry % kTileSide * kTileSide : nullptr;
        for (; x < end; ++x) {
          const CellCode code = row ? row[columns.in_tile[static_cast<size_t>(x)]] : kPendingCode;
          codes_of_line[static_cast<size_t>(x)] = code;
          line[static_cast<size_t>(x)] = painter.color(code);
          has_patterns |= Painter::is_pattern(code);
        }
      }
      for (const int gap : columns.gaps) line[static_cast<size_t>(gap)] = look.surface;
      patterns.clear();
      for (int x = 0; has_patterns && x < columns.count;) {
        const int begin = x;
        const CellCode code = codes_of_line[static_cast<size_t>(x)];
        while (x < columns.count && codes_of_line[static_cast<size_t>(x)] == code) ++x;
        if (Painter::is_pattern(code)) patterns.push_back({begin, x, code});
      }
    }
    auto* out = reinterpret_cast<QRgb*>(image.scanLine(y));
    if (rows.is_gap(y))
      std::fill(out, out + columns.count, look.surface);
    else
      std::ranges::copy(line, out);
    for (const PatternRun& run : patterns) painter.pattern(out, run, y + rows.phase);
  }
  return image;
}

QImage cells_image(const CanvasTransform& transform, int level, double device_ratio,
                   const QSizeF& size, const PictureLook& look, const ColorTable& colors,
                   const std::function<const CellCode*(int64_t, int64_t)>& codes) {
  const ThemeColors& c = look.colors;
  const RasterLook raster{.colors = &colors,
                          .surface = c.surface.rgb(),
                          .hatch = c.hatch.rgb(),
                          .dots = c.muted.rgb(),
                          .nan = c.not_a_number.rgb(),
                          .pending = c.raised.rgb(),
                          .hidden = look.faint().rgb()};
  const auto pixels = [&](double length) {
    return static_cast<int>(std::ceil(length * device_ratio));
  };
  QImage image = raster_cells(transform, level, device_ratio, pixels(size.width()),
                              pixels(size.height()), raster, codes);
  image.setDevicePixelRatio(device_ratio);
  return image;
}

}  // namespace attn::gui
