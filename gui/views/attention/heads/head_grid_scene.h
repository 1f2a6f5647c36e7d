// SPDX-License-Identifier: GPL-3.0-or-later
// HeadGridScene: what the head grid shows, as plain data. HeadGridLayout: the positions of the
// heads and of the other parts of the picture. Any thread.
#pragma once

#include <QRectF>
#include <QString>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/explore/texts/head_texts.h"
#include "gui/views/attention/heads/head_stats.h"
#include "gui/widgets/color_map.h"
#include "gui/widgets/picture_look.h"

namespace attn::gui {

enum class HeadScore : uint8_t {
  kEntropy,
  kDistance,
  kFirst,
  kPrevious,
  kInduction,
  kDuplicate,
  kSpread  // variance of the distance
};
inline constexpr std::array<HeadScore, 7> kHeadScores{
    HeadScore::kEntropy,   HeadScore::kDistance,  HeadScore::kFirst, HeadScore::kPrevious,
    HeadScore::kInduction, HeadScore::kDuplicate, HeadScore::kSpread};
constexpr size_t kBesideScores = 5;

QString name_of(HeadScore score);  // "previous", "first token"
// Such as "nats", "tokens" or "tokens²"; empty: the score is a share.
QString unit_of(HeadScore score, bool relative);
QString definition_of(HeadScore score, bool relative);  // what the score measures
std::optional<double> value_of(const HeadScores& scores, HeadScore score, bool relative);
int64_t rows_of(const HeadScores& scores, HeadScore score, bool relative);
QString score_text(std::optional<double> value, HeadScore score, bool relative);  // "0.372", "n/a"

// A word for how interventions change the head, such as "off", and a text with a line for each
// intervention.
struct ChangedHead {
  QString word, text;
  bool output = false;  // true: the output of the head is replaced
};

struct HeadsOverTexts {
  QString name;  // such as "stories" or "mine.txt"
  TextScores scores;
};

struct HeadGridScene {
  PictureLook look;
  HeadsRef heads;
  // The step at the time cursor; nullopt: everything computed so far is shown.
  std::optional<uint32_t> past_step;
  // [layer * num_heads + head], or empty. An element is null while nothing of its head has been
  // read.
  HeadSummaries summaries;
  std::shared_ptr<const HeadsOverTexts> texts;  // null: the scores in `summaries` are shown
  QString state_line;                           // of scores over texts: progress or trouble
  QString request_name;
  std::map<int64_t, ChangedHead> changed;  // key: index of the head
  int64_t num_layers = 0, num_heads = 0, num_kv_heads = 0;
  // The score that heads are ranked by; nullopt: they are in order of layer and head, or points.
  std::optional<HeadScore> order;
  HeadScore score = HeadScore::kInduction;
  // If set, heads are points: this score to the right, `score` upwards. Then `order` is not set.
  std::optional<HeadScore> across;
  bool relative = false;  // show entropy as a share of the largest possible one
  ThumbDetail thumb;
  ColorMapId map = ColorMapId::kCividis;
  ColorScale scale = weight_scale(ColorScale::Kind::kLinear);
  int64_t shown = -1;   // index of the head that the other views show
  int64_t cursor = -1;  // head at the keyboard cursor
  int64_t hover = -1;
  bool focus = false;
  bool caption = false;  // whether a caption is drawn; only in exports
  QString own_title;     // the caption; empty: the automatic one
  int64_t behind = 0;    // parts (thumbnail or scores of a head) that are still to be read

  // `scale` for weights. For weight * length the scale ends at rounded_up() of the largest entry of
  // the thumbnails with this quantity that have been read.
  ColorScale shown_scale() const;
  // The largest HeadSummary::off of the heads whose rows have all been read; NaN: none has one.
  double off() const;
  int64_t count() const { return num_layers * num_heads; }
  int64_t layer_of(int64_t index) const { return index / num_heads; }
  bool is_encoder(int64_t layer) const {
    return heads.encoder && heads.encoder->shape().has(layer);
  }
  bool is_cross(int64_t layer) const { return heads.record && heads.record->is_cross(layer); }
  int64_t head_of(int64_t index) const { return index % num_heads; }
  int64_t kv_head_of(int64_t index) const { return head_of(index) / group(); }
  int64_t group() const {
    return std::max<int64_t>(1, num_heads / std::max<int64_t>(1, num_kv_heads));
  }
  const HeadScores* scores(int64_t index) const;  // null: there are none, or none yet
  QString texts_line() const;                     // which texts were scored; empty: the request was
  // The value of a full bar: 1 for shares, otherwise the largest value of all heads; 1 if that is
  // not positive.
  double bar_end(HeadScore bar) const;
  // Where an axis of points ends: a little beyond the largest value of all heads; at 1 if that is
  // not positive.
  double axis_end(HeadScore axis) const;
  // Head indices in the order in which they are drawn. In a ranking: falling score, equal scores by
  // index, heads with no score or NaN last.
  std::vector<int64_t> arranged() const;
  QString sentence(int64_t index) const;
};

// The lines of the caption of a picture that is this wide.
std::vector<QString> caption_of(const HeadGridScene& scene, double width);
// The further height of a picture whose caption has more than one line.
double further_height(const HeadGridScene& scene, double width);

struct HeadGridLayout {
  // In a grid: kBesideScores scores to the right of a thumbnail, or one score below it.
  enum class Facts { kBeside, kBelow };
  struct Cell {
    int64_t index = 0;
    QRectF rect, thumb, facts;
  };
  bool ranked = false;
  QRectF plot;  // the area of the points, in canvas coordinates; empty: no points
  Facts style = Facts::kBelow;
  // In drawing order. Their y is in content coordinates: 0 is the top of the content.
  std::vector<Cell> cells;
  QRectF view;
  QRectF top_axis, left_axis, legend, caption, texts_line, footer;
  std::vector<QString> caption_lines;
  double height = 0;        // height of the content, px
  int64_t columns = 0;      // number of columns of cells; 1 for points
  bool down_first = false;  // true: the next place of a ranking is below, not to the right
  double thumb_side = 0;

  double max_scroll() const { return std::max(0.0, height - view.height()); }
};

// zoom: 1 fits the content into `bounds` if possible. A larger zoom leaves points at their places
// and makes them larger.
HeadGridLayout layout_heads(const HeadGridScene& scene, const QRectF& bounds, double zoom);

}  // namespace attn::gui
