// SPDX-License-Identifier: GPL-3.0-or-later
// HeatmapScene: what a picture of the heatmap depends on besides its tiles, as plain data.
// HeatmapLayout: the positions of the parts of the picture. Any thread.
#pragma once

#include <QRectF>
#include <QString>
#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/session/run/snapshot.h"
#include "gui/views/attention/row_peaks.h"
#include "gui/views/attention/weight_tile.h"
#include "gui/widgets/canvas_transform.h"
#include "gui/widgets/color_map.h"
#include "gui/widgets/figure/figure_look.h"
#include "gui/widgets/picture_look.h"
#include "gui/widgets/text/token_label.h"

namespace attn::gui {

// Marked cells: [query, query_end) x [key, key_end). With kToken the whole row `query` is marked
// and, if key < key_end, the whole column `key`.
struct HeatmapMark {
  enum class Kind { kNone, kCell, kToken, kColumns, kRange };
  Kind kind = Kind::kNone;
  int64_t query = 0, query_end = 0, key = 0, key_end = 0;
  QString label;
};

// Choices of the range of differences: values from -range to range have different colours.
inline constexpr double kDifferenceRanges[] = {1, 0.3, 0.1, 0.03};

// The past step that is shown. Rows [begin, end) were computed in this step; rows from `computed`
// on were not computed yet.
struct HeatmapPast {
  uint32_t step = 0;
  int64_t computed = 0, begin = 0, end = 0;
};

// Rounds up to two significant digits; 1 if `most` is not positive.
double rounded_up(double most);

struct HeatmapScene {
  PictureLook look;
  HeadRef head;
  QString request_name;
  int64_t num_layers = 0, num_heads = 0, num_kv_heads = 0;
  int64_t block_size = 0;
  std::vector<int32_t> blocks;  // [j]: physical block of logical block j of the keys; -1: none
  std::shared_ptr<const std::vector<TokenView>> tokens;  // may be longer than head.rows
  std::vector<TokenText> labels;                         // labels of `tokens`
  // The encoder's tokens, which are the columns in cross attention. Null in a layer of the encoder,
  // whose tokens are `tokens`, and where there is no encoder.
  std::shared_ptr<const std::vector<TokenView>> encoder_tokens;
  std::vector<TokenText> encoder_labels;
  double widest_label = 0;          // px
  double widest_encoder_label = 0;  // px, of encoder_labels alone

  ColorMapId map = ColorMapId::kCividis;
  ColorScale scale = weight_scale(ColorScale::Kind::kLinear);
  Reduce reduce = Reduce::kMax;
  double difference_range = 1;
  Keep keep;                              // which cells are shown; the others are faint
  std::optional<ScoreRange> score_range;  // of the rows read so far; nullopt: none

  int64_t without_query = 0;                   // see tokens_without_query()
  std::optional<HeatmapPast> past;             // nullopt: everything computed so far is shown
  HeatmapMark mark;                            // the selection
  int64_t cursor_query = -1, cursor_key = -1;  // keyboard cursor; -1: at the selected cell, or none
  int64_t hover_query = -1, hover_key = -1;
  bool focus = false;
  int64_t behind = 0;    // number of tiles left to compute; 0 for the weights of one head
  bool caption = false;  // whether a caption is drawn; only in exports
  FigureLook figure;     // what exported figures have

  int64_t rows() const { return head.rows; }
  int64_t columns() const { return head.columns(); }
  bool came_later(int64_t query) const { return past && query >= past->computed; }
  bool keys_are_tokens() const { return head.keys_are_tokens(); }
  const std::vector<TokenText>& key_labels() const {
    return keys_are_tokens() ? labels : encoder_labels;
  }
  void read_blocks(const RequestView& request) {
    blocks = request.table(keys_are_tokens() ? TableKind::kOwn : TableKind::kCross).blocks;
  }
  // Takes the tokens of the request and makes labels of those that are new. other_request: before,
  // the scene showed another request, or its encoder instead of its decoder or the reverse.
  void read_tokens(const RequestView& request, bool other_request);
  // Sets the two widths again. Call this when the font changes.
  void measure_labels();
  // Reads the look from the theme and measures the labels with its font.
  void read_look();
  Quantity quantity() const { return head.quantity; }
  bool shows_weights() const { return head.quantity == Quantity::kWeight; }
  bool shows_one_whole_head() const {
    return head.combine.kind == Combine::kHead && keep.kind == Keep::Kind::kAll && shows_weights();
  }
  bool has_signs() const {
    return head.combine.is_difference() || head.quantity == Quantity::kScore;
  }
  // The rows before this one set the colour scale of scores and of weight * length.
  int64_t scored_rows() const { return past ? past->computed : rows(); }
  ColorScale shown_scale() const;
  ColorTable shown_colors() const;
  // How many query rows the column sums include; 0: all, or none at a past step before the first.
  int64_t summed_rows() const { return past ? past->computed : 0; }
  bool has_column_sums() const { return shows_weights() && (!past || past->computed > 0); }
  int64_t kv_head() const { return num_kv_heads > 0 ? head.head / (num_heads / num_kv_heads) : 0; }
};

struct HeatmapTitle {
  QString full, brief;  // brief: request, layer and head
};
// The title of a file, without regard to FigureLook::own_title.
HeatmapTitle heatmap_title(const HeatmapScene& scene);

struct HeatmapLayout {
  std::vector<QString> caption_lines;
  QRectF caption, cells, row_labels, column_labels, row_axis, column_axis;
  double sums_width = 0, legend_width = 0, gap = 0;
  double column_sums_height = 0;  // 0: column sums are left out
  double right = 0;               // right end of the legend
  double label_pitch = 0;         // least px between labels
  bool on_screen = false;         // in the window, where a reader can zoom in

  // The row sums begin right of the last visible column, whose right end is content_right; the
  // legend begins right of the row sums. The legend gets the remaining width, at least
  // legend_width.
  QRectF sums(double content_right) const;
  QRectF legend(double content_right, double bottom) const;
  QRectF column_sums(double content_bottom) const {
    return {cells.left(), content_bottom + gap, cells.width(), column_sums_height};
  }
};

// on_screen: true: for the window. There a flat panel has no column sums, and labels may be closer
// together than in a file. In a narrow file the labels of rows lose their tokens, not their
// positions, so that the cells keep some width.
HeatmapLayout layout_heatmap(const HeatmapScene& scene, const QRectF& bounds,
                             bool on_screen = false);
// The width that labels need, px: at least that of two digits. Only long labels are measured.
double widest_token(std::span<const TokenText> labels, const QFont& font);

// Level of detail: the smallest level at which each side of an entry (2^level cells) is at least
// one device pixel.
int level_for(const CanvasTransform& transform, double device_ratio);
std::vector<TileKey> visible_tiles(const CanvasTransform& transform, const HeadRef& head, int level,
                                   Reduce reduce);
// The tiles of the visible row sums; none if rows are too low for bars.
std::vector<TileKey> visible_sums(const CanvasTransform& transform, const HeadRef& head);
// The tiles of cells, row cuts and sums that a picture needs, also for its colours.
std::vector<TileKey> picture_tiles(const HeatmapScene& scene, const HeatmapLayout& layout,
                                   const CanvasTransform& transform, int level);
// The tiles of the sums of all columns, which the tooltip of a cell adds up, also where there is no
// room to draw them. Empty for several heads, whose sums take long.
std::vector<TileKey> tooltip_tiles(const HeatmapScene& scene);

bool shows_sums(const CanvasTransform& transform);  // true: rows are high enough for bars
// on_screen: true: for the window. There the sides of a cell may differ more than in a file.
CanvasTransform heatmap_transform(int64_t rows, int64_t columns, bool on_screen = false);

}  // namespace attn::gui
