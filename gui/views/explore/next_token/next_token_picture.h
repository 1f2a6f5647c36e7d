// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of the next token: the text in colours of log-probability or rank, the bars of the
// distribution at one position, and the strip of the draw with the random number. An encoder draws
// nothing; its bars say what it would put at a place. Any thread.
#pragma once

#include <memory>
#include <vector>

#include "engine/explore/next_token.h"
#include "gui/views/explore/explore_picture.h"
#include "gui/widgets/text/word_flow.h"

namespace attn::gui {

struct NextTokenData {
  std::vector<PastToken> past;  // positions from 1 on; of an encoder from 0 on
  int64_t position = 0;         // position of the token that the bars explain
  NextToken next;
  std::vector<QString> texts;            // tokens of next.choices, quoted
  std::vector<std::string> plain_texts;  // tokens of next.choices, from plain_text()
  QString drawn_text;                    // the text of next.token
  // drawn_before: the number of tokens of the answer. redrawn: how many of them come out the same
  // when the sampler draws them again. Both 0 for a beam search and an encoder.
  int64_t redrawn = 0, drawn_before = 0;
};

enum class PastColor { kLogProbability, kRank };

struct NextTokenScene {
  std::shared_ptr<const NextTokenData> data;
  Tokens tokens;
  int64_t prompt_len = 0;
  bool is_beam = false, is_encoder = false;  // true: no token is drawn at random
  bool is_masked = false;  // true: an encoder, and the token at the position is the mask token
  double temperature = 0;
  int64_t top_k = 0;
  double top_p = 1;
  PastColor color = PastColor::kLogProbability;
  // The token at the position, of the prompt or the answer; -1: the shown step has none there yet.
  int32_t actual = -1;
  bool of_selection = false;  // the position is that of the selected token
  bool of_prompt() const { return data->position < prompt_len; }
  bool draws() const { return !is_beam && !is_encoder; }
};

class NextTokenPicture : public ExplorePicture {
 public:
  enum Part { kText, kBars };  // Spot::row is a token of the text, or a bar
  NextTokenPicture(PictureFrame frame, NextTokenScene scene);

  QString words(const Spot& spot) const override;
  std::vector<ViewPoint::Number> numbers(const Spot& spot) const override;
  std::vector<SelectionState> things(const Spot& spot) const override;
  std::shared_ptr<const Explanation> explain(const Spot& spot) const override;
  Spot moved(const Spot& from, int columns, int rows) const override;
  QString sentence() const override;
  std::string csv() const override;
  const NextTokenScene& scene() const { return scene_; }

 protected:
  double content_height(double width) const override;
  void paint_content(QPainter& painter, double width, const Spot& cursor) const override;
  std::optional<Spot> content_at(const QPointF& point, double width) const override;
  QRectF content_box(const Spot& spot, double width) const override;

 private:
  struct Layout;
  Layout lay_out(double width) const;
  QColor color_of(const PastToken& past) const;
  const PastToken* past_at(int64_t position) const;
  void paint_text(QPainter& painter, const Layout& layout, const Spot& cursor) const;
  void paint_legend(QPainter& painter, const Layout& layout) const;
  void paint_bars(QPainter& painter, const Layout& layout, const Spot& cursor) const;
  void paint_bar(QPainter& painter, const Layout& layout, size_t row, double most) const;
  void paint_strip(QPainter& painter, const Layout& layout) const;
  QString heading() const;
  QString draw_words() const;
  QString cut_words(const TokenChoice& choice) const;
  NextTokenScene scene_;
};

}  // namespace attn::gui
