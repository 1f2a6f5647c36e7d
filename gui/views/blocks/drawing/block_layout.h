// SPDX-License-Identifier: GPL-3.0-or-later
// BlockGrid places the cells of a pool, TableLayout the block tables, in pixels of the view; both
// also find what is at a point. Any thread, but one at a time for an object.
#pragma once

#include <QPointF>
#include <QRectF>
#include <cstdint>

#include "gui/widgets/canvas_transform.h"

namespace attn::gui {

// The number of columns with which `num_blocks` square cells in width x height are largest, or a
// power of two if its cells are nearly as large.
int64_t best_columns(int64_t num_blocks, double width, double height);

// Block b is in column b % columns, row b / columns. Content units of the transform are cells.
class BlockGrid {
 public:
  // The largest cell when everything is shown, and when zoomed in; px at 100% text size.
  static constexpr double kLargestFitCell = 128;
  static constexpr double kLargestCell = 320;

  void set_area(const QRectF& area);
  void set_num_blocks(int64_t num_blocks);
  void set_scale_of_text(double percent) { text_scale_ = percent / 100.0; }

  const QRectF& area() const { return area_; }
  int64_t num_blocks() const { return num_blocks_; }
  int64_t columns() const { return columns_; }
  int64_t rows() const { return columns_ > 0 ? (num_blocks_ + columns_ - 1) / columns_ : 0; }
  double cell() const { return transform_.x.scale; }
  bool is_fit() const { return fit_; }

  QRectF rect_of(int64_t block) const;
  int64_t block_at(const QPointF& point) const;  // -1: none
  // The rows and columns that are visible: [first_row, last_row) x [first_column, last_column).
  struct Span {
    int64_t first_row = 0, last_row = 0, first_column = 0, last_column = 0;
  };
  Span visible() const;

  void fit();
  void zoom_at(const QPointF& point, double factor);
  void zoom_center(double factor);
  void pan(const QPointF& pixels);
  void reveal(int64_t block);
  void fit_block(int64_t block);
  std::vector<double> place() const;  // empty: fit
  void go_to_place(const std::vector<double>& place);

 private:
  void limit_fit();

  QRectF area_;
  int64_t num_blocks_ = 0, columns_ = 1;
  double text_scale_ = 1;
  bool fit_ = true;
  CanvasTransform transform_;
};

// One row per table, logical blocks from left to right.
struct TableLayout {
  QRectF area;
  double header = 16;          // height of the line of logical numbers
  double gutter = 80;          // width of the names
  double row = 24, cell = 30;  // pitch of rows and of logical blocks
  double gap = 2;
  double more = 0;        // width of the mark that tells how many entries of a row are cut off
  double slot_strip = 0;  // height of the strip of slots under the rows; 0: none
  int64_t num_rows = 0, longest = 0;  // number of tables; logical blocks of the longest
  double scroll_x = 0, scroll_y = 0;

  double full_height() const { return header + static_cast<double>(num_rows) * row; }
  QRectF body() const;  // the area of the cells
  // The strip of slots: under the last row, or at the bottom if not all rows fit.
  QRectF strip_rect() const;
  double max_scroll_x() const;
  double max_scroll_y() const;
  void clamp();
  QRectF row_rect(int64_t r) const;
  QRectF cell_rect(int64_t r, int64_t logical) const;
  int64_t row_at(const QPointF& point) const;      // -1: none
  int64_t logical_at(const QPointF& point) const;  // -1: none; not limited to the row's length
  // The first column that does not fit at the right; `longest` if all fit.
  int64_t columns_until() const;
  // In a row of `entries` entries: the index of the first that is cut off at the right or covered
  // by the mark; `entries` if there is none.
  int64_t shown_until(int64_t entries) const;
  void reveal(int64_t r, int64_t logical);

 private:
  int64_t fitting(double width) const;
};

}  // namespace attn::gui
