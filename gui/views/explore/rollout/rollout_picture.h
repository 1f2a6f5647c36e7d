// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of the rollout: the matrix up to one layer (row: query position, column: the position
// to which its attention leads), and a small picture for each layer. Any thread.
#pragma once

#include <QImage>
#include <memory>
#include <vector>

#include "engine/explore/rollout.h"
#include "gui/views/explore/explore_picture.h"
#include "gui/widgets/color_bar.h"

namespace attn::gui {

struct RolloutData {
  Rollout rollout;
  bool without_first = false;
  bool causal = false;                    // no layer lets a position read a later one
  std::vector<QString> tokens;            // [rollout.rows]
  std::vector<std::string> plain_tokens;  // texts from plain_text()
};

struct RolloutScene {
  std::shared_ptr<const RolloutData> data;
  int64_t layer = 0;            // the matrix up to this layer is drawn large
  int64_t rows = 0;             // number of rows that may be shown
  int64_t selected_query = -1;  // -1: none
};

class RolloutPicture : public ExplorePicture {
 public:
  // kMap: row is the query, column the key. kLayers: row is the layer, column 0.
  enum Part { kMap, kLayers };
  RolloutPicture(PictureFrame frame, RolloutScene scene);

  QString words(const Spot& spot) const override;
  std::vector<ViewPoint::Number> numbers(const Spot& spot) const override;
  std::vector<SelectionState> things(const Spot& spot) const override;
  std::shared_ptr<const Explanation> explain(const Spot& spot) const override;
  Spot moved(const Spot& from, int columns, int rows) const override;
  QString sentence() const override;
  std::string csv() const override;

  int64_t num_layers() const { return static_cast<int64_t>(scene_.data->rollout.layers.size()); }

 protected:
  double content_height(double width) const override;
  void paint_content(QPainter& painter, double width, const Spot& cursor) const override;
  std::optional<Spot> content_at(const QPointF& point, double width) const override;
  QRectF content_box(const Spot& spot, double width) const override;

 private:
  struct Layout;
  Layout lay_out(double width) const;
  double share(int64_t layer, int64_t query, int64_t key) const;
  // The key comes after the query and is masked in every layer.
  bool is_masked(int64_t query, int64_t key) const { return scene_.data->causal && key > query; }
  QImage image_of(int64_t layer) const;
  void paint_map(QPainter& painter, const Layout& at, const Spot& cursor) const;
  void paint_layers(QPainter& painter, const Layout& at, const Spot& cursor) const;
  RolloutScene scene_;
  ColorScale scale_;
  double longest_ = 0;  // px of the widest label: a token and its position
};

}  // namespace attn::gui
