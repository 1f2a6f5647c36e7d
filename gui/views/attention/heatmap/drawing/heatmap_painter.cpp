// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heatmap/drawing/heatmap_painter.h"

#include <QFontMetricsF>
#include <QLocale>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "gui/models/text.h"
#include "gui/views/attention/heatmap/drawing/heatmap_labels.h"
#include "gui/views/attention/heatmap/drawing/heatmap_raster.h"
#include "gui/views/attention/heatmap/drawing/heatmap_sums.h"
#include "gui/views/attention/heatmap/heatmap_words.h"
#include "gui/widgets/color_bar.h"
#include "gui/widgets/figure/cell_image.h"
#include "gui/widgets/text/number_signs.h"
#include "gui/widgets/text/rule_words.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/text/wrapped_lines.h"

namespace attn::gui {

namespace {

constexpr double kMostImage = 4096;  // px, wanted largest side of an image in a vector drawing

class MatrixPicture {
 public:
  MatrixPicture(QPainter& painter, const HeatmapPicture& picture)
      : p_(painter),
        in_(picture),
        look_(picture.scene.look),
        colors_(look_.colors),
        table_(picture.scene.shown_colors()),
        scale_(picture.scene.shown_scale()) {}

  void cells(const QImage* image);
  void values();
  void crosses();
  void legend();
  void marks();
  void positions();
  void step_rows();
  void caption();

  QRectF content() const;

 private:
  QRectF rect_of(int64_t query, int64_t query_end, int64_t key, int64_t key_end) const;
  void rectangles();
  void hatch(const QRectF& rect);
  void dots(const QRectF& rect, const std::function<bool(const QPointF&)>& belongs);
  void hatch_masked();
  void hatch_unseen();
  void swatch(const QRectF& rect, CellCode code);
  float value(int64_t query, int64_t key) const;
  bool draws(CellCode code) const;
  bool is_hidden(int64_t query, int64_t key, float value) const;
  QColor color_of(float value) const {
    return QColor(table_[static_cast<size_t>(scale_.index(static_cast<double>(value)))]);
  }

  QPainter& p_;
  const HeatmapPicture& in_;
  const PictureLook& look_;
  const ThemeColors& colors_;
  const ColorTable table_;
  const ColorScale scale_;
};

QRectF MatrixPicture::content() const {
  const CanvasTransform& t = in_.transform;
  const QRectF& cells = in_.layout.cells;
  const double right = std::clamp(t.x.to_pixel(t.x.end), 0.0, cells.width());
  const double bottom = std::clamp(t.y.to_pixel(t.y.end), 0.0, cells.height());
  return {cells.left(), cells.top(), right, bottom};
}

QRectF MatrixPicture::rect_of(int64_t query, int64_t query_end, int64_t key,
                              int64_t key_end) const {
  const CanvasTransform& t = in_.transform;
  return QRectF(QPointF(t.x.to_pixel(static_cast<double>(key)),
                        t.y.to_pixel(static_cast<double>(query))),
                QPointF(t.x.to_pixel(static_cast<double>(key_end)),
                        t.y.to_pixel(static_cast<double>(query_end))))
      .translated(in_.layout.cells.topLeft());
}

float MatrixPicture::value(int64_t query, int64_t key) const {
  if (in_.scene.came_later(query)) return kNotComputedCell;
  const auto tile = in_.tiles.find({0, Reduce::kMax, query / kTileSide, key / kTileSide});
  return tile ? tile->at(query % kTileSide, key % kTileSide) : kNotComputedCell;
}

// Whether the Keep hides the cell, by the same rule as HeatmapTiles::code_row() at level 0.
bool MatrixPicture::is_hidden(int64_t query, int64_t key, float value) const {
  const Keep& keep = in_.scene.keep;
  if (keep.kind == Keep::Kind::kAll || !is_value(value)) return false;
  if (keep.kind == Keep::Kind::kAtLeast) return std::abs(value) < keep.least;
  const auto cuts =
      in_.tiles.find({TileKey::kRowCuts, Reduce::kMax, query / kSumRows, keep.code()});
  return cuts && !cuts->cut[static_cast<size_t>(query % kSumRows)].keeps(value, key);
}

void MatrixPicture::hatch(const QRectF& rect) {
  p_.setPen(QPen(colors_.hatch, 1));
  // Draws lines x + y = c, each from one side of the rectangle to another.
  const double first = std::ceil((rect.left() + rect.top()) / kHatchPeriod) * kHatchPeriod;
  for (double c = first; c < rect.right() + rect.bottom(); c += kHatchPeriod) {
    const double x0 = std::max(rect.left(), c - rect.bottom()),
                 x1 = std::min(rect.right(), c - rect.top());
    p_.drawLine(QPointF(x0, c - x0), QPointF(x1, c - x1));
  }
}

// If the causal mask is the only mask, each hatch line enters the masked cells once, and the place
// where it enters is computed.
void MatrixPicture::hatch_masked() {
  if (!in_.scene.head.rule().masks_later_keys_only()) return hatch_unseen();
  const QRectF area = content();
  const double w = in_.transform.x.scale, h = in_.transform.y.scale;
  const QPointF origin = rect_of(0, 1, 0, 1).topLeft();
  p_.setPen(QPen(colors_.hatch, 1));
  for (double c = kHatchPeriod; c < w * in_.transform.x.end + h * in_.transform.y.end;
       c += kHatchPeriod) {
    const double query = std::floor((c - w) / (w + h));
    const double enters = std::max((query + 1) * w, c - (query + 1) * h);
    const double x0 =
        std::max({origin.x() + enters, area.left(), origin.x() + c - (area.bottom() - origin.y())});
    const double x1 = std::min(area.right(), origin.x() + c - (area.top() - origin.y()));
    if (x0 < x1)
      p_.drawLine(QPointF(x0, origin.y() + c - (x0 - origin.x())),
                  QPointF(x1, origin.y() + c - (x1 - origin.x())));
  }
}

void MatrixPicture::hatch_unseen() {
  const CellRange range = visible_cells(in_.transform);
  for (int64_t q = range.query; q < std::min(range.query_end, in_.scene.rows()); ++q)
    for (int64_t k = range.key, end = k; k < range.key_end; k = end) {
      const bool seen = in_.scene.head.sees(q, k);
      for (end = k + 1; end < range.key_end && in_.scene.head.sees(q, end) == seen; ++end) {
      }
      if (!seen) hatch(rect_of(q, q + 1, k, end).intersected(content()));
    }
}

void MatrixPicture::dots(const QRectF& rect, const std::function<bool(const QPointF&)>& belongs) {
  for (double y = rect.top(); y < rect.bottom(); y += kDotPeriod)
    for (double x = rect.left(); x < rect.right(); x += kDotPeriod)
      if (belongs({x, y})) p_.fillRect(QRectF(x, y, 1, 1), colors_.muted);
}

void MatrixPicture::rectangles() {
  const CellRange range = visible_cells(in_.transform);
  const double gap = has_gaps(in_.transform, in_.level) ? 1 : 0;
  p_.save();
  p_.setRenderHint(QPainter::Antialiasing, false);
  const auto has_value = [&](int64_t q, int64_t k) {
    if (q >= range.query_end || k >= range.key_end || !in_.scene.head.sees(q, k)) return false;
    const float w = value(q, k);
    return is_value(w) && !std::isnan(w);
  };
  for (int64_t q = range.query; q < range.query_end; ++q) {
    for (int64_t k = range.key; k < range.key_end; ++k) {
      if (!has_value(q, k)) continue;
      QRectF rect = rect_of(q, q + 1, k, k + 1).adjusted(0, 0, -gap, -gap);
      if (gap == 0) {
        // As in paint_cells(): viewers that smooth edges would leave a line between touching cells.
        const bool next = has_value(q, k + 1);
        const bool below = has_value(q + 1, k) && (!next || has_value(q + 1, k + 1));
        rect.adjust(0, 0, next ? rect.width() / 2 : 0, below ? rect.height() / 2 : 0);
      }
      const float w = value(q, k);
      p_.fillRect(rect, is_hidden(q, k, w) ? look_.faint() : color_of(w));
    }
  }
  const CanvasTransform& t = in_.transform;
  const QRectF area = content();
  dots(area, [&](const QPointF& at) {
    const QPointF pixel = at - area.topLeft();
    const auto q = static_cast<int64_t>(t.y.to_content(pixel.y()));
    const auto k = static_cast<int64_t>(t.x.to_content(pixel.x()));
    return in_.scene.head.sees(q, k) && value(q, k) == kNotComputedCell;
  });
  hatch_masked();
  p_.restore();
}

void MatrixPicture::cells(const QImage* image) {
  const CellRange range = visible_cells(in_.transform);
  if (!image && keeps_drawings(p_) && in_.level == 0 && range.count() <= kMostRects)
    return rectangles();
  if (image) return p_.drawImage(in_.layout.cells.topLeft(), *image);
  p_.drawImage(in_.layout.cells.topLeft(), heatmap_cells(in_, cell_pixels(p_, in_.transform)));
}

// At a past step, rows computed later are drawn as not computed, and rows of the step get a bar at
// the left.
void MatrixPicture::step_rows() {
  if (!in_.scene.past) return;
  const HeatmapPast& past = *in_.scene.past;
  const QRectF area = content();
  const QRectF later =
      rect_of(past.computed, std::max(past.computed, in_.scene.rows()), 0, in_.scene.columns())
          .intersected(area);
  p_.save();
  p_.setRenderHint(QPainter::Antialiasing, false);
  if (later.height() > 0) {
    p_.fillRect(later, colors_.surface);
    p_.setClipRect(later);
    const CanvasTransform& t = in_.transform;
    dots(area, [&](const QPointF& at) {
      const QPointF pixel = at - in_.layout.cells.topLeft();
      return later.contains(at) &&
             in_.scene.head.sees(static_cast<int64_t>(t.y.to_content(pixel.y())),
                                 static_cast<int64_t>(t.x.to_content(pixel.x())));
    });
    hatch_masked();
    p_.setClipping(false);
  }
  const QRectF now = rect_of(past.begin, past.end, 0, 1);
  const double top = std::max(now.top(), area.top()),
               bottom = std::min(now.bottom(), area.bottom());
  if (past.begin < past.end && top < bottom)
    p_.fillRect(QRectF(area.left() - look_.px(4), top, look_.px(3), std::max(2.0, bottom - top)),
                colors_.accent);
  p_.restore();
}

void MatrixPicture::crosses() {
  if (in_.level > 0 || std::min(in_.transform.x.scale, in_.transform.y.scale) < kGapCell) return;
  const CellRange range = visible_cells(in_.transform);
  p_.save();
  p_.setClipRect(content());
  p_.setPen(QPen(colors_.not_a_number, look_.line(1.5)));
  for (int64_t q = range.query; q < range.query_end; ++q) {
    for (int64_t k = range.key; k < range.key_end; ++k) {
      if (!in_.scene.head.sees(q, k)) continue;
      if (!std::isnan(value(q, k))) continue;
      const QRectF rect = rect_of(q, q + 1, k, k + 1).adjusted(2, 2, -3, -3);
      p_.drawLine(rect.topLeft(), rect.bottomRight());
      p_.drawLine(rect.topRight(), rect.bottomLeft());
    }
  }
  p_.restore();
}

void MatrixPicture::values() {
  const QFont font = look_.mono;
  const QFontMetricsF metrics(font);
  const bool scores = in_.scene.quantity() == Quantity::kScore;
  const double room = in_.transform.x.scale - look_.px(scores ? 4 : 6);
  const int decimals =
      scores && in_.scene.score_range ? score_decimals(*in_.scene.score_range, font, room) : 2;
  const bool fits = scores && in_.scene.score_range
                        ? decimals > 0
                        : room >= text_width(font, in_.scene.has_signs() ? QStringLiteral("-0.000")
                                                                         : QStringLiteral("0.000"));
  if (in_.level > 0 || !fits || in_.transform.y.scale < metrics.height()) return;
  const CellRange range = visible_cells(in_.transform);
  p_.save();
  p_.setClipRect(content());
  p_.setFont(font);
  const NumberSigns& numbers = NumberSigns::of(font);
  for (int64_t q = range.query; q < range.query_end; ++q) {
    for (int64_t k = range.key; k < range.key_end; ++k) {
      if (!in_.scene.head.sees(q, k)) continue;
      const float w = value(q, k);
      if (!is_value(w) || std::isnan(w) || is_hidden(q, k, w)) continue;
      p_.setPen(look_.text_on(color_of(w)));
      numbers.draw(p_, rect_of(q, q + 1, k, k + 1).adjusted(0, 0, -1, -1),
                   scores || (is_written(in_.scene.quantity()) && w >= 0.9995F)
                       ? score_text(static_cast<double>(w), decimals)
                       : weight_text(static_cast<double>(w)));
    }
  }
  p_.restore();
}

void MatrixPicture::swatch(const QRectF& rect, CellCode code) {
  p_.save();
  p_.setRenderHint(QPainter::Antialiasing, false);
  p_.fillRect(rect, colors_.surface);
  if (code == kMaskedCode) hatch(rect);
  if (code == kNotComputedCode)
    dots(rect.adjusted(3, 3, 0, 0), [](const QPointF&) { return true; });
  p_.setPen(QPen(colors_.line, 1));
  p_.setBrush(Qt::NoBrush);
  p_.drawRect(rect);
  if (code == kNanCode) {
    p_.setRenderHint(QPainter::Antialiasing);
    p_.setPen(QPen(colors_.not_a_number, look_.line(1.5)));
    p_.drawLine(rect.topLeft() + QPointF(2, 2), rect.bottomRight() - QPointF(2, 2));
    p_.drawLine(rect.topRight() + QPointF(-2, 2), rect.bottomLeft() + QPointF(2, -2));
  }
  p_.restore();
}

// Whether any visible cell has the code.
bool MatrixPicture::draws(CellCode code) const {
  const HeatmapScene& scene = in_.scene;
  if (code == kNotComputedCode && scene.past && scene.past->computed < scene.rows()) return true;
  const auto entries = [this](int64_t cells) {
    return (cells + (int64_t{1} << in_.level) - 1) >> in_.level;
  };
  const int64_t rows = entries(scene.rows()), columns = entries(scene.columns());
  for (const TileKey& key : visible_tiles(in_.transform, scene.head, in_.level, scene.reduce)) {
    const CellCode* codes = in_.tiles.codes(key);
    if (!codes) return true;  // not known
    const int64_t height = std::min(kTileSide, rows - key.row * kTileSide),
                  width = std::min(kTileSide, columns - key.column * kTileSide);
    for (int64_t row = 0; row < height; ++row) {
      const CellCode* begin = codes + row * kTileSide;
      if (std::find(begin, begin + width, code) != begin + width) return true;
    }
  }
  return false;
}

void MatrixPicture::legend() {
  const double bottom = in_.layout.cells.bottom();
  QRectF room = in_.layout.legend(content().right(), bottom);
  const QFont font = look_.small;
  const QFontMetricsF metrics(font);
  ColorBar bar;
  bar.map = in_.scene.map;
  bar.scale = scale_;
  bar.quantity = quantity_of(in_.scene.head);
  if (in_.scene.has_signs()) bar.colors = &table_;
  bar.holds_all = in_.scene.quantity() == Quantity::kScore;
  bar.marked = static_cast<double>(kNotComputedCell);  // no mark
  if (in_.scene.hover_query >= 0 && in_.scene.hover_key >= 0 && in_.level == 0)
    bar.marked = static_cast<double>(value(in_.scene.hover_query, in_.scene.hover_key));

  struct Line {
    CellCode code;
    QString text;
  };
  const bool given = in_.scene.without_query > 0;
  const QString later = in_.scene.past
                            ? (given ? tr("without a query, or not yet computed at step %1")
                                     : tr("not yet computed at step %1"))
                                  .arg(in_.scene.past->step)
                        : given ? tr("without a query, or not computed")
                                : tr("not computed");
  std::vector<Line> lines{{kNotComputedCode, later}, {kNanCode, tr("not a number")}};
  // In the window the legend keeps its lines, so that it does not move while cells are computed.
  if (!in_.layout.on_screen)
    std::erase_if(lines, [this](const Line& line) { return !draws(line.code); });
  const WeightRule& rule = in_.scene.head.rule();
  if (const QString masked = mask_words(rule); !masked.isEmpty())
    lines.insert(lines.begin(), {kMaskedCode, masked});
  if (in_.scene.keep.kind != Keep::Kind::kAll)
    lines.insert(lines.begin(), {kHiddenCode, tr("not kept")});
  const QStringList sentences = legend_sentences(in_);
  const QString detail = sentences.join(QLatin1Char('\n'));
  const double side = look_.px(12), indent = side + look_.px(6), gap = look_.px(6);
  const auto height_of = [&](const QString& text, double width) {
    return std::max(
        side + 2, metrics.boundingRect(QRectF(0, 0, width, 1000), Qt::TextWordWrap, text).height());
  };
  double widest = 0;
  for (const QString& sentence : sentences) widest = std::max(widest, text_width(font, sentence));
  for (const Line& line : lines) widest = std::max(widest, indent + text_width(font, line.text));
  const double bar_width = in_.layout.legend_width;
  const bool beside = room.width() >= bar_width + 2 * gap + widest + 1;
  double needed = gap;
  for (const Line& line : lines) needed += height_of(line.text, room.width() - indent) + gap;
  if (!detail.isEmpty()) needed += height_of(detail, room.width()) + gap;
  const double bar_height =
      beside ? content().bottom() - room.top()
             : std::min(room.height() - needed, static_cast<double>(look_.px(220)));
  const QRectF bar_room(room.left(), room.top(), bar_width,
                        std::max(bar_height, static_cast<double>(look_.px(88))));
  paint_color_bar(p_, bar_room, bar, look_);

  p_.setFont(font);
  double y = bar_room.bottom() + 2 * gap;
  if (beside) {
    room.setLeft(bar_room.right() + 2 * gap);
    y = in_.layout.cells.top();
  }
  if (!detail.isEmpty()) {
    const double height = height_of(detail, room.width());
    p_.setPen(colors_.text);
    p_.drawText(QRectF(room.left(), y, room.width(), height), Qt::AlignLeft | Qt::TextWordWrap,
                detail);
    y += height + gap;
  }
  for (const Line& line : lines) {
    const double height = height_of(line.text, room.width() - indent);
    if (y + height > bottom + gap) break;
    swatch(QRectF(room.left(), y + 1, side, side), line.code);
    p_.setPen(colors_.muted);
    p_.setFont(font);
    p_.drawText(QRectF(room.left() + indent, y, room.width() - indent, height),
                Qt::AlignLeft | Qt::TextWordWrap, line.text);
    y += height + gap;
  }
}

void MatrixPicture::marks() {
  const HeatmapScene& scene = in_.scene;
  p_.save();
  p_.setClipRect(content().adjusted(-2, -2, 2, 2));
  p_.setBrush(Qt::NoBrush);
  p_.setRenderHint(QPainter::Antialiasing, false);
  const auto outline = [&](const QRectF& rect, double thin, Qt::PenStyle style) {
    const double width = look_.line(thin);
    // Two tones, to be visible on the darkest and on the brightest cell.
    p_.setPen(QPen(colors_.surface, width + 2));
    p_.drawRect(rect);
    p_.setPen(QPen(colors_.accent, width, style));
    p_.drawRect(rect);
  };
  const HeatmapMark& mark = scene.mark;
  const int64_t n = scene.rows();
  const auto at_least = [](QRectF rect, double side) {
    const double dx = std::max(0.0, side - rect.width()) / 2,
                 dy = std::max(0.0, side - rect.height()) / 2;
    return rect.adjusted(-dx, -dy, dx, dy);
  };
  switch (mark.kind) {
    case HeatmapMark::Kind::kNone:
      break;
    case HeatmapMark::Kind::kCell: {
      p_.setPen(QPen(colors_.accent, look_.line(1), Qt::DotLine));
      p_.drawRect(rect_of(mark.query, mark.query_end, 0, scene.columns()));
      p_.drawRect(rect_of(0, n, mark.key, mark.key_end));
      outline(at_least(rect_of(mark.query, mark.query_end, mark.key, mark.key_end), 6), 2,
              Qt::SolidLine);
      break;
    }
    case HeatmapMark::Kind::kToken:
      outline(at_least(rect_of(mark.query, mark.query_end, 0, scene.columns()), 4), 1,
              Qt::SolidLine);
      if (mark.key_end > mark.key)
        outline(at_least(rect_of(0, n, mark.key, mark.key_end), 4), 1, Qt::SolidLine);
      break;
    case HeatmapMark::Kind::kColumns:
    case HeatmapMark::Kind::kRange:
      outline(at_least(rect_of(mark.query, mark.query_end, mark.key, mark.key_end), 4), 2,
              Qt::SolidLine);
      break;
  }
  if (scene.focus && scene.cursor_query >= 0)
    outline(at_least(rect_of(scene.cursor_query, scene.cursor_query + 1, scene.cursor_key,
                             scene.cursor_key + 1),
                     6),
            1, Qt::DashLine);
  p_.restore();
}

void MatrixPicture::positions() {
  const QRectF area = content();
  p_.save();
  p_.setRenderHint(QPainter::Antialiasing, false);
  const auto bar = [&](const CanvasAxis& axis, const QRectF& track, bool flat) {
    if (axis.is_fit()) return;
    p_.fillRect(track, colors_.line);
    const double from = axis.visible_begin() / axis.length(),
                 to = axis.visible_end() / axis.length();
    const double length = flat ? track.width() : track.height();
    const double start = from * length, size = std::max(8.0, (to - from) * length);
    p_.fillRect(flat ? QRectF(track.left() + start, track.top(), size, track.height())
                     : QRectF(track.left(), track.top() + start, track.width(), size),
                colors_.accent);
  };
  const double thick = look_.px(3);
  bar(in_.transform.x, QRectF(area.left(), area.bottom() + 2, area.width(), thick), true);
  bar(in_.transform.y, QRectF(area.right() + 2, area.top(), thick, area.height()), false);
  if (in_.scene.focus) {
    p_.setPen(QPen(colors_.accent, 2));
    p_.setBrush(Qt::NoBrush);
    p_.drawRect(area.adjusted(-2, -2, 2, 2));
  }
  p_.restore();
}

void MatrixPicture::caption() {
  if (!in_.scene.caption) return;
  p_.setFont(look_.title_bold);
  p_.setPen(colors_.text);
  paint_lines(p_, in_.layout.caption, in_.layout.caption_lines);
}

}  // namespace

CellRange visible_cells(const CanvasTransform& transform) {
  return {static_cast<int64_t>(std::floor(transform.y.visible_begin())),
          static_cast<int64_t>(std::ceil(transform.y.visible_end())),
          static_cast<int64_t>(std::floor(transform.x.visible_begin())),
          static_cast<int64_t>(std::ceil(transform.x.visible_end()))};
}

double cell_pixels(const QPainter& painter, const CanvasTransform& transform) {
  if (!keeps_drawings(painter))
    return painter.device()->devicePixelRatioF() * painter.transform().m11();
  // In an SVG or PDF file the image has two pixels per px or, if cells are smaller than a px, two
  // pixels per cell. If it would be larger than kMostImage, it has fewer, but at least one per px.
  const double cell = std::min({1.0, transform.x.scale, transform.y.scale});
  return std::clamp(kMostImage / std::max(transform.x.pixels, transform.y.pixels), 1.0, 2.0 / cell);
}

QString detail_sentence(const HeatmapScene& scene, int level) {
  if (level <= 0) return {};
  const QString side = format_count(int64_t{1} << level);
  if (scene.reduce == Reduce::kMax && scene.head.combine.is_difference())
    return tr("each dot: the largest difference, with its sign, of %1 × %1 cells").arg(side);
  return (scene.reduce == Reduce::kMax ? tr("each dot: maximum of %1 × %1 cells")
                                       : tr("each dot: mean of %1 × %1 cells"))
      .arg(side);
}

QStringList legend_sentences(const HeatmapPicture& picture) {
  const HeatmapScene& scene = picture.scene;
  QStringList sentences;
  if (scene.head.combine.kind != Combine::kHead) sentences += shown_words(scene.head);
  sentences += range_words(scene.quantity(), scene.score_range);
  if (scene.behind > 0)
    sentences += tr("computing, %1 pieces to go").arg(format_count(scene.behind));
  sentences += detail_sentence(scene, picture.level);
  if (QString keep = keep_words(scene.keep, picture.level, picture.layout.on_screen);
      !keep.isEmpty()) {
    if (const auto cells = kept_cells(picture))
      keep +=
          tr("; %1 of %2 in the rows shown")
              .arg(format_count(cells->kept), counted(cells->seen, tr("1 cell"), tr("%1 cells")));
    sentences += keep;
  }
  const WeightRule& rule = scene.head.rule();
  if (scene.shows_weights())
    sentences += sink_words(rule);
  else if (!rule.sinks.empty())
    sentences += tr("the sink, one more score of %1 in each row, has no cell")
                     .arg(format_number(static_cast<double>(rule.sink(scene.head.head)), 4));
  sentences.removeAll(QString());
  return sentences;
}

QString weight_text(double weight) {
  if (weight != 0 && std::abs(weight) < 0.0005) return QLocale().toString(weight, 'e', 0);
  return QLocale().toString(weight, 'f', 3);
}

int score_decimals(const ScoreRange& range, const QFont& font, double width) {
  for (const int decimals : {2, 1})
    if (std::ranges::all_of(std::array{range.least, range.most}, [&](float score) {
          return text_width(font, score_text(static_cast<double>(score), decimals)) <= width;
        }))
      return decimals;
  return 0;
}

QString score_text(double score, int decimals) {
  const double size = std::abs(score);
  if (!std::isfinite(score)) return score < 0 ? QStringLiteral("-inf") : QStringLiteral("inf");
  if (size >= 9999.5) return QLocale().toString(score, 'e', 0);
  return QLocale().toString(score, 'f', size < 99.995 ? decimals : size < 999.95 ? 1 : 0);
}

QImage heatmap_cells(const HeatmapPicture& picture, double device_ratio) {
  const Reduce used = picture.level == 0 ? Reduce::kMax : picture.scene.reduce;
  return cells_image(picture.transform, picture.level, device_ratio, picture.layout.cells.size(),
                     picture.scene.look, picture.scene.shown_colors(),
                     [&](int64_t row, int64_t column) {
                       return picture.tiles.codes({picture.level, used, row, column});
                     });
}

void paint_heatmap(QPainter& painter, const HeatmapPicture& picture, const QImage* cells) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  MatrixPicture parts(painter, picture);
  parts.caption();
  parts.cells(cells);
  parts.step_rows();
  parts.crosses();
  parts.values();
  paint_heatmap_labels(painter, picture, parts.content());
  if (picture.scene.figure.sums) paint_heatmap_sums(painter, picture, parts.content());
  if (picture.scene.figure.legend) parts.legend();
  parts.marks();
  parts.positions();
  painter.restore();
}

}  // namespace attn::gui
