// SPDX-License-Identifier: GPL-3.0-or-later
// What of the attention views a session file keeps beside their places.
#include "gui/widgets/view_options.h"

#include <QJsonArray>
#include <algorithm>

#include "gui/views/attention/head_grid_view.h"
#include "gui/views/attention/head_lines_view.h"
#include "gui/views/attention/heatmap_view.h"

namespace attn::gui {
namespace {

QJsonObject look_of(ColorMapId map, ColorScale::Kind scale, Reduce reduce) {
  return {{QStringLiteral("color_map"), name_of(map)},
          {QStringLiteral("scale"), static_cast<int>(scale)},
          {QStringLiteral("reduce"), static_cast<int>(reduce)}};
}

template <class View>
void set_look(View& view, const QJsonObject& options) {
  const QString map = options.value(QLatin1String("color_map")).toString();
  for (const ColorMapId known : kColorMaps)
    if (map == name_of(known)) view.set_color_map(known);
  if (const auto scale = whole_option(options, "scale", 0, 1))
    view.set_scale(static_cast<ColorScale::Kind>(*scale));
  if (const auto reduce = whole_option(options, "reduce", 0, 1))
    view.set_reduce(static_cast<Reduce>(*reduce));
}

}  // namespace

// Its place has the combination and the cells that are kept.
QJsonObject HeatmapView::options() const {
  return look_of(scene_.map, scene_.scale.kind, scene_.reduce);
}

void HeatmapView::set_options(const QJsonObject& options) {
  set_look(*this, options);
}

QJsonObject HeadGridView::options() const {
  QJsonObject options = look_of(map_, scale_.kind, reduce_);
  options.insert(QStringLiteral("order"), order_ ? static_cast<int>(*order_) : -1);
  options.insert(QStringLiteral("score"), static_cast<int>(score_));
  options.insert(QStringLiteral("relative"), relative_);
  return options;
}

void HeadGridView::set_options(const QJsonObject& options) {
  set_look(*this, options);
  constexpr int kLast = static_cast<int>(kHeadScores.size()) - 1;
  if (const auto order = whole_option(options, "order", -1, kLast))
    set_order(*order < 0 ? std::nullopt : std::optional(static_cast<HeadScore>(*order)));
  if (const auto score = whole_option(options, "score", 0, kLast))
    set_score(static_cast<HeadScore>(*score));
  if (const auto relative = flag_option(options, "relative")) set_relative(*relative);
}

QJsonObject HeadLinesView::options() const {
  QJsonArray heads;
  for (const int64_t head : heads_) heads.append(static_cast<int>(head));
  return {{QStringLiteral("heads"), heads},
          {QStringLiteral("filter"), static_cast<int>(filter_.kind)},
          {QStringLiteral("least_weight"), least_weight_},
          {QStringLiteral("top_mass"), top_mass_},
          {QStringLiteral("without_first"), filter_.without_first}};
}

void HeadLinesView::set_options(const QJsonObject& options) {
  if (const auto least = real_option(options, "least_weight", 0, 1)) least_weight_ = *least;
  if (const auto mass = real_option(options, "top_mass", 0, 1)) top_mass_ = *mass;
  LineFilter filter = filter_;
  if (const auto kind = whole_option(options, "filter", 0, 1))
    filter.kind = static_cast<LineFilter::Kind>(*kind);
  filter.value = filter.kind == LineFilter::Kind::kAtLeast ? least_weight_ : top_mass_;
  if (const auto without = flag_option(options, "without_first")) filter.without_first = *without;
  set_filter(filter);
  const auto& snapshot = bridge().snapshot();
  std::vector<int64_t> heads;
  for (const QJsonValue& value : options.value(QLatin1String("heads")).toArray()) {
    const int head = value.toInt(-1);
    if (snapshot && head >= 0 && head < snapshot->source.num_heads) heads.push_back(head);
  }
  if (!heads.empty()) set_heads(std::move(heads));
}

}  // namespace attn::gui
