// SPDX-License-Identifier: GPL-3.0-or-later
// HeadLinesScene: what a picture of head lines depends on, as plain data: queries in the left
// column, keys in the right one, and the numbers between them. HeadLinesLayout: the positions of
// the parts. Any thread.
#pragma once

#include <QColor>
#include <QRectF>
#include <QString>
#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "engine/session/run/snapshot.h"
#include "gui/views/attention/lines/line_rows.h"
#include "gui/widgets/canvas_transform.h"
#include "gui/widgets/figure/figure_look.h"
#include "gui/widgets/picture_look.h"
#include "gui/widgets/text/token_label.h"

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
  HeadRef base;                // its head is the one that the other views show
  std::vector<int64_t> heads;  // the heads drawn, ascending
  // The lengths of each of `heads`; empty unless base.quantity is weight * length.
  std::vector<std::shared_ptr<KeyLengths>> lengths;
  std::vector<QColor> head_colors;       // [num_heads]
  std::shared_ptr<const LineData> data;  // what has been read; null: nothing
  LineFilter filter;
  QString request_name;
  int64_t num_layers = 0, num_heads = 0, num_kv_heads = 0;
  int64_t prompt_len = 0;
  int64_t without_query = 0;  // see tokens_without_query()
  // The step at the time cursor; nullopt: everything computed so far is shown.
  std::optional<uint32_t> past_step;
  std::shared_ptr<const std::vector<TokenView>> tokens;  // may be longer than base.rows
  // The encoder's tokens, which in cross attention are the right column. Null in a layer of the
  // encoder, whose tokens are `tokens`, and where there is no encoder.
  std::shared_ptr<const std::vector<TokenView>> encoder_tokens;
  double widest_label = 0;           // width that tokens need, px; see widest_token()
  std::optional<LineToken> pointed;  // token pointed at in any view or by keys
  std::optional<LineToken> locked;   // selected token, or query of a selected cell
  int64_t marked_key = -1;           // key of a selected cell; -1: none
  bool focus = false;
  bool caption = false;  // true: the picture is for a file, with the title of `figure`
  FigureLook figure;
  // How many lines the sentence below the lines has; in the window one, which is cut if need be.
  int64_t footer_lines = 1;

  int64_t rows() const { return base.rows; }
  int64_t keys() const { return base.columns(); }
  bool keys_are_tokens() const { return base.keys_are_tokens(); }
  // Number of tokens of the longer column.
  int64_t length() const { return keys_are_tokens() ? rows() : std::max(rows(), keys()); }
  bool shows_weights() const { return base.quantity == Quantity::kWeight; }
  double full() const { return data ? data->full : 1; }  // LineData::full
  // The sum of a row over the heads drawn; NaN: a head's row has not been read, or it is NaN.
  double row_sum(int64_t query) const;
  // Null: there is no such token.
  const TokenView* token_at(LineSide side, int64_t position) const {
    const auto& column = side == LineSide::kQuery || keys_are_tokens() ? tokens : encoder_tokens;
    return column && position >= 0 && position < static_cast<int64_t>(column->size())
               ? &(*column)[static_cast<size_t>(position)]
               : nullptr;
  }
  // The chosen token: the locked one or, if there is none, the pointed one. If a token is chosen,
  // only its lines are drawn.
  std::optional<LineToken> chosen() const { return locked ? locked : pointed; }
};

struct HeadLine {
  int64_t head = 0, query = 0, key = 0;
  float weight = 0;  // or weight * length
  bool operator==(const HeadLine&) const = default;
};

// Queries and keys [begin, end) that are at least partly in the window.
struct LineWindow {
  int64_t q_begin = 0, q_end = 0, k_begin = 0, k_end = 0;
  // Lines to keys before k_above, and to keys from k_below on, end a little outside the window,
  // because the middle of the key is not in the window.
  int64_t k_above = 0, k_below = 0;
  bool operator==(const LineWindow&) const = default;
};
LineWindow window_of(const CanvasAxis& queries, const CanvasAxis& keys,
                     const HeadLinesScene& scene);

// Which lines are drawn, and numbers about all lines. The numbers are those of the rows in the
// window; if a query is chosen, those of its row only; if a key is chosen, those of its column in
// these rows.
struct LinesShown {
  // At most this many lines are drawn, the strongest ones.
  static constexpr size_t kMost = 2000;

  std::vector<HeadLine> lines;  // drawn, smallest weight first
  int64_t kept = 0;             // number of lines that the filter keeps
  double undrawn = 0;           // sum of the kept weights that are not drawn
  int64_t rows = 0;             // rows that are read and not NaN, over all heads drawn
  int64_t missing = 0;          // rows that are not computed or not read yet
  int64_t given = 0;            // rows of tokens without a query
  int64_t nan_rows = 0;
  double mass = 0, hidden = 0;  // sum of the weights; the part of it that the filter hides
  double first = 0;             // the part of `mass` on key 0; 0 if a key is chosen
  // The largest difference between 1 and a positive sum of a row's weights, over these rows. NaN:
  // the layer has sinks, or there is no such row.
  double off = std::numeric_limits<double>::quiet_NaN();
  // Kept lines to keys before k_above and from k_below on, and the sums of their weights.
  int64_t lines_above = 0, lines_below = 0;
  double mass_above = 0, mass_below = 0;
  // If a key is chosen: how many rows above and below the window read it, over all heads drawn,
  // with a weight that reaches the filter's threshold, if it has one.
  int64_t readers_above = 0, readers_below = 0;
};
LinesShown lines_of(const HeadLinesScene& scene, const LineWindow& window);

// A text such as "47 lines; hidden: 0.134 of the sum of 24 rows (weights below 0.05)".
QString lines_sentence(const HeadLinesScene& scene, const LinesShown& shown);
// lines_sentence() after the token that is chosen.
QString footer_text(const HeadLinesScene& scene, const LinesShown& shown);
QString head_name(int64_t head);  // "head 2"

struct HeadLinesLayout {
  QRectF caption, axis_names, left_values, left_labels, lines, right_labels, right_values, legend,
      footer;
  double value_width = 0;   // width of the column of numbers of one head, px
  int64_t value_heads = 0;  // number of such columns on a side
  std::vector<QString> caption_lines;
  // In a picture that is too narrow for the legend: the names of several heads, in columns of this
  // width. 0: there are none.
  QRectF head_names;
  double head_column = 0;
};
// px at 100%: the least width for which a picture is laid out.
inline constexpr double kNarrowestLines = 320;
// Lines to tokens outside the window end this far above or below it, px.
double edge_distance(const PictureLook& look);
HeadLinesLayout layout_lines(const HeadLinesScene& scene, const QRectF& bounds);

// The initial axis of the longer column: labels are readable, and everything is visible if that
// fits. tokens: length of the column. pixels: height of the viewport.
CanvasAxis lines_axis(int64_t tokens, double pixels, const PictureLook& look);
// The axis of the queries beside an axis of keys. If there are at most a quarter as many queries as
// keys and their labels fit, it spreads the queries over the whole height; otherwise it is `keys`.
CanvasAxis queries_beside(const CanvasAxis& keys, const HeadLinesScene& scene);

}  // namespace attn::gui
