// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of the logit lens: a grid of sites of the network (the embedding below, the last
// layer above) by positions of the text. A cell has the token that the model would say if it ended
// at this site. Below the grid: what colours and texts say, and the bars of the chosen cell. Any
// thread.
#pragma once

#include <memory>
#include <vector>

#include "engine/explore/logit_lens.h"
#include "engine/explore/next_token.h"
#include "gui/views/explore/explore_picture.h"
#include "gui/widgets/color_bar.h"

namespace attn::gui {

enum class LensColor { kProbability, kLogit, kRank, kDivergence };

struct LensBars {
  size_t site = 0;
  int64_t position = -1;  // counted from LogitLens::first; -1: none
  NextToken next;
  std::vector<QString> texts;
};

struct LensData {
  LogitLens lens;
  std::vector<QString> best;       // [sites, count] the likeliest tokens
  std::vector<QString> wanted;     // [count] texts of lens.wanted
  std::vector<QString> tokens;     // [count] the tokens that are read
  std::vector<int32_t> token_ids;  // [count] ids of `tokens`
  // The texts of `best`, `wanted` and `tokens` from plain_text(), without marks for blanks.
  std::vector<std::string> plain_best, plain_wanted, plain_tokens;
  // Largest difference between the logits of the last position, computed from the residual stream,
  // and those of the run.
  double residue = 0;
};

struct LensScene {
  std::shared_ptr<const LensData> data;
  std::shared_ptr<const LensBars> bars;  // null: none
  LensColor color = LensColor::kProbability;
  ColorMapId map = ColorMapId::kCividis;
  int64_t request = -1;
  int64_t rows = 0;  // number of positions that may be shown
};

class LensPicture : public ExplorePicture {
 public:
  // Of a Spot: row is the site from below, column the position minus LogitLens::first.
  enum Part { kGrid };
  LensPicture(PictureFrame frame, LensScene scene);

  QString words(const Spot& spot) const override;
  std::vector<ViewPoint::Number> numbers(const Spot& spot) const override;
  std::vector<SelectionState> things(const Spot& spot) const override;
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
  Layout lay_out(double width) const;
  double value_of(const LensCell& cell) const;
  QString value_text(const LensCell& cell) const;
  void paint_block(QPainter& painter, const Layout& at, int64_t block, const Spot& cursor) const;
  QString legend_words() const;  // what colours and texts of cells say
  QString bars_words() const;
  void paint_bars(QPainter& painter, const Layout& at) const;
  int64_t columns() const;
  LensScene scene_;
  ColorScale scale_;
};

// Such as "embedding", "layer 3, attention" (after it) or "layer 3, MLP" (after it).
QString site_text(const LensSite& site);

}  // namespace attn::gui
