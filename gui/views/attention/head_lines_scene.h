// SPDX-License-Identifier: GPL-3.0-or-later
// HeadLinesScene: what a picture of head lines depends on, as plain data: tokens in two columns,
// left those that read, right those that are read, and the weights between them. HeadLinesLayout:
// where its parts lie. Any thread.
#pragma once

#include <QColor>
#include <QRectF>
#include <QString>
#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "engine/session/snapshot.h"
#include "gui/views/attention/line_rows.h"
#include "gui/widgets/canvas_transform.h"
#include "gui/widgets/picture_look.h"
#include "gui/widgets/token_label.h"

namespace attn::gui {

enum class LineSide : uint8_t { kQuery, kKey };

// A token of one column.
struct LineToken {
  LineSide side = LineSide::kQuery;
  int64_t position = -1;
  bool operator==(const LineToken&) const = default;
};

struct HeadLinesScene {
  PictureLook look;
  HeadRef base;                     // record, layer, rows, and the head that the other views show
  std::vector<int64_t> heads;       // drawn, ascending
  std::vector<QColor> head_colors;  // [num_heads], at least 3:1 on the surface
  std::shared_ptr<const LineData> data;  // null: nothing read
  LineFilter filter;
  QString request_name;
  int64_t num_layers = 0, num_heads = 0, num_kv_heads = 0;
  int64_t prompt_len = 0;
  std::optional<uint32_t> past_step;  // under the time cursor; nothing: all that there is now
  std::shared_ptr<const std::vector<TokenView>> tokens;  // may be longer than base.rows
  // Cross attention: those of the encoder, on the right; else null.
  std::shared_ptr<const std::vector<TokenView>> encoder_tokens;
  double widest_label = 0;           // px
  std::optional<LineToken> pointed;  // pointer or keyboard
  std::optional<LineToken> locked;   // the selection
  int64_t marked_key = -1;           // key of a selected cell
  bool focus = false;
  bool caption = false;  // exports say in words what the controls of the window say

  int64_t rows() const { return base.rows; }
  int64_t keys() const { return base.columns(); }
  // The keys are the tokens of the rows; in cross attention they are the encoder's.
  bool keys_are_tokens() const { return base.keys_are_tokens(); }
  // Of the longer column: both scroll together.
  int64_t length() const { return keys_are_tokens() ? rows() : std::max(rows(), keys()); }
  // Of one column; null past its end.
  const TokenView* token_at(LineSide side, int64_t position) const {
    const auto& column = side == LineSide::kQuery || keys_are_tokens() ? tokens : encoder_tokens;
    return column && position >= 0 && position < static_cast<int64_t>(column->size())
               ? &(*column)[static_cast<size_t>(position)]
               : nullptr;
  }
  // The token whose lines alone are drawn: the locked one, else the one that is pointed at.
  std::optional<LineToken> chosen() const { return locked ? locked : pointed; }
};

struct HeadLine {
  int64_t head = 0, query = 0, key = 0;
  float weight = 0;
  bool operator==(const HeadLine&) const = default;
};

// Queries and keys [begin, end) that are at least partly in the window.
struct LineWindow {
  int64_t q_begin = 0, q_end = 0, k_begin = 0, k_end = 0;
  // Lines to keys before the first and from the second on end at the edge of the window: the middle
  // of the key lies outside.
  int64_t k_above = 0, k_below = 0;
  bool operator==(const LineWindow&) const = default;
};
LineWindow window_of(const CanvasAxis& queries, const CanvasAxis& keys,
                     const HeadLinesScene& scene);

// What is drawn and what is not, over the rows of the window; of one row, or one key, where a token
// is chosen.
struct LinesShown {
  static constexpr size_t kMost = 2000;  // more cannot be told apart: the strongest are drawn

  std::vector<HeadLine> lines;  // drawn, lightest first
  int64_t kept = 0;             // lines that the filter keeps
  double undrawn = 0;           // mass of those that are not drawn
  int64_t rows = 0;             // computed rows of all heads
  int64_t missing = 0;          // rows that are not computed, or not read yet
  int64_t nan_rows = 0;
  double mass = 0, hidden = 0;  // of those rows; hidden by the filter
  double first = 0;             // on key 0
  // Of the kept lines: those to keys above and below the window.
  int64_t lines_above = 0, lines_below = 0;
  double mass_above = 0, mass_below = 0;
  // Of a chosen key: rows outside the window that read it, and with how much.
  int64_t readers_above = 0, readers_below = 0;
};
LinesShown lines_of(const HeadLinesScene& scene, const LineWindow& window);

// "47 lines; 0.134 of the mass of 24 rows is hidden: weights below 0.05"
QString lines_sentence(const HeadLinesScene& scene, const LinesShown& shown);

struct HeadLinesLayout {
  QRectF caption, axis_names, left_values, left_labels, lines, right_labels, right_values, legend,
      footer;
  double value_width = 0;   // of the numbers of one head
  int64_t value_heads = 0;  // heads whose numbers have room
};
// Lines that leave the window end this far above or below it, px.
double edge_distance(const PictureLook& look);
HeadLinesLayout layout_lines(const HeadLinesScene& scene, const QRectF& bounds);

// The axis of both columns as it is at first: every label readable, all of it if that fits. tokens:
// of the longer one.
CanvasAxis lines_axis(int64_t tokens, double pixels, const PictureLook& look);
// Where the queries lie beside keys on that axis: on the same, or, where they are a quarter of the
// keys or fewer and their labels find room, over all of the height.
CanvasAxis queries_beside(const CanvasAxis& keys, const HeadLinesScene& scene);

}  // namespace attn::gui
