// SPDX-License-Identifier: GPL-3.0-or-later
// HeadGridScene: all heads of one sequence as plain data: thumbnails and scores; by layer and head,
// or ranked by a score. HeadGridLayout: where each head lies. Any thread.
#pragma once

#include <QRectF>
#include <QString>
#include <array>
#include <optional>
#include <vector>

#include "gui/views/attention/head_stats.h"
#include "gui/widgets/color_map.h"
#include "gui/widgets/picture_look.h"

namespace attn::gui {

enum class HeadScore : uint8_t { kEntropy, kDistance, kFirst, kPrevious, kInduction };
inline constexpr std::array<HeadScore, 5> kHeadScores{HeadScore::kEntropy, HeadScore::kDistance,
                                                      HeadScore::kFirst, HeadScore::kPrevious,
                                                      HeadScore::kInduction};

QString name_of(HeadScore score);                       // "previous token"
QString unit_of(HeadScore score, bool relative);        // "nats", "tokens"; empty: a share
QString definition_of(HeadScore score, bool relative);  // one sentence
std::optional<double> value_of(const HeadScores& scores, HeadScore score, bool relative);
int64_t rows_of(const HeadScores& scores, HeadScore score, bool relative);        // that count
QString score_text(std::optional<double> value, HeadScore score, bool relative);  // "0.372", "n/a"

struct HeadGridScene {
  PictureLook look;
  HeadsRef heads;
  std::optional<uint32_t> past_step;  // under the time cursor; nothing: all that there is now
  HeadSummaries summaries;            // may be empty; null where nothing has been read
  QString request_name;
  int64_t num_layers = 0, num_heads = 0, num_kv_heads = 0;
  std::optional<HeadScore> order;           // ranked by it; none: by layer and head
  HeadScore score = HeadScore::kInduction;  // shown where there is room for one
  bool relative = false;                    // entropy as a share of the largest that is possible
  ThumbDetail thumb;
  ColorMapId map = ColorMapId::kCividis;
  ColorScale scale = weight_scale(ColorScale::Kind::kLinear);
  int64_t shown = -1;   // index of the head that the other views show
  int64_t cursor = -1;  // of the keyboard
  int64_t hover = -1;
  bool focus = false;
  bool caption = false;  // exports say in words what the controls of the window say
  int64_t behind = 0;    // parts of heads that are still to be read

  int64_t count() const { return num_layers * num_heads; }
  int64_t layer_of(int64_t index) const { return index / num_heads; }
  int64_t head_of(int64_t index) const { return index % num_heads; }
  int64_t kv_head_of(int64_t index) const { return head_of(index) / group(); }
  int64_t group() const {
    return std::max<int64_t>(1, num_heads / std::max<int64_t>(1, num_kv_heads));
  }
  const HeadScores* scores(int64_t index) const;  // null: nothing read yet
  // The value at the end of a bar: 1 of shares, else the largest of all heads.
  double bar_end(HeadScore bar) const;
  // Head indices in the order of the picture: ranked ones from the largest score down, those
  // without a score last, equal ones by index.
  std::vector<int64_t> arranged() const;
  QString sentence(int64_t index) const;  // all of a head, one line a score with its definition
};

struct HeadGridLayout {
  enum class Facts { kBeside, kBelow };  // all scores right of a thumbnail, one score below it
  struct Cell {
    int64_t index = 0;
    QRectF rect, thumb, facts;
  };
  bool ranked = false;
  Facts style = Facts::kBelow;
  std::vector<Cell> cells;  // in the order of the picture; content coordinates: 0 is its top
  QRectF view;              // the part of the canvas that shows cells
  QRectF top_axis, left_axis, legend, caption, footer;
  double height = 0;        // of the content
  int64_t columns = 0;      // of cells
  bool down_first = false;  // of a ranking: the next place lies below
  double thumb_side = 0;

  double max_scroll() const { return std::max(0.0, height - view.height()); }
};

// zoom: 1 as it fits, larger ones are scrolled.
HeadGridLayout layout_heads(const HeadGridScene& scene, const QRectF& bounds, double zoom);

}  // namespace attn::gui
