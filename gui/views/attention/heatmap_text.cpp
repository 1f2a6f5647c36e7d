// SPDX-License-Identifier: GPL-3.0-or-later
// HeatmapView: a cell and the whole picture in words.
#include <cmath>

#include "gui/views/attention/heatmap_sums.h"
#include "gui/views/attention/heatmap_view.h"
#include "gui/views/attention/heatmap_words.h"
#include "gui/widgets/rule_words.h"
#include "gui/widgets/ticks.h"

namespace attn::gui {

void HeatmapView::update_description() {
  if (scene_.rows() <= 0) return setAccessibleDescription(tr("Nothing computed yet"));
  QString text =
      scene_.keys_are_tokens()
          ? tr("%1, %2, %3 tokens")
                .arg(scene_.request_name, shown_words(scene_.head), format_count(scene_.rows()))
          : tr("%1, %2, %3 tokens of the decoder read %4 of the encoder")
                .arg(scene_.request_name, shown_words(scene_.head), format_count(scene_.rows()),
                     format_count(scene_.columns()));
  if (const QString keep = keep_words(scene_.keep, level_); !keep.isEmpty())
    text += QStringLiteral(", ") + keep;
  if (const QString totals = totals_words(heatmap_totals(tiles_, scene_)); !totals.isEmpty())
    text += QStringLiteral(", ") + totals;
  if (scene_.mark.kind == HeatmapMark::Kind::kCell)
    text += QStringLiteral(". ") + cell_text(scene_.mark.query, scene_.mark.key);
  if (text != accessibleDescription()) setAccessibleDescription(text);
}

QString HeatmapView::cell_text(int64_t query, int64_t key) const {
  const auto token = [](const auto& tokens, int64_t i) {
    return tokens && i >= 0 && i < static_cast<int64_t>(tokens->size())
               ? quoted_token((*tokens)[static_cast<size_t>(i)].text)
               : QString();
  };
  QString text =
      tr("query %1 %2 reads key %3 %4")
          .arg(query)
          .arg(token(scene_.tokens, query))
          .arg(key)
          .arg(token(scene_.keys_are_tokens() ? scene_.tokens : scene_.encoder_tokens, key)) +
      QLatin1Char('\n');
  const WeightOperands cell =
      scene_.head.record
          ? scene_.head.record->operands(scene_.head.layer, scene_.head.head, query, key)
          : WeightOperands{};
  if (!scene_.head.sees(query, key)) {
    text += tr("masked: %1, weight 0")
                .arg(masked_because(scene_.head.rule(), scene_.head.head, query, key));
  } else if (scene_.came_later(query)) {
    text += tr("not computed at step %1").arg(scene_.past->step);
  } else if (!scene_.head.record || !scene_.head.row_done(query)) {
    text += tr("not computed yet");
  } else if (scene_.head.combine.kind != Combine::kHead) {
    text += combined_text(query, key);
  } else if (cell.soft_cap > 0 || cell.bias != 0) {
    text += tr("weight %1 = exp(%2 − %3)")
                .arg(format_number(cell.weight, 5), format_number(cell.score, 5),
                     format_number(cell.lse, 5));
    text +=
        QLatin1Char('\n') + tr("score %1 = %2, q·k = %3")
                                .arg(format_number(cell.score, 5),
                                     score_formula(scene_.head.rule()), format_number(cell.dot, 5));
  } else {
    text += tr("weight %1 = exp(%2 × %3 − %4)")
                .arg(format_number(cell.weight, 5), format_number(cell.scale, 4),
                     format_number(cell.dot, 5), format_number(cell.lse, 5));
  }
  if (scene_.head.combine.kind == Combine::kHead)
    text += QLatin1Char('\n') + tr("layer %1, head %2, KV head %3")
                                    .arg(scene_.head.layer)
                                    .arg(scene_.head.head)
                                    .arg(scene_.kv_head());
  if (cell.block >= 0)
    text += (scene_.head.combine.kind == Combine::kHead ? tr(", block %1, slot %2")
                                                        : tr("\nblock %1, slot %2"))
                .arg(cell.block)
                .arg(cell.slot);
  return text + sums_text(query, key);
}

// "mean of layer 2, 6 heads: 0.21", with the heads between which it lies, or both sides of a
// difference.
QString HeatmapView::combined_text(int64_t query, int64_t key) const {
  const AttentionRecord& record = *scene_.head.record;
  const CombinedHeads heads = scene_.head.heads();
  const auto value_of = [&](const CombinedHeads& part) {
    float value = 0;
    CombinedWeights(record, part).weights(query, 1, key, 1, &value);
    return value;
  };
  const auto number = [](float value) { return format_number(static_cast<double>(value), 5); };
  const float value = value_of(heads);
  if (!heads.right.empty())
    return tr("%1\n= %2 − %3 = %4")
        .arg(shown_words(scene_.head), number(value_of({heads.left, {}})),
             number(value_of({heads.right, {}})), number(value));
  float least = 0, most = 0;
  HeadId lowest, highest;
  for (const HeadId& id : heads.left) {
    const float weight = value_of({{id}, {}});
    const bool first = id == heads.left.front();
    if (first || weight < least) least = weight, lowest = id;
    if (first || weight > most) most = weight, highest = id;
  }
  return tr("%1: %2\nfrom %3 (layer %4 head %5) to %6 (layer %7 head %8)")
      .arg(shown_words(scene_.head), number(value), number(least))
      .arg(lowest.layer)
      .arg(lowest.head)
      .arg(number(most))
      .arg(highest.layer)
      .arg(highest.head);
}

// The sums that the strips show, where they have been made.
QString HeatmapView::sums_text(int64_t query, int64_t key) const {
  QString text;
  const double row = shown_row_sum(query), column = shown_column_sum(key);
  if (!std::isnan(row)) text += tr("\nrow sum %1").arg(format_number(row, 5));
  if (!std::isnan(column))
    text += (text.isEmpty() ? QStringLiteral("\n") : QStringLiteral(", ")) +
            tr("column sum %1").arg(format_number(column, 5));
  if (const QString totals = totals_words(heatmap_totals(tiles_, scene_)); !totals.isEmpty())
    text += QLatin1Char('\n') + totals;
  return text;
}

double HeatmapView::shown_row_sum(int64_t query) const {
  if (query < 0 || query >= scene_.rows() || scene_.came_later(query)) return std::nan("");
  return row_sum(tiles_, query);
}

double HeatmapView::shown_column_sum(int64_t key) const {
  if (key < 0 || key >= scene_.columns()) return std::nan("");
  return column_sum(tiles_, scene_, key);
}

}  // namespace attn::gui
