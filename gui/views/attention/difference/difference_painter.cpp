// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/difference/difference_painter.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <map>

#include "gui/models/text.h"
#include "gui/views/attention/difference/difference_words.h"
#include "gui/views/attention/heatmap/choice/cell_places.h"
#include "gui/views/attention/heatmap/drawing/heatmap_labels.h"
#include "gui/views/attention/heatmap/drawing/heatmap_painter.h"
#include "gui/views/attention/heatmap/drawing/heatmap_raster.h"
#include "gui/widgets/color_bar.h"
#include "gui/widgets/figure/cell_image.h"
#include "gui/widgets/text/number_signs.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/text/wrapped_lines.h"

namespace attn::gui {
namespace {

constexpr double kNoMark = -3;  // below every difference and, as a mark of the bar, not drawn

CellCode code_of_difference(float value, const ColorScale& scale) {
  if (value == kMaskedCell) return kMaskedCode;
  if (value == kNotComputedCell) return kNotComputedCode;
  if (std::isnan(value)) return kNanCode;
  return static_cast<CellCode>(scale.index(static_cast<double>(value)));
}

class PairPicture {
 public:
  PairPicture(QPainter& painter, const DifferencePicture& picture)
      : p_(painter),
        in_(picture),
        look_(picture.scene.cells.look),
        colors_(look_.colors),
        table_(diverging_table(look_.colors.surface.rgb())),
        scale_(difference_scale(picture.state.sums)) {}

  void sentences();
  void cells(const QImage* image);
  void crosses();
  void values();
  void legend();
  void marks();
  void positions();
  QRectF content() const;

 private:
  QRectF rect_of(int64_t query, int64_t key) const {
    return rect_of_cell(in_.layout.cells, in_.transform, query, key);
  }
  CellRange range() const;
  float value(int64_t query, int64_t key) const;
  void rectangles();
  void hatch(const QRectF& rect);
  void dots(const QRectF& rect);
  void swatch(const QRectF& rect, CellCode code);

  QPainter& p_;
  const DifferencePicture& in_;
  const PictureLook& look_;
  const ThemeColors& colors_;
  const ColorTable table_;
  const ColorScale scale_;
};

QRectF PairPicture::content() const {
  const CanvasTransform& t = in_.transform;
  const QRectF& cells = in_.layout.cells.cells;
  return {cells.left(), cells.top(), std::clamp(t.x.to_pixel(t.x.end), 0.0, cells.width()),
          std::clamp(t.y.to_pixel(t.y.end), 0.0, cells.height())};
}

CellRange PairPicture::range() const {
  CellRange range = visible_cells(in_.transform);
  range.query_end = std::min(range.query_end, in_.scene.cells.rows());
  range.key_end = std::min(range.key_end, in_.scene.cells.columns());
  return range;
}

// At level 0.
float PairPicture::value(int64_t query, int64_t key) const {
  const auto tile = in_.state.tiles.find({0, Reduce::kMax, query / kTileSide, key / kTileSide});
  return tile == in_.state.tiles.end() ? kNotComputedCell
                                       : tile->second->at(query % kTileSide, key % kTileSide);
}

void PairPicture::sentences() {
  p_.setPen(colors_.text);
  if (!in_.layout.title.empty()) {
    p_.setFont(look_.title_bold);
    paint_lines(p_, in_.layout.title_area, in_.layout.title);
  }
  p_.setFont(look_.small);
  paint_lines(p_, in_.layout.said_area, in_.layout.said);
}

void PairPicture::hatch(const QRectF& rect) {
  p_.setPen(QPen(colors_.hatch, 1));
  const double first = std::ceil((rect.left() + rect.top()) / kHatchPeriod) * kHatchPeriod;
  for (double c = first; c < rect.right() + rect.bottom(); c += kHatchPeriod) {
    const double x0 = std::max(rect.left(), c - rect.bottom()),
                 x1 = std::min(rect.right(), c - rect.top());
    p_.drawLine(QPointF(x0, c - x0), QPointF(x1, c - x1));
  }
}

void PairPicture::dots(const QRectF& rect) {
  for (double y = rect.top(); y < rect.bottom(); y += kDotPeriod)
    for (double x = rect.left(); x < rect.right(); x += kDotPeriod)
      p_.fillRect(QRectF(x, y, 1, 1), colors_.muted);
}

// The cells as shapes of a vector file, at level 0.
void PairPicture::rectangles() {
  const CellRange cells = range();
  QImage image(static_cast<int>(cells.key_end - cells.key),
               static_cast<int>(cells.query_end - cells.query), QImage::Format_ARGB32);
  if (image.isNull()) return;
  image.fill(Qt::transparent);
  for (int64_t query = cells.query; query < cells.query_end; ++query) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(query - cells.query)));
    for (int64_t key = cells.key; key < cells.key_end; ++key) {
      const float difference = value(query, key);
      if (!is_value(difference) || std::isnan(difference)) continue;
      const CellCode code = code_of_difference(difference, scale_);
      line[key - cells.key] = table_[code];
    }
  }
  p_.save();
  p_.setRenderHint(QPainter::Antialiasing, false);
  p_.setClipRect(content());
  paint_cells(
      p_, rect_of(cells.query, cells.key).united(rect_of(cells.query_end - 1, cells.key_end - 1)),
      image);
  for (int64_t query = cells.query; query < cells.query_end; ++query)
    for (int64_t key = cells.key, end = key; key < cells.key_end; key = end) {
      const float mark = value(query, key);
      for (end = key + 1; end < cells.key_end && value(query, end) == mark; ++end) {
      }
      const QRectF run = rect_of(query, key).united(rect_of(query, end - 1));
      if (mark == kMaskedCell) hatch(run);
      if (mark == kNotComputedCell) dots(run.adjusted(2, 2, 0, 0));
    }
  p_.restore();
}

void PairPicture::cells(const QImage* image) {
  if (image) return p_.drawImage(in_.layout.cells.cells.topLeft(), *image);
  if (keeps_drawings(p_) && in_.level == 0 && range().count() <= kMostRects) return rectangles();
  p_.drawImage(in_.layout.cells.cells.topLeft(),
               difference_cells(in_, cell_pixels(p_, in_.transform)));
}

// raster_cells() leaves cells that are not a number blank if they are large.
void PairPicture::crosses() {
  if (!has_gaps(in_.transform, in_.level) || in_.state.sums.not_numbers == 0) return;
  const CellRange cells = range();
  p_.save();
  p_.setClipRect(content());
  p_.setPen(QPen(colors_.not_a_number, look_.line(1.5)));
  for (int64_t query = cells.query; query < cells.query_end; ++query)
    for (int64_t key = cells.key; key < cells.key_end; ++key) {
      if (!std::isnan(value(query, key))) continue;
      const QRectF rect = rect_of(query, key).adjusted(2, 2, -3, -3);
      p_.drawLine(rect.topLeft(), rect.bottomRight());
      p_.drawLine(rect.topRight(), rect.bottomLeft());
    }
  p_.restore();
}

void PairPicture::values() {
  const double room = in_.transform.x.scale - look_.px(6);
  if (in_.level > 0 || room < text_width(look_.mono, QStringLiteral("-0.000")) ||
      in_.transform.y.scale < QFontMetricsF(look_.mono).height())
    return;
  const CellRange cells = range();
  p_.save();
  p_.setClipRect(content());
  p_.setFont(look_.mono);
  const NumberSigns& numbers = NumberSigns::of(look_.mono);
  for (int64_t query = cells.query; query < cells.query_end; ++query)
    for (int64_t key = cells.key; key < cells.key_end; ++key) {
      const float difference = value(query, key);
      if (!is_value(difference) || std::isnan(difference)) continue;
      p_.setPen(look_.text_on(QColor(table_[code_of_difference(difference, scale_)])));
      numbers.draw(p_, rect_of(query, key).adjusted(0, 0, -1, -1),
                   weight_text(static_cast<double>(difference)));
    }
  p_.restore();
}

void PairPicture::swatch(const QRectF& rect, CellCode code) {
  p_.save();
  p_.setRenderHint(QPainter::Antialiasing, false);
  p_.fillRect(rect, colors_.surface);
  if (code == kMaskedCode) hatch(rect);
  if (code == kNotComputedCode) dots(rect.adjusted(3, 3, 0, 0));
  p_.setPen(QPen(colors_.line, 1));
  p_.setBrush(Qt::NoBrush);
  p_.drawRect(rect);
  if (code == kNanCode) {
    p_.setPen(QPen(colors_.not_a_number, look_.line(1.5)));
    p_.drawLine(rect.topLeft() + QPointF(2, 2), rect.bottomRight() - QPointF(2, 2));
    p_.drawLine(rect.topRight() + QPointF(-2, 2), rect.bottomLeft() + QPointF(2, -2));
  }
  p_.restore();
}

void PairPicture::legend() {
  const double bottom = in_.layout.cells.cells.bottom();
  const QRectF room = in_.layout.cells.legend(content().right(), bottom);
  const double side = look_.px(12), indent = side + look_.px(6), gap = look_.px(6);
  const QFontMetricsF metrics(look_.small);
  const auto height_of = [&](const QString& text, double width) {
    return std::max(
        side + 2, metrics.boundingRect(QRectF(0, 0, width, 1000), Qt::TextWordWrap, text).height());
  };
  struct Line {
    std::optional<CellCode> code;  // nullopt: a sentence
    QString text;
  };
  std::vector<Line> lines;
  lines.push_back(
      {std::nullopt, tr("colours from %1 to %2")
                         .arg(format_number(scale_.low, 3), format_number(scale_.high, 3))});
  if (in_.level > 0) lines.push_back({std::nullopt, difference_detail(in_.level)});
  lines.push_back({kMaskedCode, tr("masked in both runs")});
  lines.push_back({kNotComputedCode, tr("not in both runs: not computed, masked or not there")});
  if (in_.state.sums.not_numbers > 0) lines.push_back({kNanCode, tr("not a number")});

  ColorBar bar;
  bar.scale = scale_;
  bar.quantity = tr("difference");
  bar.colors = &table_;
  bar.holds_all = true;
  bar.marked = kNoMark;
  const HeatmapScene& cells = in_.scene.cells;
  if (in_.level == 0 && cells.hover_query >= 0 && cells.hover_key >= 0)
    if (const float pointed = value(cells.hover_query, cells.hover_key);
        is_value(pointed) && !std::isnan(pointed))
      bar.marked = static_cast<double>(pointed);
  double needed = gap;
  for (const Line& line : lines)
    needed += height_of(line.text, room.width() - (line.code ? indent : 0)) + gap;
  const double bar_height =
      std::max(std::min(room.height() - needed, look_.px(220) * 1.0), look_.px(88) * 1.0);
  paint_color_bar(p_, QRectF(room.left(), room.top(), in_.layout.cells.legend_width, bar_height),
                  bar, look_);
  double y = room.top() + bar_height + 2 * gap;
  for (const Line& line : lines) {
    const double left = line.code ? indent : 0;
    const double height = height_of(line.text, room.width() - left);
    if (y + height > bottom + gap) break;
    if (line.code) swatch(QRectF(room.left(), y + 1, side, side), *line.code);
    p_.setFont(look_.small);
    p_.setPen(line.code ? colors_.muted : colors_.text);
    p_.drawText(QRectF(room.left() + left, y, room.width() - left, height),
                Qt::AlignLeft | Qt::TextWordWrap, line.text);
    y += height + gap;
  }
}

void PairPicture::marks() {
  const HeatmapMark& mark = in_.scene.cells.mark;
  if (mark.kind == HeatmapMark::Kind::kNone) return;
  const QRectF area = content();
  const QRectF first = rect_of(mark.query, mark.key),
               last = rect_of(std::max(mark.query, mark.query_end - 1),
                              std::max(mark.key, mark.key_end - 1));
  const QRectF row(area.left(), first.top(), area.width(), last.bottom() - first.top());
  const QRectF column(first.left(), area.top(), last.right() - first.left(), area.height());
  p_.save();
  p_.setClipRect(area.adjusted(-2, -2, 2, 2));
  p_.setRenderHint(QPainter::Antialiasing, false);
  p_.setBrush(Qt::NoBrush);
  const auto outline = [&](const QRectF& rect, double width) {
    p_.setPen(QPen(colors_.surface, look_.line(width) + 2));
    p_.drawRect(rect);
    p_.setPen(QPen(colors_.accent, look_.line(width)));
    p_.drawRect(rect);
  };
  if (mark.kind == HeatmapMark::Kind::kToken) {
    outline(row, 1);
    if (mark.key_end > mark.key) outline(column, 1);
  } else {
    if (mark.kind == HeatmapMark::Kind::kCell) {
      p_.setPen(QPen(colors_.accent, look_.line(1), Qt::DotLine));
      p_.drawRect(row);
      p_.drawRect(column);
    }
    outline(first.united(last), 2);
  }
  p_.restore();
}

// Bars that say which part is shown, if it is not all.
void PairPicture::positions() {
  const QRectF area = content();
  const double thick = look_.px(3);
  p_.save();
  p_.setRenderHint(QPainter::Antialiasing, false);
  const auto bar = [&](const CanvasAxis& axis, const QRectF& track, bool flat) {
    if (axis.is_fit() || axis.length() <= 0) return;
    p_.fillRect(track, colors_.line);
    const double length = flat ? track.width() : track.height();
    const double start = axis.visible_begin() / axis.length() * length;
    const double size =
        std::max(8.0, (axis.visible_end() - axis.visible_begin()) / axis.length() * length);
    p_.fillRect(flat ? QRectF(track.left() + start, track.top(), size, track.height())
                     : QRectF(track.left(), track.top() + start, track.width(), size),
                colors_.accent);
  };
  bar(in_.transform.x, QRectF(area.left(), area.bottom() + 2, area.width(), thick), true);
  bar(in_.transform.y, QRectF(area.right() + 2, area.top(), thick, area.height()), false);
  p_.restore();
}

}  // namespace

int difference_level(const CanvasTransform& transform, double device_ratio) {
  return std::min(level_for(transform, device_ratio), kMostDifferenceLevel);
}

std::vector<TileKey> difference_keys(const DifferenceScene& scene, const CanvasTransform& transform,
                                     int level) {
  return visible_tiles(transform, scene.cells.head, level, Reduce::kMax);
}

QImage difference_cells(const DifferencePicture& picture, double device_ratio) {
  const PictureLook& look = picture.scene.cells.look;
  const ColorScale scale = difference_scale(picture.state.sums);
  std::map<std::pair<int64_t, int64_t>, std::vector<CellCode>> codes;
  return cells_image(
      picture.transform, picture.level, device_ratio, picture.layout.cells.cells.size(), look,
      diverging_table(look.colors.surface.rgb()),
      [&](int64_t row, int64_t column) -> const CellCode* {
        const auto tile = picture.state.tiles.find({picture.level, Reduce::kMax, row, column});
        if (tile == picture.state.tiles.end()) return nullptr;
        std::vector<CellCode>& of_tile = codes[{row, column}];
        if (of_tile.empty())
          for (const float value : tile->second->value)
            of_tile.push_back(code_of_difference(value, scale));
        return of_tile.data();
      });
}

void paint_difference(QPainter& painter, const DifferencePicture& picture, const QImage* cells) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  PairPicture parts(painter, picture);
  parts.sentences();
  parts.cells(cells);
  parts.crosses();
  parts.values();
  HeatmapTiles none;  // the labels need no tiles
  paint_heatmap_labels(
      painter, {picture.scene.cells, picture.layout.cells, picture.transform, none, picture.level},
      parts.content());
  if (picture.scene.cells.figure.legend) parts.legend();
  parts.marks();
  parts.positions();
  painter.restore();
}

void paint_difference_file(QPainter& painter, const DifferenceScene& scene, const QRectF& bounds) {
  if (scene.is_empty()) {
    painter.setPen(scene.cells.look.colors.muted);
    painter.setFont(scene.cells.look.title);
    painter.drawText(bounds, Qt::AlignCenter | Qt::TextWordWrap, scene.pair.refusal);
    return;
  }
  const auto go_on = [] { return true; };
  WeightDifferences map;
  map.refresh_sums(scene.pair, go_on);
  DifferenceState state;
  state.sums = map.sums();
  const DifferenceLayout layout = difference_layout(scene, state.sums, bounds);
  const QRectF& cells = layout.cells.cells;
  CanvasTransform transform = heatmap_transform(scene.cells.rows(), scene.cells.columns());
  transform.set_viewport(cells.width(), cells.height());
  transform.fit();
  const int level = difference_level(transform, cell_pixels(painter, transform));
  for (const TileKey& key : difference_keys(scene, transform, level))
    map.refresh(scene.pair, key, go_on);
  state.tiles = map.tiles();
  paint_difference(painter, {scene, layout, transform, state, level}, nullptr);
}

}  // namespace attn::gui
