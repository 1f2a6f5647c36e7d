// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/blocks/drawing/block_layout.h"

#include <algorithm>
#include <cmath>

namespace attn::gui {
namespace {

// A power of two becomes the number of columns if its cells have at least this share of the largest
// possible size.
constexpr double kPowerOfTwoShare = 0.85;

double cell_for(int64_t num_blocks, int64_t columns, double width, double height) {
  const int64_t rows = (num_blocks + columns - 1) / columns;
  return std::min(width / static_cast<double>(columns), height / static_cast<double>(rows));
}

// The number of columns for few blocks in much room: the power of two with which the grid has about
// the shape of its area, changed if the grid does not fit.
int64_t shaped_columns(int64_t num_blocks, double width, double height, double cell) {
  const double ideal = std::sqrt(static_cast<double>(std::max<int64_t>(1, num_blocks)) * width /
                                 std::max(1.0, height));
  auto columns = static_cast<int64_t>(std::exp2(std::round(std::log2(std::max(1.0, ideal)))));
  while (columns > 1 && static_cast<double>(columns) * cell > width) columns /= 2;
  while (
      columns<num_blocks&& static_cast<double>((num_blocks + columns - 1) / columns) * cell> height)
    ++columns;
  return std::clamp<int64_t>(columns, 1, std::max<int64_t>(1, num_blocks));
}

}  // namespace

int64_t best_columns(int64_t num_blocks, double width, double height) {
  if (num_blocks <= 1 || !(width > 0) || !(height > 0)) return 1;
  const double ideal = std::sqrt(static_cast<double>(num_blocks) * width / height);
  const auto around = static_cast<int64_t>(ideal);
  int64_t best = 1;
  double best_cell = 0;
  for (int64_t columns = std::max<int64_t>(1, around / 2);
       columns <= std::min(num_blocks, around * 2 + 2); ++columns) {
    const double cell = cell_for(num_blocks, columns, width, height);
    if (cell > best_cell + 1e-9) {
      best = columns;
      best_cell = cell;
    }
  }
  for (int64_t columns = 1; columns <= num_blocks; columns *= 2)
    if (cell_for(num_blocks, columns, width, height) >= kPowerOfTwoShare * best_cell)
      return columns;
  return best;
}

void BlockGrid::set_area(const QRectF& area) {
  if (area == area_) return;
  area_ = area;
  transform_.set_viewport(std::max(1.0, area.width()), std::max(1.0, area.height()));
  if (fit_) fit();
}

void BlockGrid::set_num_blocks(int64_t num_blocks) {
  if (num_blocks == num_blocks_) return;
  num_blocks_ = num_blocks;
  fit();
}

void BlockGrid::fit() {
  fit_ = true;
  const double most = kLargestFitCell * text_scale_;
  columns_ = best_columns(num_blocks_, std::max(1.0, area_.width()), std::max(1.0, area_.height()));
  if (cell_for(std::max<int64_t>(1, num_blocks_), columns_, area_.width(), area_.height()) > most)
    columns_ = shaped_columns(num_blocks_, area_.width(), area_.height(), most);
  transform_.x.max_scale = transform_.y.max_scale = kLargestCell * text_scale_;
  transform_.set_content(0, static_cast<double>(columns_), 0,
                         static_cast<double>(std::max<int64_t>(1, rows())));
  transform_.fit();
  limit_fit();
}

void BlockGrid::limit_fit() {
  const double cell =
      std::min({transform_.x.scale, transform_.y.scale, kLargestFitCell * text_scale_});
  transform_.x.scale = transform_.y.scale = cell;
  transform_.x.clamp();
  transform_.y.clamp();
}

std::vector<double> BlockGrid::place() const {
  if (fit_) return {};
  return {transform_.x.offset, transform_.y.offset, cell()};
}

void BlockGrid::go_to_place(const std::vector<double>& place) {
  if (place.size() != 3) return fit();
  fit_ = false;
  transform_.x.go(place[0], place[2]);
  transform_.y.go(place[1], place[2]);
}

QRectF BlockGrid::rect_of(int64_t block) const {
  const auto column = static_cast<double>(block % columns_),
             row = static_cast<double>(block / columns_);
  return {area_.left() + transform_.x.to_pixel(column), area_.top() + transform_.y.to_pixel(row),
          cell(), cell()};
}

int64_t BlockGrid::block_at(const QPointF& point) const {
  if (!area_.contains(point) || num_blocks_ == 0) return -1;
  const double column = std::floor(transform_.x.to_content(point.x() - area_.left()));
  const double row = std::floor(transform_.y.to_content(point.y() - area_.top()));
  if (column < 0 || row < 0 || column >= static_cast<double>(columns_)) return -1;
  const int64_t block = static_cast<int64_t>(row) * columns_ + static_cast<int64_t>(column);
  return block < num_blocks_ ? block : -1;
}

BlockGrid::Span BlockGrid::visible() const {
  if (num_blocks_ == 0) return {};
  Span span;
  span.first_column = static_cast<int64_t>(std::floor(transform_.x.visible_begin()));
  span.first_row = static_cast<int64_t>(std::floor(transform_.y.visible_begin()));
  span.last_column =
      std::min(columns_, static_cast<int64_t>(std::ceil(transform_.x.visible_end())));
  span.last_row = std::min(rows(), static_cast<int64_t>(std::ceil(transform_.y.visible_end())));
  return span;
}

void BlockGrid::zoom_at(const QPointF& point, double factor) {
  const double before = cell();
  transform_.zoom_at(point.x() - area_.left(), point.y() - area_.top(), factor);
  if (cell() < before || factor < 1) {
    if (transform_.is_fit()) return fit();
  }
  fit_ = false;
}

void BlockGrid::zoom_center(double factor) {
  zoom_at(area_.center(), factor);
}

void BlockGrid::pan(const QPointF& pixels) {
  transform_.pan(pixels.x(), pixels.y());
}

void BlockGrid::reveal(int64_t block) {
  if (block < 0 || block >= num_blocks_) return;
  const auto column = static_cast<double>(block % columns_),
             row = static_cast<double>(block / columns_);
  transform_.x.reveal(column, column + 1);
  transform_.y.reveal(row, row + 1);
}

void BlockGrid::fit_block(int64_t block) {
  if (block < 0 || block >= num_blocks_) return;
  const double side =
      std::min(kLargestCell * text_scale_, 0.9 * std::min(area_.width(), area_.height()));
  const double column = static_cast<double>(block % columns_) + 0.5;
  const double row = static_cast<double>(block / columns_) + 0.5;
  const double half_x = area_.width() / side / 2, half_y = area_.height() / side / 2;
  transform_.show(column - half_x, column + half_x, row - half_y, row + half_y);
  fit_ = false;
}

QRectF TableLayout::body() const {
  return {area.left() + gutter, area.top() + header, std::max(0.0, area.width() - gutter),
          std::max(0.0, area.height() - header - slot_strip)};
}

QRectF TableLayout::strip_rect() const {
  const double top =
      std::min(body().bottom(), body().top() + static_cast<double>(num_rows) * row + gap);
  return {area.left(), top, area.width(), slot_strip};
}

double TableLayout::max_scroll_x() const {
  return std::max(0.0, static_cast<double>(longest) * cell - body().width());
}

double TableLayout::max_scroll_y() const {
  return std::max(0.0, static_cast<double>(num_rows) * row - body().height());
}

void TableLayout::clamp() {
  scroll_x = std::clamp(scroll_x, 0.0, max_scroll_x());
  scroll_y = std::clamp(scroll_y, 0.0, max_scroll_y());
}

QRectF TableLayout::row_rect(int64_t r) const {
  return {area.left(), body().top() + static_cast<double>(r) * row - scroll_y, area.width(), row};
}

QRectF TableLayout::cell_rect(int64_t r, int64_t logical) const {
  const QRectF line = row_rect(r);
  return {body().left() + static_cast<double>(logical) * cell - scroll_x, line.top(), cell - gap,
          row - gap};
}

int64_t TableLayout::row_at(const QPointF& point) const {
  const QRectF inside = body();
  if (point.x() < area.left() || point.x() >= area.right() || point.y() < inside.top() ||
      point.y() >= inside.bottom())
    return -1;
  const auto r = static_cast<int64_t>(std::floor((point.y() - inside.top() + scroll_y) / row));
  return r >= 0 && r < num_rows ? r : -1;
}

int64_t TableLayout::logical_at(const QPointF& point) const {
  if (point.x() < body().left() || row_at(point) < 0) return -1;
  return static_cast<int64_t>(std::floor((point.x() - body().left() + scroll_x) / cell));
}

int64_t TableLayout::fitting(double width) const {
  return static_cast<int64_t>(std::floor((std::max(0.0, width) + scroll_x + gap + 0.5) / cell));
}

int64_t TableLayout::columns_until() const {
  return std::min(longest, fitting(body().width()));
}

int64_t TableLayout::shown_until(int64_t entries) const {
  const int64_t all = fitting(body().width());
  return entries <= all ? entries : fitting(body().width() - more);
}

void TableLayout::reveal(int64_t r, int64_t logical) {
  const QRectF inside = body();
  const double top = static_cast<double>(r) * row, left = static_cast<double>(logical) * cell;
  if (r >= 0) {
    scroll_y = std::min(scroll_y, top);
    scroll_y = std::max(scroll_y, top + row - inside.height());
  }
  if (logical >= 0) {
    scroll_x = std::min(scroll_x, left);
    const double mark = logical + 1 < longest ? more : 0;
    scroll_x = std::max(scroll_x, left + cell + mark - inside.width());
  }
  clamp();
}

}  // namespace attn::gui
