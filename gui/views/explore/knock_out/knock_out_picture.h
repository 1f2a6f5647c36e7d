// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of a knock-out: the heads as switches, the list of changes, the answer before and
// after, the text in colours of change, and the bars of one token. Any thread.
#pragma once

#include <memory>
#include <vector>

#include "engine/explore/request/what_if.h"
#include "gui/views/explore/explore_picture.h"
#include "gui/widgets/text/word_flow.h"

namespace attn::gui {

struct KnockOutBar {
  int32_t token = 0;
  QString text;
  double before = 0, after = 0;
};

// The texts, from plain_text(), of the tokens that a row of the result names.
struct RowTexts {
  std::string next, best_before, best_after;
};

struct KnockOutData {
  std::vector<Intervention> list;
  WhatIf result;
  Tokens answer_before, answer_after;
  std::vector<RowTexts> texts;  // [result.rows]
};

struct KnockOutBars {
  int64_t row = 0;
  std::vector<KnockOutBar> bars;
};

struct KnockOutScene {
  int64_t layers = 0, heads = 0;
  std::vector<Intervention> list;            // as switched now
  QString note;                              // why the last key changed nothing, or empty
  std::shared_ptr<const KnockOutData> data;  // null: nothing to change, or no result
  std::shared_ptr<const KnockOutBars> bars;  // null: none
  // The answers before and after the changes, cut for the shown step.
  Tokens answer_before, answer_after;
  bool is_in_request = false;  // the shown request has all changes of the list by itself
  QString trouble;             // why there is no data; empty: nothing is wrong
  Tokens tokens;
  int64_t prompt_len = 0, rows = 0;
  bool of_selection = false;  // the bars are those of the selected token
  bool is_encoder = false;    // no answer; distributions are about the place of a token
};

class KnockOutPicture : public ExplorePicture {
 public:
  // Row (and column) of a Spot in each part: kHeads: layer and head; kList: index; kText: token;
  // kBars: bar.
  enum Part { kHeads, kList, kText, kBars };
  KnockOutPicture(PictureFrame frame, KnockOutScene scene);

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
  const Intervention* at_head(int64_t layer, int64_t head) const;
  const WhatIfRow* row_at(int64_t position) const;
  double most_divergence() const;
  bool has_tail() const;
  QString bars_title() const;
  QString why_no_data() const;
  QString entry_text(size_t index) const;
  void paint_heads(QPainter& painter, const Layout& at, const Spot& cursor) const;
  void paint_answers(QPainter& painter, const Layout& at) const;
  void paint_text(QPainter& painter, const Layout& at, const Spot& cursor) const;
  void paint_bars(QPainter& painter, const Layout& at, const Spot& cursor) const;
  QString answer_words() const;
  KnockOutScene scene_;
};

}  // namespace attn::gui
