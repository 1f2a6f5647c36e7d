// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of the view "Who said it": a grid of layers by heads and MLP in colours of
// differences, and beside or below it a waterfall of the parts, from 0 to the difference of two
// logits. Any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/explore/attribution.h"
#include "engine/explore/written.h"
#include "gui/views/explore/explore_picture.h"

namespace attn::gui {

struct AttributionData {
  Attribution shares;
  QString text_a, text_b, after;              // quoted; after: the token at the position
  std::string plain_a, plain_b, plain_after;  // the texts from plain_text()
  double logit_a = 0, logit_b = 0;
  std::optional<WrittenCheck> written;  // at the same position
};

struct AttributionScene {
  std::shared_ptr<const AttributionData> data;
  bool is_dark = false;
};

class AttributionPicture : public ExplorePicture {
 public:
  // kGrid: row is the layer, column the head, or the number of heads for the MLP. kSteps: row is
  // the step of the waterfall.
  enum Part { kGrid, kSteps };
  AttributionPicture(PictureFrame frame, AttributionScene scene);

  QString words(const Spot& spot) const override;
  std::vector<ViewPoint::Number> numbers(const Spot& spot) const override;
  std::shared_ptr<const Explanation> explain(const Spot& spot) const override;
  Spot moved(const Spot& from, int columns, int rows) const override;
  QString sentence() const override;
  std::string csv() const override;

 protected:
  double content_height(double width) const override;
  void paint_content(QPainter& painter, double width, const Spot& cursor) const override;
  std::optional<Spot> content_at(const QPointF& point, double width) const override;
  QRectF content_box(const Spot& spot, double width) const override;

 private:
  struct Layout;
  struct Step {
    QString name;
    double begin = 0, share = 0;  // its bar goes from begin to begin + share
  };
  Layout lay_out(double width) const;
  bool has_mlp(int64_t layer) const;
  int64_t columns_of(int64_t layer) const;  // the heads, and the MLP if there is one
  double share_at(int64_t layer, int64_t column) const;
  void paint_grid(QPainter& painter, const Layout& at, const Spot& cursor) const;
  void paint_steps(QPainter& painter, const Layout& at, const Spot& cursor) const;
  AttributionScene scene_;
  std::vector<Step> steps_;
  double most_ = 0;            // largest |share| in the grid
  double low_ = 0, high_ = 0;  // the ends of the axis of the waterfall
};

}  // namespace attn::gui
