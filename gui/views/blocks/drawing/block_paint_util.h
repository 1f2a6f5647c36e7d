// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the cell of a block, the entries of the legend, and the thumb of scrolled tables. GUI
// thread.
#pragma once

#include <QBrush>
#include <QColor>
#include <QPainter>
#include <QRectF>

#include "engine/session/run/snapshot.h"
#include "gui/views/blocks/blocks_scene.h"
#include "gui/widgets/color_map.h"

namespace attn::gui {

QColor free_edge();     // outline of a free block
QBrush cached_brush();  // fill of a free block that is found by its prefix
// `rect` on whole pixels, without `gap` at right and bottom.
QRectF snapped(const QRectF& rect, double gap);

struct BlockCellStyle {
  int64_t block = 0;  // number of the block
  bool numbered = false;
  bool on_host = false;        // a block of the swap pool; its outline is dotted
  bool marks_hashed = false;   // written as "#7": the block is found by its prefix
  bool slots_as_text = false;  // true: the caller draws the slots itself
  int64_t block_size = 1;
  uint32_t step = 0;   // the present step, for the marks of this step
  QColor color, edge;  // colours of a used block
  QBrush fill;         // brush of filled slots
};
// The style of the block at this place, except for `numbered` and `slots_as_text`.
BlockCellStyle cell_style(const BlocksScene& scene, int64_t place);
bool is_lit(const BlocksScene& scene, int64_t place);
// Draws digits, # and × in the middle of `rect`, in the painter's font.
void paint_cell_text(QPainter& painter, const QRectF& rect, const QString& words);
double cell_text_width(const QFont& font, const QString& words);

// The places of the number of a block and of its reference count in its cell: beside each other, or
// the count below the number. cap_height: height of a digit; line_height: height of a line of the
// font.
struct BlockTexts {
  QRectF number, count;  // `count` with its ground; empty: it is not drawn
  double bar = 0;
};
BlockTexts place_block_texts(const QRectF& body, double number_width, double count_width,
                             double cap_height, double line_height, bool slots_as_text);

// Draws one block. A free block is hollow, or hatched if it is cached. A used block has a tinted
// body. If it is numbered and shared, it has its count if there is room; if it was taken in this
// step, an outline in the colour `good`; if it was read or written in it, corners in a large cell.
void paint_block_cell(QPainter& painter, const QRectF& body, const BlockView& view,
                      const BlockCellStyle& style);

// Draws the thumb of a scrolled table: at its right edge if `vertical`, else at its lower edge.
void paint_thumb(QPainter& painter, const TableLayout& tables, bool vertical);

// Draws entries from left to right. An entry that does not fit is left out whole, and its function
// returns false.
class LegendLine {
 public:
  // painter: null: only tells what would fit.
  LegendLine(QPainter* painter, const QRectF& bounds, int lines);
  ~LegendLine();
  double x() const { return x_; }
  double width_of(const QString& name) const;  // of an entry, with the space behind it
  const QRectF& line() const { return bounds_; }
  int lines() const { return lines_; }
  bool is_first_line() const { return line_ == 0; }
  bool swatch(const QBrush& fill, const QColor& edge, const QString& name);
  bool outline(const QColor& color, const QString& name);
  bool corner(const QColor& color, bool left, const QString& name);
  bool arrow(const QColor& color, Qt::PenStyle line, const QString& name);
  bool ramp(ColorMapId map, bool reversed, const QString& name, const QString& low,
            const QString& high);
  bool text(const QString& text);

 private:
  bool entry(const QString& name, QRectF* box);
  // Goes to the next line if less than this width is left of the line. False: it does not fit.
  bool find_room(double width);
  void write(double left, double width, const QString& words);
  QPainter* painter_;
  QFont font_;
  QRectF bounds_;  // bounds of the present line
  int lines_, line_ = 0;
  double x_;
};

}  // namespace attn::gui
