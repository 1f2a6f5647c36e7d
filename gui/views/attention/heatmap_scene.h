// SPDX-License-Identifier: GPL-3.0-or-later
// HeatmapScene: everything a picture of the heatmap depends on besides the weights, as plain data;
// the screen and the exported files are painted from it by the same routine. HeatmapLayout: where
// its parts lie. Any thread.
#pragma once

#include <QRectF>
#include <QString>
#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/session/snapshot.h"
#include "gui/views/attention/weight_tile.h"
#include "gui/widgets/canvas_transform.h"
#include "gui/widgets/color_map.h"
#include "gui/widgets/picture_look.h"
#include "gui/widgets/token_label.h"

namespace attn::gui {

// Something to point out: cells [query, query_end) x [key, key_end); whole rows or columns as
// bands.
struct HeatmapMark {
  enum class Kind { kNone, kCell, kToken, kColumns, kRange };
  Kind kind = Kind::kNone;
  int64_t query = 0, query_end = 0, key = 0, key_end = 0;
  QString label;  // "block 7"
};

// Differences are drawn up to one of these.
inline constexpr double kDifferenceRanges[] = {1, 0.3, 0.1, 0.03};

// A step of the past: rows from `computed` on came later, [begin, end) in this step.
struct HeatmapPast {
  uint32_t step = 0;
  int64_t computed = 0, begin = 0, end = 0;
};

struct HeatmapScene {
  PictureLook look;
  HeadRef head;
  QString request_name;
  int64_t num_layers = 0, num_heads = 0, num_kv_heads = 0;
  int64_t block_size = 0;
  std::vector<int32_t> blocks;                           // physical block of logical block j
  std::shared_ptr<const std::vector<TokenView>> tokens;  // may be longer than head.rows
  std::vector<TokenText> labels;                         // of tokens
  // Cross attention: those of the encoder, which the columns stand for; else null.
  std::shared_ptr<const std::vector<TokenView>> encoder_tokens;
  std::vector<TokenText> encoder_labels;
  double widest_label = 0;  // px, of both

  ColorMapId map = ColorMapId::kCividis;
  ColorScale scale = weight_scale(ColorScale::Kind::kLinear);
  Reduce reduce = Reduce::kMax;
  double difference_range = 1;  // differences are drawn from -range to range
  Keep keep;                    // which cells are not hidden

  std::optional<HeatmapPast> past;             // nothing: all that there is now
  HeatmapMark mark;                            // the selection
  int64_t cursor_query = -1, cursor_key = -1;  // of the keyboard, where it is not the selection
  int64_t hover_query = -1, hover_key = -1;
  bool focus = false;
  int64_t behind = 0;    // tiles that are still being computed, where that may take a while
  bool caption = false;  // exports say in words what the controls of the window say

  int64_t rows() const { return head.rows; }
  int64_t columns() const { return head.columns(); }
  bool came_later(int64_t query) const { return past && query >= past->computed; }
  // The keys are the tokens of the rows; in cross attention they are the encoder's.
  bool keys_are_tokens() const { return head.keys_are_tokens(); }
  const std::vector<TokenText>& key_labels() const {
    return keys_are_tokens() ? labels : encoder_labels;
  }
  // How the values are drawn: differences have colours and a scale of their own.
  ColorScale shown_scale() const;
  ColorTable shown_colors() const;
  // Query rows that count in column sums, 0: all.
  int64_t summed_rows() const { return past ? std::max<int64_t>(1, past->computed) : 0; }
  int64_t kv_head() const { return num_kv_heads > 0 ? head.head / (num_heads / num_kv_heads) : 0; }
};

struct HeatmapLayout {
  QRectF caption, cells, row_labels, column_labels, row_axis, column_axis;
  double sums_width = 0, legend_width = 0, gap = 0;
  double column_sums_height = 0;  // 0: no room for them
  double right = 0;               // where the room of the legend ends

  // These two stand right of the last visible column, so a narrow matrix keeps them near. The
  // legend has all that is left, at least legend_width.
  QRectF sums(double content_right) const;
  QRectF legend(double content_right, double bottom) const;
  // Below the last visible row.
  QRectF column_sums(double content_bottom) const {
    return {cells.left(), content_bottom + gap, cells.width(), column_sums_height};
  }
};

HeatmapLayout layout_heatmap(const HeatmapScene& scene, const QRectF& bounds);
// The widest of these labels, in pixels, at least two figures. Of labels that were added: the
// larger of this and what the others gave.
double widest_token(std::span<const TokenText> labels, const QFont& font);

// Level of detail: the smallest with 2^level cells per device pixel at least.
int level_for(const CanvasTransform& transform, double device_ratio);
// Tiles [row, column] that hold the visible cells at this level; and those of the row sums.
std::vector<TileKey> visible_tiles(const CanvasTransform& transform, const HeadRef& head, int level,
                                   Reduce reduce);
std::vector<TileKey> visible_sums(const CanvasTransform& transform, const HeadRef& head);
// All tiles that a picture needs: cells, what is kept of their rows, sums.
std::vector<TileKey> picture_tiles(const HeatmapScene& scene, const HeatmapLayout& layout,
                                   const CanvasTransform& transform, int level);
bool shows_sums(const CanvasTransform& transform);  // rows are high enough for bars
// Content and limits of the heatmap's canvas.
CanvasTransform heatmap_transform(int64_t rows, int64_t columns);

}  // namespace attn::gui
