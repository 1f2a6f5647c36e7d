// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/text/rule_words.h"

#include <QStringList>

#include "gui/models/text.h"

namespace attn::gui {

QString layer_words(int64_t layer, bool of_encoder) {
  return of_encoder ? tr("%1 (encoder)").arg(layer) : QString::number(layer);
}

QString layer_words(int64_t layer, const LayerRules& rules) {
  return layer_words(layer, rules.of(layer).encoder);
}

QString mask_words(const WeightRule& rule) {
  if (rule.has_holes()) return tr("masked: the query does not see the key");
  if (rule.sliding_window > 0 && rule.rows_without_window > 0)
    return tr("masked: the key comes after the query or, from row %1 on, before the query's window "
              "of %2")
        .arg(rule.rows_without_window)
        .arg(rule.sliding_window);
  if (rule.sliding_window > 0)
    return (rule.causal
                ? tr("masked: the key comes after the query or before the query's window of %1")
                : tr("masked: the key comes before the query's window of %1"))
        .arg(rule.sliding_window);
  return rule.causal ? tr("masked: the key comes after the query") : QString();
}

QString mask_words(const LayerRules& rules) {
  if (rules.are_one()) return mask_words(rules.of(0));
  return tr("masked: the query does not see the key");
}

QString masked_because(const WeightRule& rule, int64_t head, int64_t query, int64_t key) {
  if (rule.sees(head, query, key)) return {};
  if (rule.causal && key > query) return tr("the key comes after the query");
  const int64_t window = rule.window_of(query);
  if (window > 0 && key <= query - window)
    return tr("the key lies before the query's window, which begins at key %1")
        .arg(query - window + 1);
  if (rule.blocksparse && !sees_key(*rule.blocksparse, head, query, key))
    return tr("block-sparse attention leaves out the block of the keys %1 to %2")
        .arg(key / rule.blocksparse->block_size * rule.blocksparse->block_size)
        .arg((key / rule.blocksparse->block_size + 1) * rule.blocksparse->block_size - 1);
  return tr("the edge from this query to this key is cut");
}

QString mask_names(const WeightRule& rule) {
  QStringList names;
  if (rule.causal) names += tr("causal");
  if (rule.sliding_window > 0)
    names += rule.rows_without_window > 0 ? tr("window of %1 from row %2 on")
                                                .arg(rule.sliding_window)
                                                .arg(rule.rows_without_window)
                                          : tr("window of %1").arg(rule.sliding_window);
  if (rule.blocksparse) names += tr("block-sparse");
  return names.isEmpty() ? tr("none") : names.join(QStringLiteral(", "));
}

QString score_formula(const WeightRule& rule) {
  const QString capped =
      rule.soft_cap > 0 ? tr("cap × tanh(scale × q·k ÷ cap)") : tr("scale × q·k");
  if (!rule.relative_bias.empty()) return capped + tr(" + bias of the distance");
  return rule.alibi_slopes.empty() ? capped : capped + tr(" + slope × (key − query)");
}

QString sink_words(const WeightRule& rule) {
  return rule.sinks.empty() ? QString()
                            : tr("row sums are below 1, because the sink takes the rest");
}

}  // namespace attn::gui
