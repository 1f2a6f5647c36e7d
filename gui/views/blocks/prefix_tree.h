// SPDX-License-Identifier: GPL-3.0-or-later
// PrefixTree: the prefixes that the cache knows, as a tree. A node is one full block, its parent
// the block before it; columns are depths, and each leaf has a row of its own. PrefixLayout places
// it. GUI thread.
#pragma once

#include <QPointF>
#include <QRectF>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/session/run/snapshot.h"
#include "gui/widgets/canvas_transform.h"

namespace attn::gui {

struct PrefixNode {
  int32_t parent = -1;  // index of its parent, an earlier node; -1: it begins a prompt
  int32_t block = -1;   // number in the device pool; -1: evicted
  int32_t depth = 0;    // blocks before it, also its column
  int32_t row = 0;      // row of its first child; a leaf has a row of its own
  int32_t rows = 1;     // leaves below it, or 1
  const std::vector<TokenView>* tokens = nullptr;
  std::vector<uint32_t> holders;  // requests whose own tables have the block
};

class PrefixTree {
 public:
  void set_snapshot(std::shared_ptr<const EngineSnapshot> snapshot);  // null: empty

  const std::vector<PrefixNode>& nodes() const { return nodes_; }
  int64_t num_columns() const { return columns_; }
  int64_t num_rows() const { return rows_; }
  int node_of(int64_t block) const;  // -1: none
  // The parent (columns < 0), the first child (columns > 0), or the nearest node above or below in
  // the column (rows < 0, rows > 0); -1: none. For a negative `node` the first node.
  int neighbour(int node, int columns, int rows) const;

 private:
  std::shared_ptr<const EngineSnapshot> snapshot_;  // keeps the tokens
  std::vector<PrefixNode> nodes_;
  std::vector<int> node_of_block_;
  int64_t columns_ = 0, rows_ = 0;
};

// Places nodes in an area, zoomed and scrolled. The largest zoom grows with the text size.
class PrefixLayout {
 public:
  // px at scale 1 and 100% text size: from node to node; size of a node.
  static constexpr double kPitchX = 150, kPitchY = 46;
  static constexpr double kNodeX = 130, kNodeY = 40;

  static QSizeF full_size(const PrefixTree& tree, double text_percent);  // tree at scale 1

  void set_area(const QRectF& area);
  void set_size(int64_t columns, int64_t rows);
  void set_scale_of_text(double percent);
  const QRectF& area() const { return area_; }

  QRectF rect_of(const PrefixNode& node) const;
  int node_at(const PrefixTree& tree, const QPointF& point) const;  // -1: none
  bool is_fit() const { return transform_.is_fit(); }
  void fit() { transform_.fit(); }
  void zoom_at(const QPointF& point, double factor);
  void pan(const QPointF& pixels) { transform_.pan(pixels.x(), pixels.y()); }
  void reveal(const PrefixNode& node);
  void fit_node(const PrefixNode& node);

 private:
  void set_content();

  QRectF area_;
  int64_t columns_ = 0, rows_ = 0;
  double text_scale_ = 1;
  CanvasTransform transform_;
};

}  // namespace attn::gui
