// SPDX-License-Identifier: GPL-3.0-or-later
// HeatmapView::tour(): the stops of "What am I looking at?".
#include <algorithm>
#include <vector>

#include "gui/views/attention/heatmap/drawing/heatmap_sums.h"
#include "gui/views/attention/heatmap/heatmap_view.h"
#include "gui/views/attention/heatmap/heatmap_words.h"
#include "gui/widgets/text/rule_words.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

constexpr int64_t kMostKeys = 1 << 16;  // most keys of a row that a tour reads

// The last query whose row is computed at the shown step; -1: none.
int64_t newest_row(const HeatmapScene& scene) {
  if (!scene.head.record) return -1;
  int64_t query = std::min(scene.scored_rows(), scene.head.record->num_rows()) - 1;
  while (query >= 0 && !scene.head.row_done(query)) --query;
  return query;
}

QString token_words(const std::shared_ptr<const std::vector<TokenView>>& tokens, int64_t position) {
  if (!tokens || position >= static_cast<int64_t>(tokens->size())) return QString::number(position);
  return QStringLiteral("%1 %2").arg(position).arg(
      quoted_token((*tokens)[static_cast<size_t>(position)].text));
}

}  // namespace

Tour HeatmapView::tour() const {
  Tour tour(*this);
  const HeatmapScene& scene = scene_;
  const int64_t query = newest_row(scene);
  if (query < 0 || scene.columns() > kMostKeys) {
    tour.nothing(query < 0
                     ? tr("No row of this request has been computed at this step. Press Space "
                          "to run, or move the slider in the status line to a later step.")
                     : tr("This sequence is too long for a tour. Choose a shorter request in "
                          "the header."));
    return tour;
  }
  const auto& key_tokens = scene.keys_are_tokens() ? scene.tokens : scene.encoder_tokens;
  const bool one_head = scene.head.combine.kind == Combine::kHead;
  tour.stop(*this, layout_.cells, tr("One head of attention"),
            (one_head ? tr("This is head %1 of layer %2, for the request “%3”.")
                            .arg(scene.head.head)
                            .arg(layer_words(scene.head.layer, scene.head.is_encoder()))
                            .arg(scene.request_name)
                      : tr("This is %1, for the request “%2”.")
                            .arg(shown_words(scene.head), scene.request_name)) +
                QLatin1Char(' ') +
                tr("The %1 rows are tokens that read, the %2 columns tokens that are read. The "
                   "colour of a cell stands for a number: %3.")
                    .arg(format_count(scene.rows()), format_count(scene.columns()),
                         quantity_of(scene.head)));

  std::vector<float> row(static_cast<size_t>(scene.columns()));
  scene.head.record->weights(scene.head.layer, scene.head.head, query, 1, 0, scene.columns(),
                             row.data());
  int64_t seen = 0;
  double sum = 0;
  for (int64_t key = 0; key < scene.columns(); ++key) {
    if (scene.head.sees(query, key)) ++seen;
    sum += static_cast<double>(row[static_cast<size_t>(key)]);
  }
  const bool has_sink = !scene.head.rule().sinks.empty();
  const QRectF whole_row(rect_of(query, 0).topLeft(),
                         rect_of(query, scene.columns() - 1).bottomRight());
  tour.stop(
      *this, whole_row & layout_.cells, tr("A row reads"),
      tr("Token %1 has the last computed row here. This token sees %2 of the %3 tokens.")
              .arg(token_words(scene.tokens, query), format_count(seen),
                   format_count(scene.columns())) +
          QLatin1Char(' ') +
          (has_sink
               ? tr("The weights of the row add up to %1 in head %2; the sink takes the rest.")
               : tr("The weights of a row should add up to 1; here they add up to %1 in head %2."))
              .arg(format_number(sum))
              .arg(scene.head.head));

  const auto largest = std::ranges::max_element(row) - row.begin();
  const double weight = static_cast<double>(row[static_cast<size_t>(largest)]);
  tour.stop(*this, rect_of(query, largest) & layout_.cells, tr("Its largest weight"),
            tr("In head %4 this row reads token %1 most: the weight is %2, or %3%. Point at a "
               "computed cell to see more about its number.")
                .arg(token_words(key_tokens, largest), weight_text(weight),
                     format_number(weight * 100, 3), QString::number(scene.head.head)));

  const int64_t last = scene.columns() - 1;
  int64_t masked = 0;
  for (int64_t key = 0; key <= last; ++key) masked += !scene.head.sees(0, key);
  if (scene.head.rule().causal && masked > 0 && !scene.head.sees(0, last))
    tour.stop(*this,
              QRectF(rect_of(0, last - masked + 1).topLeft(), rect_of(0, last).bottomRight()) &
                  layout_.cells,
              tr("What may not be read"),
              tr("Hatched cells are masked. Row 0 sees %1 of the %2 tokens; the other %3 come "
                 "later in the text.")
                  .arg(format_count(scene.columns() - masked), format_count(scene.columns()),
                       format_count(masked)));

  const double right = layout_.cells.left() + transform_.x.to_pixel(transform_.x.visible_end());
  const double bottom = layout_.cells.top() + transform_.y.to_pixel(transform_.y.visible_end());
  if (const auto totals = heatmap_totals(tiles_, scene);
      totals && scene.shows_weights() && layout_.column_sums_height > 0)
    tour.stop(
        *this,
        layout_.column_sums(bottom) &
            QRectF(layout_.cells.left(), bottom, right - layout_.cells.left(), height()),
        tr("Which tokens are read"),
        tr("A bar is the sum of a column: how much the rows together read of a token. Token %1 "
           "gets %2 of %3, that is %4%.")
            .arg(token_words(key_tokens, 0), format_number(totals->first),
                 format_number(totals->all), format_number(totals->first / totals->all * 100, 3)));
  if (layout_.legend_width > 0)
    tour.stop(
        *this, layout_.legend(right, layout_.cells.bottom()), tr("What the colours say"),
        tr("The scale shows which number a colour stands for: %1. The header offers other numbers.")
            .arg(quantity_of(scene.head)));
  tour.stop(*header_, tr("Another head"),
            tr("The model has %1 layers with %2 heads each. The keys . and , go to the next head "
               "and back; the boxes choose layer, head and request.")
                .arg(scene.num_layers)
                .arg(scene.num_heads));
  return tour;
}

}  // namespace attn::gui
