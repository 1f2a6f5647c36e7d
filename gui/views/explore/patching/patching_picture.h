// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of patched runs: for each of the two prompts its tokens, a grid of layers by
// positions and one of layers by heads. A cell has the colour of the answer of the run when this
// cell comes from the other run. Any thread.
#pragma once

#include <memory>
#include <optional>

#include "gui/views/explore/explore_picture.h"
#include "gui/views/explore/patching/patching_data.h"
#include "gui/widgets/color_map.h"

namespace attn::gui {

struct PatchingScene {
  std::shared_ptr<const PatchingData> data;
  bool is_dark = false;
  Spot marked;   // the cell to be put into the other run, or nowhere
  Spot pointed;  // the cell under the mouse, or nowhere
  std::optional<PatchedAnswer> patch;
  QString trouble;       // why the last patch could not be made
  double progress = -1;  // share of the cells that are done; -1: it is not shown
};

class PatchingPicture : public ExplorePicture {
 public:
  // The parts are PatchingPart; row is the layer, column the position or the head.
  PatchingPicture(PictureFrame frame, PatchingScene scene);

  QString words(const Spot& spot) const override;
  std::vector<ViewPoint::Number> numbers(const Spot& spot) const override;
  std::shared_ptr<const Explanation> explain(const Spot& spot) const override;
  Spot moved(const Spot& from, int columns, int rows) const override;
  QString sentence() const override;
  std::string csv() const override;

  QString headline() const;
  // What the last patch did, or why it was not made; empty: there is no patch.
  QString patch_words() const;
  const PatchingScene& scene() const { return scene_; }

 protected:
  double content_height(double width) const override;
  void paint_content(QPainter& painter, double width, const Spot& cursor) const override;
  std::optional<Spot> content_at(const QPointF& point, double width) const override;
  QRectF content_box(const Spot& spot, double width) const override;

 private:
  struct Layout;
  Layout lay_out(double width) const;
  int64_t columns(int part) const;
  std::optional<double> value(const Spot& spot) const;
  QString place_of(int part, int64_t layer, int64_t column) const;
  QString result_line() const;
  QString title_words(int run) const;
  void paint_title(QPainter& painter, const Layout& at, int part) const;
  void paint_tokens(QPainter& painter, const Layout& at, int part) const;
  void paint_grid(QPainter& painter, const Layout& at, int part) const;
  int digits_in(int part, double room) const;
  void paint_cone(QPainter& painter, const Layout& at, const Spot& of) const;
  void paint_arrow(QPainter& painter, const Layout& at) const;
  PatchingScene scene_;
  ColorTable colors_;
  double longest_ = 0;  // px of the widest token
};

// The cell that is taken, and the cell that it replaces.
Spot source_of(const PatchingMove& move);
Spot target_of(const PatchingMove& move);

}  // namespace attn::gui
