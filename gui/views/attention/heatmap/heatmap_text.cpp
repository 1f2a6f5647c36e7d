// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heatmap/heatmap_text.h"

#include <QCoreApplication>
#include <cmath>

#include "gui/models/words/request_words.h"
#include "gui/views/attention/cell_numbers.h"
#include "gui/views/attention/heatmap/drawing/heatmap_sums.h"
#include "gui/views/attention/heatmap/heatmap_words.h"
#include "gui/widgets/text/rule_words.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {

namespace {

struct TextWords {
  Q_DECLARE_TR_FUNCTIONS(HeatmapText)
};

// The value of a mean, such as "mean of layer 2, 6 heads: 0.21", with the heads that have the
// smallest and the largest weight; or the value of a difference, with its two sides.
QString combined_text(const HeatmapScene& scene, int64_t query, int64_t key) {
  const AttentionRecord& record = *scene.head.record;
  const CombinedHeads heads = scene.head.heads();
  const auto value_of = [&](const CombinedHeads& part) {
    float value = 0;
    CombinedWeights(record, part).weights(query, 1, key, 1, &value);
    return value;
  };
  const auto number = [](float value) { return format_number(static_cast<double>(value), 5); };
  const float value = value_of(heads);
  if (!heads.right.empty())
    return TextWords::tr("%1\n= %2 − %3 = %4")
        .arg(shown_words(scene.head), number(value_of({heads.left, {}})),
             number(value_of({heads.right, {}})), number(value));
  float least = 0, most = 0;
  HeadId lowest, highest;
  for (const HeadId& id : heads.left) {
    const float weight = value_of({{id}, {}});
    const bool first = id == heads.left.front();
    if (first || weight < least) least = weight, lowest = id;
    if (first || weight > most) most = weight, highest = id;
  }
  return TextWords::tr("%1: %2\nfrom %3 (layer %4 head %5) to %6 (layer %7 head %8)")
      .arg(shown_words(scene.head), number(value), number(least))
      .arg(lowest.layer)
      .arg(lowest.head)
      .arg(number(most))
      .arg(highest.layer)
      .arg(highest.head);
}

// The number of a cell with its operands, such as "score 1.25 = scale × q·k, q·k = 7.1", and the
// weight on the next line.
QString score_words(const HeatmapScene& scene, const WeightOperands& cell, int64_t query,
                    int64_t key) {
  const auto number = [](double value) { return format_number(value, 5); };
  const QString weight = TextWords::tr("weight %1 = exp(score − log-sum-exp) = exp(%2 − %3)")
                             .arg(number(cell.weight), number(cell.score), number(cell.lse));
  if (scene.quantity() == Quantity::kScore)
    return TextWords::tr("score %1 = %2, q·k = %3")
               .arg(number(cell.score), score_formula(scene.head.rule()), number(cell.dot)) +
           QLatin1Char('\n') + weight;
  CellNumbers numbers(scene.head);
  float max = 0, value = 0;
  if (is_written(scene.quantity())) {
    numbers.cells(query, 1, key, 1, &value);
    const double length =
        cell.weight != 0 ? static_cast<double>(value) / static_cast<double>(cell.weight) : 0;
    return TextWords::tr("%1 = %2 × %3 = %4")
               .arg(quantities_of(scene.quantity()), number(cell.weight), number(length),
                    number(value)) +
           QLatin1Char('\n') + weight;
  }
  numbers.maxima(query, 1, &max);
  numbers.cells(query, 1, key, 1, &value);
  return TextWords::tr("exp(score − max) %1 = exp(%2 − %3)")
             .arg(number(value), number(cell.score), number(max)) +
         QLatin1Char('\n') + weight;
}

QString sums_text(const HeatmapScene& scene, const HeatmapTiles& tiles, int64_t query,
                  int64_t key) {
  QString text;
  const double row = heatmap_row_sum(scene, tiles, query),
               column = heatmap_column_sum(scene, tiles, key);
  if (!std::isnan(row))
    text += (scene.quantity() == Quantity::kScore ? TextWords::tr("\nlargest score of the row %1")
                                                  : TextWords::tr("\nrow sum %1"))
                .arg(format_number(row, 5));
  if (!std::isnan(column))
    text += (text.isEmpty() ? QStringLiteral("\n") : QStringLiteral(", ")) +
            TextWords::tr("column sum %1").arg(format_number(column, 5));
  if (const QString totals = totals_words(heatmap_totals(tiles, scene)); !totals.isEmpty())
    text += QLatin1Char('\n') + totals;
  return text;
}

}  // namespace

QString heatmap_description(const HeatmapScene& scene, const HeatmapTiles& tiles, int level) {
  if (scene.rows() <= 0) return TextWords::tr("Nothing computed yet");
  const QString tokens =
      counted(scene.rows(), TextWords::tr("1 token"), TextWords::tr("%1 tokens"));
  QString text =
      scene.keys_are_tokens()
          ? TextWords::tr("%1, %2, %3").arg(scene.request_name, shown_words(scene.head), tokens)
          : TextWords::tr("%1, %2, %3 of the decoder read %4 of the encoder")
                .arg(scene.request_name, shown_words(scene.head), tokens,
                     format_count(scene.columns()));
  if (!scene.shows_weights()) text += QStringLiteral(", ") + quantities_of(scene.quantity());
  if (const QString range = range_words(scene.quantity(), scene.score_range); !range.isEmpty())
    text += QStringLiteral(", ") + range;
  if (const QString keep = keep_words(scene.keep, level); !keep.isEmpty())
    text += QStringLiteral(", ") + keep;
  if (const QString totals = totals_words(heatmap_totals(tiles, scene)); !totals.isEmpty())
    text += QStringLiteral(", ") + totals;
  if (scene.mark.kind == HeatmapMark::Kind::kCell)
    text +=
        QStringLiteral(". ") + heatmap_cell_text(scene, tiles, scene.mark.query, scene.mark.key);
  return text;
}

QString heatmap_cell_text(const HeatmapScene& scene, const HeatmapTiles& tiles, int64_t query,
                          int64_t key) {
  const auto token = [](const auto& tokens, int64_t i) {
    return tokens && i >= 0 && i < static_cast<int64_t>(tokens->size())
               ? quoted_token((*tokens)[static_cast<size_t>(i)].text)
               : QString();
  };
  QString text =
      (scene.head.sees(query, key) ? TextWords::tr("query %1 %2 reads key %3 %4")
                                   : TextWords::tr("query %1 %2, key %3 %4"))
          .arg(query)
          .arg(token(scene.tokens, query))
          .arg(key)
          .arg(token(scene.keys_are_tokens() ? scene.tokens : scene.encoder_tokens, key)) +
      QLatin1Char('\n');
  const WeightOperands cell =
      scene.head.record ? scene.head.record->operands(scene.head.layer, scene.head.head, query, key)
                        : WeightOperands{};
  if (!scene.head.sees(query, key)) {
    const QString because = masked_because(scene.head.rule(), scene.head.head, query, key);
    text += scene.quantity() == Quantity::kScore
                ? TextWords::tr("masked, so without a score: %1").arg(because)
            : scene.quantity() == Quantity::kExp
                ? TextWords::tr("masked, so left out of the softmax: %1").arg(because)
                : TextWords::tr("weight 0, masked: %1").arg(because);
  } else if (scene.came_later(query)) {
    text += TextWords::tr("not yet computed at step %1").arg(scene.past->step);
  } else if (!scene.head.record || !scene.head.row_done(query)) {
    text += TextWords::tr("not computed");
    if (query < scene.without_query)
      text += TextWords::tr("; the query's token is %1").arg(given_words());
  } else if (scene.head.combine.kind != Combine::kHead) {
    text += combined_text(scene, query, key);
  } else if (!scene.shows_weights()) {
    text += score_words(scene, cell, query, key);
  } else if (cell.soft_cap > 0 || cell.bias != 0) {
    text += TextWords::tr("weight %1 = exp(score − log-sum-exp) = exp(%2 − %3)")
                .arg(format_number(cell.weight, 5), format_number(cell.score, 5),
                     format_number(cell.lse, 5));
    text +=
        QLatin1Char('\n') + TextWords::tr("score %1 = %2, q·k = %3")
                                .arg(format_number(cell.score, 5), score_formula(scene.head.rule()),
                                     format_number(cell.dot, 5));
  } else {
    text += TextWords::tr("weight %1 = exp(scale × q·k − log-sum-exp) = exp(%2 × %3 − %4)")
                .arg(format_number(cell.weight, 5), format_number(cell.scale, 4),
                     format_number(cell.dot, 5), format_number(cell.lse, 5));
  }
  if (scene.head.combine.kind == Combine::kHead)
    text += QLatin1Char('\n') + TextWords::tr("layer %1, head %2, KV head %3")
                                    .arg(layer_words(scene.head.layer, scene.head.is_encoder()))
                                    .arg(scene.head.head)
                                    .arg(scene.kv_head());
  if (cell.block >= 0)
    text += (scene.head.combine.kind == Combine::kHead ? TextWords::tr(", block %1, slot %2")
                                                       : TextWords::tr("\nblock %1, slot %2"))
                .arg(cell.block)
                .arg(cell.slot);
  return text + sums_text(scene, tiles, query, key);
}

double heatmap_row_sum(const HeatmapScene& scene, const HeatmapTiles& tiles, int64_t query) {
  if (query < 0 || query >= scene.rows() || scene.came_later(query)) return std::nan("");
  return row_sum(tiles, query);
}

double heatmap_column_sum(const HeatmapScene& scene, const HeatmapTiles& tiles, int64_t key) {
  if (key < 0 || key >= scene.columns()) return std::nan("");
  return column_sum(tiles, scene, key);
}

}  // namespace attn::gui
