// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heatmap/heatmap_scene.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "gui/models/text.h"
#include "gui/views/attention/heatmap/heatmap_words.h"
#include "gui/widgets/text/rule_words.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/text/wrapped_lines.h"

namespace attn::gui {

namespace {

constexpr double kLargestCell = 72;  // largest side of a cell, px
// Largest ratio of the sides of a cell in a matrix that is not stretched: in a file, in the window.
constexpr double kWidestShape = 2.0, kWidestOnScreen = 3.0;
constexpr double kLowestSumRow = 3;   // least height of a row with a bar, px
constexpr double kLongestToken = 84;  // greatest width of a token in a label, px at 100%
constexpr double kColumnSums = 32;    // height of the strip of column sums, px at 100%
// px at 100%: a picture of less height has no column sums.
constexpr double kLowestBody = 300;
// Width of the area of the cells divided by its height. On the screen, a picture with a larger
// ratio has no column sums.
constexpr double kFlattest = 2.0;
// Letters are less high than a line of text, so labels on the screen may be as close as this share
// of its height.
constexpr double kInkOfLine = 0.8;
// In a file, tokens of rows give way until the cells are as wide as this share of the picture, or
// as this, px.
constexpr double kCellsShare = 0.28, kCellsWide = 200;
constexpr int64_t kFirstRowTiles = 4;  // at least so many row sum tiles, or all, precede the cells

}  // namespace

double rounded_up(double most) {
  if (!(most > 0)) return 1;
  const double unit = std::pow(10.0, std::floor(std::log10(most)) - 1);
  return std::ceil(most / unit * (1 - 1e-12)) * unit;
}

ColorScale HeatmapScene::shown_scale() const {
  if (quantity() == Quantity::kScore) {
    const double most = score_range ? std::max(std::abs(static_cast<double>(score_range->least)),
                                               std::abs(static_cast<double>(score_range->most)))
                                    : 0;
    const double end = rounded_up(most);
    return {ColorScale::Kind::kLinear, -end, end};
  }
  if (is_written(quantity())) {
    const double end = rounded_up(score_range ? static_cast<double>(score_range->most) : 0);
    const bool log = scale.kind == ColorScale::Kind::kLog;
    return {scale.kind, log ? end * 1e-4 : 0, end};
  }
  if (!head.combine.is_difference()) return scale;
  return {ColorScale::Kind::kLinear, -difference_range, difference_range};
}

ColorTable HeatmapScene::shown_colors() const {
  if (!has_signs()) return color_table(map);
  return diverging_table(look.colors.surface.rgb());
}

void HeatmapScene::read_tokens(const RequestView& request, bool other_request) {
  if (encoder_tokens != request.encoder_tokens) {
    encoder_tokens = request.encoder_tokens;
    encoder_labels.clear();
    if (request.encoder_tokens)
      for (const TokenView& token : *request.encoder_tokens)
        encoder_labels.push_back(token_text(token.text));
    widest_encoder_label = encoder_labels.empty() ? 0 : widest_token(encoder_labels, look.mono);
    tokens = nullptr;
  }
  if (tokens != request.tokens) {
    const bool grown =
        tokens && request.tokens && !other_request && request.tokens->size() >= labels.size();
    if (!grown) labels.clear();
    tokens = request.tokens;
    const size_t known = labels.size();
    for (size_t i = known; request.tokens && i < request.tokens->size(); ++i)
      labels.push_back(token_text((*request.tokens)[i].text));
    const double added = widest_token(std::span(labels).subspan(known), look.mono);
    widest_label =
        std::max(widest_encoder_label, known > 0 ? std::max(widest_label, added) : added);
  }
}

void HeatmapScene::measure_labels() {
  widest_encoder_label = encoder_labels.empty() ? 0 : widest_token(encoder_labels, look.mono);
  widest_label = std::max(widest_encoder_label, widest_token(labels, look.mono));
}

void HeatmapScene::read_look() {
  look = PictureLook::read();
  measure_labels();
}

QRectF HeatmapLayout::sums(double content_right) const {
  return {content_right + gap, cells.top(), sums_width, cells.height()};
}

QRectF HeatmapLayout::legend(double content_right, double bottom) const {
  const double left = content_right + gap + sums_width + 2 * gap;
  return {left, column_axis.top(), std::max(legend_width, right - left),
          bottom - column_axis.top()};
}

double widest_token(std::span<const TokenText> labels, const QFont& font) {
  const double cell = QFontMetricsF(font).horizontalAdvance(QLatin1Char('0'));
  // Prompts can be long, so only labels with at least half as many characters as the longest are
  // measured.
  qsizetype longest = 0;
  for (const TokenText& label : labels) longest = std::max(longest, label.shown.size());
  double widest = 0;
  for (const TokenText& label : labels) {
    if (label.shown.size() * 2 >= longest) widest = std::max(widest, token_width(label, font));
    if (widest > kLongestToken * 2) break;
  }
  return std::max(widest, 2 * cell);
}

HeatmapTitle heatmap_title(const HeatmapScene& scene) {
  const HeadRef& head = scene.head;
  const QString what = head.combine.kind == Combine::kHead
                           ? tr("layer %1, head %2 (KV head %3)")
                                 .arg(layer_words(head.layer, head.is_encoder()))
                                 .arg(head.head)
                                 .arg(scene.kv_head())
                           : shown_words(head);
  const QString step = scene.past ? tr(", after step %1").arg(scene.past->step) : QString();
  const QString& name = scene.request_name;
  const QString numbers = quantities_of(scene.quantity());
  return {tr("%1: %2, %3, %4")
                  .arg(name, numbers, what, counted(scene.rows(), tr("1 token"), tr("%1 tokens"))) +
              step,
          (scene.shows_weights() ? tr("%1: %2").arg(name, what)
                                 : tr("%1: %2, %3").arg(name, numbers, what)) +
              step};
}

HeatmapLayout layout_heatmap(const HeatmapScene& scene, const QRectF& bounds, bool on_screen) {
  const PictureLook& look = scene.look;
  const QFontMetricsF small(look.small), mono(look.mono);
  HeatmapLayout layout;
  layout.on_screen = on_screen;
  layout.gap = look.px(8);
  layout.label_pitch = (mono.ascent() + mono.descent()) * (on_screen ? kInkOfLine : 1);
  const double pad = look.px(12);
  const double line = small.height();
  const double axis = line + look.px(2);
  const double digits =
      QString::number(std::max<int64_t>({0, scene.rows() - 1, scene.columns() - 1})).size();
  const double position = digits * mono.horizontalAdvance(QLatin1Char('0'));
  const double label =
      position + look.px(16) +
      std::min(scene.widest_label + 1, static_cast<double>(look.px(kLongestToken)));
  double row_depth = std::min(label, bounds.width() * 0.25);
  const double column_depth = std::min(label, bounds.height() * 0.3);

  // In a narrow panel the bars of the row sums have no numbers, to leave more room for the cells.
  if (scene.figure.sums) layout.sums_width = look.px(bounds.width() < look.px(640) ? 40 : 80);
  if (scene.figure.legend) layout.legend_width = look.px(104);
  layout.right = bounds.right() - pad;
  double top = bounds.top() + pad / 2;
  if (scene.caption) {
    const HeatmapTitle title = heatmap_title(scene);
    const double width = bounds.width() - 2 * pad;
    layout.caption_lines = figure_title_lines(look.title_bold, scene.figure.title_or(title.full),
                                              scene.figure.title_or(title.brief), width);
    const double further = look.px(20) * static_cast<double>(layout.caption_lines.size() - 1);
    layout.caption = QRectF(bounds.left() + pad, top, width, look.px(24) + further);
    top += look.px(32) + further;
  }
  const double right = layout.right - layout.legend_width - layout.sums_width - 3 * layout.gap;
  const double axis_right = bounds.left() + pad / 2 + axis;
  if (!on_screen) {
    const double wanted = std::min(kCellsWide, kCellsShare * bounds.width());
    const double missing = wanted - (right - axis_right - row_depth);
    row_depth =
        std::clamp(row_depth - missing, std::min(row_depth, position + look.px(8)), row_depth);
  }
  const double left = axis_right + row_depth;
  const double cells_top = top + axis + column_depth;
  const double height_with_sums =
      bounds.bottom() - pad - look.px(kColumnSums) - layout.gap - cells_top;
  const bool flat = on_screen && right - left > kFlattest * height_with_sums;
  if (scene.figure.sums && bounds.height() >= look.px(kLowestBody) && !flat)
    layout.column_sums_height = look.px(kColumnSums);
  const double sums_room =
      layout.column_sums_height > 0 ? layout.column_sums_height + layout.gap : 0;
  layout.cells = QRectF(left, cells_top, std::max(16.0, right - left),
                        std::max(16.0, bounds.bottom() - pad - sums_room - cells_top));
  layout.row_axis = QRectF(bounds.left() + pad / 2, cells_top, axis, layout.cells.height());
  layout.row_labels = QRectF(left - row_depth, cells_top, row_depth, layout.cells.height());
  layout.column_axis = QRectF(left, top, layout.cells.width(), axis);
  layout.column_labels = QRectF(left, top + axis, layout.cells.width(), column_depth);
  return layout;
}

int level_for(const CanvasTransform& transform, double device_ratio) {
  const double cell = std::min(transform.x.scale, transform.y.scale) * device_ratio;
  int level = 0;
  while (std::ldexp(cell, level) < 1.0 - 1e-9 && level < 24) ++level;
  return level;
}

std::vector<TileKey> visible_tiles(const CanvasTransform& transform, const HeadRef& head, int level,
                                   Reduce reduce) {
  std::vector<TileKey> keys;
  if (head.rows <= 0) return keys;
  const auto tile_of = [&](double content, int64_t count) {
    const auto cell = std::clamp<int64_t>(static_cast<int64_t>(std::floor(content)), 0, count - 1);
    return (cell >> level) / kTileSide;
  };
  const int64_t columns = head.columns();
  // At level 0 maximum and mean are the same.
  const Reduce used = level == 0 ? Reduce::kMax : reduce;
  const int64_t row_end = tile_of(transform.y.visible_end(), head.rows),
                column_end = tile_of(transform.x.visible_end(), columns);
  for (int64_t row = tile_of(transform.y.visible_begin(), head.rows); row <= row_end; ++row) {
    for (int64_t column = tile_of(transform.x.visible_begin(), columns); column <= column_end;
         ++column) {
      keys.push_back({level, used, row, column});
    }
  }
  return keys;
}

std::vector<TileKey> visible_sums(const CanvasTransform& transform, const HeadRef& head) {
  std::vector<TileKey> keys;
  if (head.rows <= 0 || !shows_sums(transform)) return keys;
  const auto tile_of = [&](double content) {
    return std::clamp<int64_t>(static_cast<int64_t>(std::floor(content)), 0, head.rows - 1) /
           kSumRows;
  };
  for (int64_t row = tile_of(transform.y.visible_begin());
       row <= tile_of(transform.y.visible_end()); ++row) {
    keys.push_back({TileKey::kRowSums, Reduce::kMax, row, 0});
  }
  return keys;
}

std::vector<TileKey> picture_tiles(const HeatmapScene& scene, const HeatmapLayout& layout,
                                   const CanvasTransform& transform, int level) {
  std::vector<TileKey> keys = visible_tiles(transform, scene.head, level, scene.reduce);
  if (scene.head.rows <= 0) return keys;
  const auto place = [](double content, int64_t count) {
    return std::clamp<int64_t>(static_cast<int64_t>(std::floor(content)), 0, count - 1);
  };
  if (scene.keep.kind != Keep::Kind::kAll && level == 0) {
    const int64_t last = place(transform.y.visible_end(), scene.head.rows) / kSumRows;
    for (int64_t row = place(transform.y.visible_begin(), scene.head.rows) / kSumRows; row <= last;
         ++row)
      keys.push_back({TileKey::kRowCuts, Reduce::kMax, row, scene.keep.code()});
  }
  if (scene.quantity() == Quantity::kScore || is_written(scene.quantity())) {
    // The colours depend on all rows. A few tiles of row sums are computed before the cells, so
    // that the cells have about the right colours from the beginning.
    const int64_t tiles = (scene.scored_rows() + kSumRows - 1) / kSumRows,
                  step = std::max<int64_t>(1, tiles / kFirstRowTiles);
    std::vector<TileKey> first;
    for (int64_t row = tiles - 1; row >= 0; --row)
      ((tiles - 1 - row) % step == 0 ? first : keys)
          .push_back({TileKey::kRowSums, Reduce::kMax, row, 0});
    first.insert(first.end(), keys.begin(), keys.end());
    return first;
  }
  for (const TileKey& key : visible_sums(transform, scene.head)) keys.push_back(key);
  if (layout.column_sums_height <= 0 || !scene.has_column_sums()) return keys;
  const int64_t columns = scene.head.columns();
  const int64_t last = place(transform.x.visible_end(), columns) / kTileSide;
  for (int64_t column = place(transform.x.visible_begin(), columns) / kTileSide; column <= last;
       ++column)
    keys.push_back({TileKey::kColumnSums, Reduce::kMax, scene.summed_rows(), column});
  return keys;
}

std::vector<TileKey> tooltip_tiles(const HeatmapScene& scene) {
  std::vector<TileKey> keys;
  if (scene.head.combine.kind != Combine::kHead || !scene.has_column_sums()) return keys;
  for (int64_t column = 0; column * kTileSide < scene.head.columns(); ++column)
    keys.push_back({TileKey::kColumnSums, Reduce::kMax, scene.summed_rows(), column});
  return keys;
}

bool shows_sums(const CanvasTransform& transform) {
  return transform.y.scale >= kLowestSumRow;
}

CanvasTransform heatmap_transform(int64_t rows, int64_t columns, bool on_screen) {
  CanvasTransform transform;
  transform.zoom = CanvasTransform::Zoom::kUniform;
  transform.max_aspect = on_screen ? kWidestOnScreen : kWidestShape;
  transform.stretches = true;
  transform.x.max_scale = transform.y.max_scale = kLargestCell;
  transform.x.end = static_cast<double>(columns);
  transform.y.end = static_cast<double>(rows);
  return transform;
}

}  // namespace attn::gui
