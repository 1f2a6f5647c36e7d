// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/blocks/prefix_tree.h"

#include <algorithm>
#include <cmath>

namespace attn::gui {

void PrefixTree::set_snapshot(std::shared_ptr<const EngineSnapshot> snapshot) {
  snapshot_ = std::move(snapshot);
  nodes_.clear();
  columns_ = rows_ = 0;
  node_of_block_.assign(snapshot_ ? snapshot_->blocks.size() : 0, -1);
  if (!snapshot_ || !snapshot_->prefixes) return;
  const std::vector<PrefixView>& prefixes = *snapshot_->prefixes;
  nodes_.reserve(prefixes.size());
  for (const PrefixView& prefix : prefixes) {
    if (prefix.block >= 0 && prefix.block < static_cast<int32_t>(node_of_block_.size()))
      node_of_block_[static_cast<size_t>(prefix.block)] = static_cast<int>(nodes_.size());
    PrefixNode node;
    node.parent = prefix.parent;
    node.block = prefix.block;
    node.depth = prefix.depth;
    node.rows = 0;
    node.tokens = prefix.tokens.get();
    columns_ = std::max<int64_t>(columns_, prefix.depth + 1);
    nodes_.push_back(std::move(node));
  }
  // Parents come before their children: leaves are counted from the end, rows given from the front.
  for (size_t i = nodes_.size(); i-- > 0;) {
    nodes_[i].rows = std::max(1, nodes_[i].rows);
    if (nodes_[i].parent >= 0) nodes_[static_cast<size_t>(nodes_[i].parent)].rows += nodes_[i].rows;
  }
  std::vector<int32_t> next(nodes_.size());  // row of the node's next child
  for (size_t i = 0; i < nodes_.size(); ++i) {
    PrefixNode& node = nodes_[i];
    if (node.parent < 0) {
      node.row = static_cast<int32_t>(rows_);
      rows_ += node.rows;
    } else {
      node.row = next[static_cast<size_t>(node.parent)];
      next[static_cast<size_t>(node.parent)] += node.rows;
    }
    next[i] = node.row;
  }
  for (const RequestView& request : snapshot_->requests)
    for (const int32_t block : request.own_table.blocks)
      if (const int node = node_of(block); node >= 0)
        nodes_[static_cast<size_t>(node)].holders.push_back(request.id);
}

int PrefixTree::node_of(int64_t block) const {
  return block >= 0 && block < static_cast<int64_t>(node_of_block_.size())
             ? node_of_block_[static_cast<size_t>(block)]
             : -1;
}

int PrefixTree::neighbour(int node, int columns, int rows) const {
  if (nodes_.empty()) return -1;
  if (node < 0) return 0;
  const PrefixNode& from = nodes_[static_cast<size_t>(node)];
  if (columns < 0) return from.parent;
  int best = -1;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const PrefixNode& other = nodes_[i];
    const auto better = [&](int distance_of_best, int distance) {
      return best < 0 || distance < distance_of_best;
    };
    const int32_t best_row = best < 0 ? 0 : nodes_[static_cast<size_t>(best)].row;
    if (columns > 0 && other.parent == node && better(best_row, other.row))
      best = static_cast<int>(i);
    if (rows != 0 && other.depth == from.depth && (other.row - from.row) * rows > 0 &&
        better(std::abs(best_row - from.row), std::abs(other.row - from.row)))
      best = static_cast<int>(i);
  }
  return best;
}

QSizeF PrefixLayout::full_size(const PrefixTree& tree, double text_percent) {
  return QSizeF(static_cast<double>(tree.num_columns()) * kPitchX,
                static_cast<double>(std::max<int64_t>(1, tree.num_rows())) * kPitchY) *
         (text_percent / 100);
}

void PrefixLayout::set_area(const QRectF& area) {
  if (area == area_) return;
  area_ = area;
  transform_.set_viewport(area.width(), area.height());
}

void PrefixLayout::set_size(int64_t columns, int64_t rows) {
  if (columns == columns_ && rows == rows_) return;
  columns_ = columns;
  rows_ = rows;
  set_content();
}

void PrefixLayout::set_scale_of_text(double percent) {
  if (percent / 100 == text_scale_) return;
  text_scale_ = percent / 100;
  set_content();
}

void PrefixLayout::set_content() {
  transform_.zoom = CanvasTransform::Zoom::kIndependent;
  const bool was_fit = transform_.is_fit();
  transform_.x.max_scale = transform_.y.max_scale = text_scale_;
  transform_.set_content(0, static_cast<double>(columns_) * kPitchX, 0,
                         static_cast<double>(rows_) * kPitchY);
  if (was_fit) transform_.fit();
}

QRectF PrefixLayout::rect_of(const PrefixNode& node) const {
  const double x = node.depth * kPitchX, y = node.row * kPitchY;
  const double left = area_.left() + transform_.x.to_pixel(x),
               top = area_.top() + transform_.y.to_pixel(y);
  return {left, top, kNodeX * transform_.x.scale, kNodeY * transform_.y.scale};
}

int PrefixLayout::node_at(const PrefixTree& tree, const QPointF& point) const {
  if (!area_.contains(point)) return -1;
  for (size_t i = 0; i < tree.nodes().size(); ++i)
    if (rect_of(tree.nodes()[i]).contains(point)) return static_cast<int>(i);
  return -1;
}

void PrefixLayout::zoom_at(const QPointF& point, double factor) {
  transform_.zoom_at(point.x() - area_.left(), point.y() - area_.top(), factor);
}

void PrefixLayout::reveal(const PrefixNode& node) {
  transform_.x.reveal(node.depth * kPitchX, (node.depth + 1) * kPitchX);
  transform_.y.reveal(node.row * kPitchY, (node.row + 1) * kPitchY);
}

void PrefixLayout::fit_node(const PrefixNode& node) {
  transform_.show(node.depth * kPitchX, (node.depth + 2) * kPitchX, (node.row - 1) * kPitchY,
                  (node.row + 2) * kPitchY);
}

}  // namespace attn::gui
