// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heads/head_grid_scene.h"

#include <QFontMetricsF>
#include <QLocale>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gui/models/text.h"
#include "gui/views/attention/heatmap/heatmap_scene.h"
#include "gui/views/attention/heatmap/heatmap_words.h"
#include "gui/widgets/text/rule_words.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/text/wrapped_lines.h"

namespace attn::gui {

namespace {

// Bounds of a thumbnail's side in a grid, px at 100%. Columns with less room have smaller ones.
constexpr double kLeastThumb = 40, kMostThumb = 220;
constexpr double kFactsWidth = 106;  // room for scores beside a thumbnail, px at 100%
constexpr double kLeastBeside = 52;  // least side of a thumbnail with scores beside it, px at 100%
// A ranking's entry with its gap, without zoom, px at 100%: least width beside others, least and
// most height.
constexpr double kRankWidth = 250, kLeastRank = 46, kMostRank = 96;

constexpr double kPoint = 20;  // side of the thumbnail of a point, px at 100%

bool is_share(HeadScore score, bool relative) {
  return score != HeadScore::kDistance && score != HeadScore::kSpread &&
         (score != HeadScore::kEntropy || relative);
}

}  // namespace

QString name_of(HeadScore score) {
  switch (score) {
    case HeadScore::kEntropy:
      return tr("entropy");
    case HeadScore::kDistance:
      return tr("distance");
    case HeadScore::kFirst:
      return tr("first token");
    case HeadScore::kPrevious:
      return tr("previous");
    case HeadScore::kInduction:
      return tr("induction");
    case HeadScore::kDuplicate:
      return tr("duplicate");
    case HeadScore::kSpread:
      return tr("spread");
  }
  return {};
}

QString unit_of(HeadScore score, bool relative) {
  if (score == HeadScore::kDistance) return tr("tokens");
  if (score == HeadScore::kSpread) return tr("tokens²");
  if (score == HeadScore::kEntropy && !relative) return tr("nats");
  return {};
}

QString definition_of(HeadScore score, bool relative) {
  switch (score) {
    case HeadScore::kEntropy:
      return relative
                 ? tr("entropy of each row's weights ÷ ln(visible keys), mean over the rows "
                      "with two keys or more: 0 if all weight is on one key, 1 if it is spread "
                      "evenly over all")
                 : tr("entropy −Σ w ln w of each row's weights, mean over the rows: 0 if all "
                      "weight is on one key, ln n if it is spread evenly over n keys");
    case HeadScore::kDistance:
      return tr("mean distance between query and key: Σ w |query − key| ÷ Σ w over all rows");
    case HeadScore::kFirst:
      return tr("weight on the first token, mean over the rows that also see another token");
    case HeadScore::kPrevious:
      return tr("weight on the token before the query, mean over the rows that see it");
    case HeadScore::kInduction:
      return tr(
          "weight on the tokens that followed earlier occurrences of the query's own token, mean "
          "over the rows that see the nearest of them; the query itself does not count");
    case HeadScore::kDuplicate:
      return tr(
          "weight on earlier occurrences of the query's own token, mean over the rows that "
          "see the nearest of them");
    case HeadScore::kSpread:
      return tr("variance of the distance: Σ w (|query − key| − mean)² ÷ Σ w over all rows");
  }
  return {};
}

std::optional<double> value_of(const HeadScores& scores, HeadScore score, bool relative) {
  switch (score) {
    case HeadScore::kEntropy:
      return relative ? scores.relative_entropy : scores.entropy_nats;
    case HeadScore::kDistance:
      return scores.distance_tokens;
    case HeadScore::kFirst:
      return scores.first_share;
    case HeadScore::kPrevious:
      return scores.previous;
    case HeadScore::kInduction:
      return scores.induction;
    case HeadScore::kDuplicate:
      return scores.duplicate;
    case HeadScore::kSpread:
      return scores.distance_variance;
  }
  return std::nullopt;
}

int64_t rows_of(const HeadScores& scores, HeadScore score, bool relative) {
  switch (score) {
    case HeadScore::kEntropy:
      return relative ? scores.relative_rows : scores.rows;
    case HeadScore::kDistance:
    case HeadScore::kSpread:
      return scores.rows;
    case HeadScore::kFirst:
      return scores.first_rows;
    case HeadScore::kPrevious:
      return scores.previous_rows;
    case HeadScore::kInduction:
      return scores.induction_rows;
    case HeadScore::kDuplicate:
      return scores.duplicate_rows;
  }
  return 0;
}

QString score_text(std::optional<double> value, HeadScore score, bool relative) {
  if (!value) return tr("n/a");
  if (std::isnan(*value)) return tr("NaN");
  const int decimals = is_share(score, relative) ? 3 : score == HeadScore::kEntropy ? 2 : 1;
  // A value that rounds to 0 is shown without a sign.
  const bool is_zero = std::abs(*value) < 0.5 * std::pow(10.0, -decimals);
  return QLocale().toString(is_zero ? 0.0 : *value, 'f', decimals);
}

const HeadScores* HeadGridScene::scores(int64_t index) const {
  if (texts) {
    const std::vector<HeadScores>& heads_of = texts->scores.heads;
    if (index < 0 || index >= std::ssize(heads_of)) return nullptr;
    const HeadScores& one = heads_of[static_cast<size_t>(index)];
    return one.rows > 0 ? &one : nullptr;
  }
  if (index < 0 || index >= static_cast<int64_t>(summaries.size())) return nullptr;
  const auto& summary = summaries[static_cast<size_t>(index)];
  return summary && summary->reading.scores.rows > 0 ? &summary->reading.scores : nullptr;
}

QString HeadGridScene::texts_line() const {
  if (!texts) return {};
  const TextScores& of = texts->scores;
  QString line = tr("Scores over %1 of “%2” with %3")
                     .arg(counted(of.texts, tr("1 text"), tr("%1 texts")), texts->name,
                          counted(of.tokens, tr("1 token"), tr("%1 tokens")));
  if (of.cut > 0)
    line += tr(" (%1 cut off at %2 tokens)")
                .arg(counted(of.cut, tr("1 text"), tr("%1 texts")), format_count(of.longest));
  if (!changed.empty()) line += tr(", without the changes inside the model");
  return line + tr("; the pictures are those of “%1”").arg(request_name);
}

double HeadGridScene::bar_end(HeadScore bar) const {
  if (is_share(bar, relative)) return 1;
  double most = 0;
  for (int64_t i = 0; i < count(); ++i)
    if (const HeadScores* one = scores(i))
      if (const auto value = value_of(*one, bar, relative); value && *value > most) most = *value;
  return most > 0 ? most : 1;
}

ColorScale HeadGridScene::shown_scale() const {
  if (heads.quantity == Quantity::kWeight) return scale;
  double most = 0;
  for (const auto& summary : summaries)
    if (summary && summary->thumb_detail.quantity == heads.quantity)
      most = std::max(most, summary->thumb_most);
  const double end = rounded_up(most);
  return {scale.kind, scale.kind == ColorScale::Kind::kLog ? end * 1e-4 : 0, end};
}

double HeadGridScene::off() const {
  double off = std::numeric_limits<double>::quiet_NaN();
  for (const auto& summary : summaries)
    if (summary && summary->read_rows >= 0 && !std::isnan(summary->off) && !(summary->off <= off))
      off = summary->off;
  return off;
}

double HeadGridScene::axis_end(HeadScore axis) const {
  double most = 0;
  for (int64_t i = 0; i < count(); ++i)
    if (const HeadScores* one = scores(i))
      if (const auto value = value_of(*one, axis, relative); value && *value > most) most = *value;
  return most > 0 ? 1.05 * most : 1;
}

std::vector<int64_t> HeadGridScene::arranged() const {
  std::vector<int64_t> indices(static_cast<size_t>(count()));
  std::iota(indices.begin(), indices.end(), 0);
  if (!order) return indices;
  const auto rank = [&](int64_t index) {
    const HeadScores* one = scores(index);
    const auto value = one ? value_of(*one, *order, relative) : std::nullopt;
    return value && !std::isnan(*value) ? *value : -1.0;  // below all scores
  };
  std::vector<double> ranks;
  for (const int64_t index : indices) ranks.push_back(rank(index));
  std::stable_sort(indices.begin(), indices.end(), [&](int64_t a, int64_t b) {
    return ranks[static_cast<size_t>(a)] > ranks[static_cast<size_t>(b)];
  });
  return indices;
}

// In cross attention the keys are not tokens of this sequence, so scores that compare the token or
// the position of a key with that of the query are not defined.
bool is_defined(HeadScore score, bool keys_are_tokens) {
  return keys_are_tokens || score == HeadScore::kEntropy || score == HeadScore::kFirst;
}

QString HeadGridScene::sentence(int64_t index) const {
  QString text = tr("layer %1, head %2, KV head %3")
                     .arg(layer_words(layer_of(index), is_encoder(layer_of(index))))
                     .arg(head_of(index))
                     .arg(kv_head_of(index));
  if (group() > 1) {
    QStringList sharing;
    for (int64_t head = 0; head < num_heads; ++head)
      if (head / group() == kv_head_of(index)) sharing << QString::number(head);
    text += tr(" (shared by heads %1)").arg(sharing.join(QStringLiteral(", ")));
  }
  if (const auto found = changed.find(index); found != changed.end()) {
    text += QLatin1Char('\n') + tr("Changed inside the model: %1").arg(found->second.text);
    if (found->second.output && !texts)
      text +=
          QLatin1Char('\n') + tr("The scores say what the head reads. What it writes is replaced.");
  }
  if (texts) text += QLatin1Char('\n') + texts_line();
  const HeadScores* one = scores(index);
  if (!one) return text + QLatin1Char('\n') + tr("not computed yet");
  for (const HeadScore which : kHeadScores) {
    const auto value = value_of(*one, which, relative);
    const QString unit = unit_of(which, relative);
    QString line = name_of(which) + QLatin1Char(' ') + score_text(value, which, relative);
    if (value && !unit.isEmpty()) line += QLatin1Char(' ') + unit;
    if (!is_defined(which, heads.head(index).keys_are_tokens())) {
      text += QLatin1Char('\n') + name_of(which) +
              tr(": not defined in cross attention, where the keys are the encoder's");
      continue;
    }
    const int64_t rows = rows_of(*one, which, relative);
    text += QLatin1Char('\n') + line + QStringLiteral(": ") + definition_of(which, relative) +
            QStringLiteral(" (") + counted(rows, tr("1 row"), tr("%1 rows")) + QLatin1Char(')');
  }
  return text;
}

namespace {

void place_grid(const HeadGridScene& scene, double zoom, HeadGridLayout& layout) {
  const PictureLook& look = scene.look;
  const double line = QFontMetricsF(look.mono).height();
  const double gap = look.px(6), group_gap = scene.group() > 1 ? look.px(8) : 0;
  const auto heads = static_cast<double>(scene.num_heads),
             layers = static_cast<double>(scene.num_layers);
  const double groups = std::ceil(heads / static_cast<double>(scene.group()));
  const double width = (layout.view.width() - (groups - 1) * group_gap) / heads;
  const double fits = layout.view.height() / layers;
  const double facts = look.px(kFactsWidth), five = 5 * line;
  layout.style = width >= look.px(kLeastBeside) + facts + 2 * gap && zoom <= 2
                     ? HeadGridLayout::Facts::kBeside
                     : HeadGridLayout::Facts::kBelow;
  const bool beside = layout.style == HeadGridLayout::Facts::kBeside;
  const double most =
      std::min<double>(look.px(kMostThumb), width - gap - (beside ? facts + gap : 0));
  const double least = std::min(most, beside ? std::max<double>(look.px(kLeastBeside), five)
                                             : static_cast<double>(look.px(kLeastThumb)));
  const double below = beside ? 0 : line + look.px(4);
  const double thumb = std::max(
      8.0, std::min(most, std::clamp(fits - gap - below, least, std::max(least, most)) * zoom));
  const double lines = beside ? std::clamp(fits - gap, five, five * 1.4) : 0;
  const double height = std::max(thumb, lines) + below + gap;
  layout.thumb_side = thumb;
  layout.columns = scene.num_heads;
  layout.height = height * layers;
  for (int64_t i = 0; i < scene.count(); ++i) {
    const double x = layout.view.left() + static_cast<double>(scene.head_of(i)) * width +
                     static_cast<double>(scene.kv_head_of(i)) * group_gap;
    HeadGridLayout::Cell cell;
    cell.index = i;
    cell.rect = QRectF(x, static_cast<double>(scene.layer_of(i)) * height, width, height);
    cell.thumb = QRectF(x + gap / 2, cell.rect.top() + gap / 2, thumb, thumb);
    cell.facts =
        beside ? QRectF(cell.thumb.right() + gap, cell.thumb.top(),
                        std::min<double>(facts + look.px(66),
                                         cell.rect.right() - cell.thumb.right() - 2 * gap),
                        std::max(thumb, lines))
               : QRectF(cell.thumb.left(), cell.thumb.bottom() + look.px(2), width - gap, line);
    layout.cells.push_back(cell);
  }
}

// Places the heads column by column from the top or, if the content must be scrolled, row by row.
void place_ranking(const HeadGridScene& scene, double zoom, HeadGridLayout& layout) {
  const PictureLook& look = scene.look;
  const double gap = look.px(6);
  const auto count = static_cast<double>(scene.count());
  const double columns =
      std::clamp(std::floor(layout.view.width() / (look.px(kRankWidth) * std::max(1.0, zoom))), 1.0,
                 std::max(1.0, count));
  const double rows = std::ceil(count / columns);
  const double height =
      std::clamp<double>(layout.view.height() / rows, look.px(kLeastRank), look.px(kMostRank)) *
      zoom;
  const double width = layout.view.width() / columns;
  layout.thumb_side = height - gap;
  layout.columns = static_cast<int64_t>(columns);
  layout.height = rows * height;
  const double number = QFontMetricsF(look.mono).horizontalAdvance(QStringLiteral("000")) + gap;
  layout.down_first = layout.height <= layout.view.height() + 0.5;
  const std::vector<int64_t> arranged = scene.arranged();
  for (size_t place = 0; place < arranged.size(); ++place) {
    const auto at = static_cast<double>(place);
    const double column = layout.down_first ? std::floor(at / rows) : std::fmod(at, columns);
    const double row = layout.down_first ? at - column * rows : std::floor(at / columns);
    HeadGridLayout::Cell cell;
    cell.index = arranged[place];
    cell.rect = QRectF(layout.view.left() + column * width, row * height, width - gap, height);
    cell.thumb = QRectF(cell.rect.left() + number, cell.rect.top() + gap / 2, layout.thumb_side,
                        layout.thumb_side);
    cell.facts = QRectF(cell.thumb.right() + gap, cell.thumb.top(),
                        cell.rect.right() - cell.thumb.right() - 2 * gap, layout.thumb_side);
    layout.cells.push_back(cell);
  }
}

void place_points(const HeadGridScene& scene, double zoom, HeadGridLayout& layout) {
  const PictureLook& look = scene.look;
  const double side = look.px(kPoint) * zoom, line = QFontMetricsF(look.mono).height();
  layout.plot = layout.view.adjusted(look.px(62), look.px(24), -look.px(16), -look.px(46));
  const double end_x = scene.axis_end(*scene.across), end_y = scene.axis_end(scene.score);
  layout.thumb_side = side;
  layout.columns = 1;
  layout.height = layout.view.height();
  for (int64_t index = 0; index < scene.count(); ++index) {
    const HeadScores* scores = scene.scores(index);
    if (!scores) continue;
    const auto x = value_of(*scores, *scene.across, scene.relative),
               y = value_of(*scores, scene.score, scene.relative);
    if (!x || !y || !std::isfinite(*x) || !std::isfinite(*y)) continue;
    const QPointF middle(
        layout.plot.left() + *x / end_x * layout.plot.width(),
        layout.plot.bottom() - *y / end_y * layout.plot.height() - layout.view.top());
    HeadGridLayout::Cell cell;
    cell.index = index;
    cell.thumb = QRectF(middle.x() - side / 2, middle.y() - side / 2, side, side);
    cell.rect = cell.thumb.adjusted(-3, -3, 3, 3);
    cell.facts = QRectF(cell.thumb.right() + look.px(3), middle.y() - line / 2,
                        QFontMetricsF(look.mono).horizontalAdvance(QStringLiteral("00.00")), line);
    layout.cells.push_back(cell);
  }
}

}  // namespace

std::vector<QString> caption_of(const HeadGridScene& scene, double width) {
  QString text = scene.own_title;
  if (text.isEmpty()) {
    text = tr("%1: %2 over %3")
               .arg(scene.request_name, counted(scene.count(), tr("1 head"), tr("%1 heads")),
                    counted(scene.heads.rows, tr("1 token"), tr("%1 tokens")));
    if (scene.past_step) text += tr(", at step %1").arg(*scene.past_step);
    if (scene.heads.quantity != Quantity::kWeight)
      text += QStringLiteral(", ") + short_name_of(scene.heads.quantity);
    if (scene.order) text += tr(", ranked by: %1").arg(name_of(*scene.order));
    if (scene.across)
      text += tr(", %1 against %2").arg(name_of(scene.score), name_of(*scene.across));
  }
  return figure_title_lines(scene.look.title_bold, text, text, width - 2 * scene.look.px(12));
}

double further_height(const HeadGridScene& scene, double width) {
  return scene.look.px(20) * static_cast<double>(caption_of(scene, width).size() - 1);
}

HeadGridLayout layout_heads(const HeadGridScene& scene, const QRectF& bounds, double zoom) {
  const PictureLook& look = scene.look;
  const double line = QFontMetricsF(look.small).height(), pad = look.px(12), gap = look.px(8);
  HeadGridLayout layout;
  layout.ranked = scene.order.has_value();
  double top = bounds.top() + pad / 2;
  if (scene.caption) {
    const double further = further_height(scene, bounds.width());
    layout.caption_lines = caption_of(scene, bounds.width());
    layout.caption =
        QRectF(bounds.left() + pad, top, bounds.width() - 2 * pad, look.px(24) + further);
    top += look.px(30) + further;
  }
  if (scene.texts || !scene.state_line.isEmpty()) {
    layout.texts_line = QRectF(bounds.left() + pad, top, bounds.width() - 2 * pad, look.px(18));
    top += look.px(22);
  }
  const double legend = bounds.width() >= look.px(520) ? look.px(112) : 0;
  layout.legend = QRectF(bounds.right() - pad - legend, top, legend, bounds.bottom() - top - pad);
  layout.footer = QRectF(bounds.left() + pad, bounds.bottom() - pad / 2 - line,
                         bounds.width() - 2 * pad - (legend > 0 ? legend + gap : 0), line);
  double left = bounds.left() + pad;
  if (!layout.ranked && !scene.across) {
    const double axis = 2 * line + (scene.group() > 1 ? line + look.px(4) : 0);
    layout.left_axis =
        QRectF(bounds.left() + pad / 2, top + axis,
               line + QFontMetricsF(look.mono).horizontalAdvance(QStringLiteral("00")) + gap,
               layout.footer.top() - gap / 2 - top - axis);
    left = layout.left_axis.right() + look.px(2);
    layout.top_axis = QRectF(left, top, 0, axis);
    top += axis;
  }
  const double right = bounds.right() - pad - (legend > 0 ? legend + 2 * gap : 0);
  layout.view = QRectF(left, top, std::max(32.0, right - left),
                       std::max(32.0, layout.footer.top() - gap / 2 - top));
  layout.top_axis.setRight(layout.view.right());
  if (scene.count() <= 0) return layout;
  if (scene.across) {
    place_points(scene, zoom, layout);
  } else if (layout.ranked) {
    place_ranking(scene, zoom, layout);
  } else {
    place_grid(scene, zoom, layout);
  }
  return layout;
}

}  // namespace attn::gui
