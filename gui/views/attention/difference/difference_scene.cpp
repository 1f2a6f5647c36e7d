// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/difference/difference_scene.h"

#include <QFontMetricsF>
#include <QSize>
#include <algorithm>
#include <cmath>

#include "gui/views/attention/difference/difference_words.h"
#include "gui/views/attention/heatmap/heatmap_export.h"
#include "gui/widgets/text/wrapped_lines.h"

namespace attn::gui {
namespace {

constexpr double kMostSaid = 0.35;  // of the height of the view: for the sentences

TokenText pair_label(const TokenView* here, const TokenView* beside) {
  if (!here && !beside) return {};
  TokenText label = token_text(here ? here->text : beside->text);
  if (!here || !beside || here->text == beside->text) return label;
  const QString between = QStringLiteral(" / ");
  const TokenText other = token_text(beside->text);
  label.shown += between + other.shown;
  label.faint.insert(label.faint.end(), static_cast<size_t>(between.size()), true);
  label.faint.insert(label.faint.end(), other.faint.begin(), other.faint.end());
  return label;
}

std::vector<TokenText> pair_labels(const PairTokens& here, const PairTokens& beside) {
  const size_t count = std::max(here ? here->size() : 0, beside ? beside->size() : 0);
  std::vector<TokenText> labels;
  labels.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    const auto position = static_cast<int64_t>(i);
    labels.push_back(pair_label(token_in(here, position), token_in(beside, position)));
  }
  return labels;
}

double said_width(const DifferenceScene& scene, const QRectF& bounds) {
  return std::max(1.0, bounds.width() - 2 * scene.cells.look.px(12));
}

double said_line(const DifferenceScene& scene) {
  return std::ceil(QFontMetricsF(scene.cells.look.small).height());
}

// Places the sentences, and the cells below the room of so many lines.
void place_below(const DifferenceScene& scene, const QRectF& bounds, double top, size_t lines,
                 bool on_screen, DifferenceLayout& layout) {
  const double line = said_line(scene);
  layout.said_area = QRectF(bounds.left() + scene.cells.look.px(12), top, said_width(scene, bounds),
                            line * static_cast<double>(layout.said.size()));
  QRectF below = bounds;
  below.setTop(std::min(top + line * static_cast<double>(lines), bounds.bottom() - 1));
  layout.cells = layout_heatmap(scene.cells, below, on_screen);
}

bool same_tokens_in(const RunPair& a, const RunPair& b) {
  return a.here.tokens == b.here.tokens && a.beside.tokens == b.beside.tokens &&
         a.here.key_tokens == b.here.key_tokens && a.beside.key_tokens == b.beside.key_tokens;
}

}  // namespace

DifferenceScene difference_scene(const RunPair& pair, const DifferenceScene* before) {
  DifferenceScene scene;
  scene.pair = pair;
  HeatmapScene& cells = scene.cells;
  cells.look = PictureLook::read();
  cells.figure.sums = cells.figure.title = false;
  if (pair.is_empty()) return scene;
  const auto& record = pair.here.head.record;
  cells.head.layer = pair.layer();
  cells.head.head = pair.head();
  cells.head.rows = pair.rows();
  // The rules of the record, which lives as long as this pointer.
  cells.head.expected = std::shared_ptr<const LayerRules>(record, &record->shape().rules);
  cells.head.expected_keys = pair.columns();
  cells.request_name = pair.here.request;
  if (before && !before->is_empty() && same_tokens_in(before->pair, pair)) {
    cells.labels = before->cells.labels;
    cells.encoder_labels = before->cells.encoder_labels;
  } else {
    cells.labels = pair_labels(pair.here.tokens, pair.beside.tokens);
    if (!cells.keys_are_tokens())
      cells.encoder_labels = pair_labels(pair.here.key_tokens, pair.beside.key_tokens);
  }
  cells.measure_labels();
  const int64_t common = std::min(pair.here.rows, pair.beside.rows);
  for (int64_t position = 0; position < common; ++position) {
    const TokenView* here = token_in(pair.here.tokens, position);
    const TokenView* beside = token_in(pair.beside.tokens, position);
    if (here && beside && !(here->text == beside->text)) ++scene.other_tokens;
  }
  return scene;
}

ColorScale difference_scale(const DifferenceSums& sums) {
  const double end = rounded_up(std::abs(static_cast<double>(sums.largest)));
  return {ColorScale::Kind::kLinear, -end, end};
}

DifferenceLayout difference_layout(const DifferenceScene& scene, const DifferenceSums& sums,
                                   const QRectF& bounds) {
  const PictureLook& look = scene.cells.look;
  const double pad = look.px(12), width = said_width(scene, bounds);
  DifferenceLayout layout;
  double top = bounds.top() + pad / 2;
  if (scene.title) {
    const QString title = difference_title(scene.pair);
    layout.title = figure_title_lines(look.title_bold, title, title, width);
    layout.title_area = QRectF(bounds.left() + pad, top, width,
                               look.px(22) * static_cast<double>(layout.title.size()));
    top = layout.title_area.bottom() + look.px(4);
  }
  layout.said = wrapped_lines(look.small, difference_sentences(scene, sums, false), width);
  place_below(scene, bounds, top, layout.said.size(), false, layout);
  return layout;
}

DifferenceLayout difference_layout(const DifferenceScene& scene, const DifferenceSums& sums,
                                   bool behind, const QRectF& bounds, size_t least_lines) {
  const PictureLook& look = scene.cells.look;
  DifferenceLayout layout;
  layout.said = wrapped_lines(look.small, difference_sentences(scene, sums, behind),
                              said_width(scene, bounds));
  const auto most = static_cast<size_t>(
      std::max(1.0, std::floor(kMostSaid * bounds.height() / said_line(scene))));
  if (layout.said.size() > most) {
    layout.said.resize(most);
    layout.said.back() += QStringLiteral(" …");
    layout.is_cut = true;
  }
  const size_t lines = std::clamp(least_lines, layout.said.size(), most);
  place_below(scene, bounds, bounds.top() + look.px(6), lines, true, layout);
  return layout;
}

QSize difference_size(const DifferenceScene& scene, std::optional<double> width) {
  if (scene.is_empty()) return {scene.cells.look.px(480), scene.cells.look.px(160)};
  QSize size = heatmap_export_size(scene.cells, width);
  // The sums are not known yet, so these sentences are about as long as the true ones.
  DifferenceSums sums;
  sums.add(0.123456f, scene.pair.rows() - 1, scene.pair.columns() - 1);
  const DifferenceLayout layout = difference_layout(scene, sums, QRectF(QPointF(), QSizeF(size)));
  size.rheight() += static_cast<int>(std::ceil(layout.said_area.bottom()));
  return size;
}

}  // namespace attn::gui
