// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heatmap/figure/row_table.h"

#include <QCoreApplication>
#include <QStringList>
#include <cmath>
#include <vector>

#include "engine/session/record/attention_row.h"
#include "gui/models/view_point.h"
#include "gui/widgets/text/token_label.h"

namespace attn::gui {
namespace {

struct TableWords {
  Q_DECLARE_TR_FUNCTIONS(RowTable)
};

// The length |v| of each of the keys; empty: the record has no values.
std::vector<double> value_lengths(const HeadRef& head, const KeySpan& keys) {
  const auto count = static_cast<size_t>(keys.end - keys.begin);
  const auto size = static_cast<size_t>(head.record->shape().head_size);
  std::vector<float> values(count * size);
  if (!head.record->values(head.layer, head.head, keys.begin, keys.end - keys.begin, values.data()))
    return {};
  std::vector<double> lengths(count);
  for (size_t key = 0; key < count; ++key) {
    double sum = 0;
    for (size_t i = 0; i < size; ++i) {
      const double value = values[key * size + i];
      sum += value * value;
    }
    lengths[key] = std::sqrt(sum);
  }
  return lengths;
}

}  // namespace

bool has_row_table(const HeatmapScene& scene, int64_t query) {
  return scene.head.record && scene.head.combine.kind == Combine::kHead && query >= 0 &&
         !scene.came_later(query) && scene.head.row_done(query);
}

QString row_table(const HeatmapScene& scene, int64_t query) {
  const HeadRef& head = scene.head;
  if (!has_row_table(scene, query)) return {};
  const auto row = attention_row(*head.record, head.layer, head.head, query);
  if (!row) return {};
  const std::vector<double> lengths = value_lengths(head, row->keys);
  const auto& tokens = scene.keys_are_tokens() ? scene.tokens : scene.encoder_tokens;
  QStringList names{TableWords::tr("key"), TableWords::tr("token"), TableWords::tr("score"),
                    TableWords::tr("exp(score − max)"), TableWords::tr("weight")};
  if (!lengths.empty()) names << TableWords::tr("|v|") << TableWords::tr("weight × |v|");
  QStringList lines{names.join(QLatin1Char('\t'))};
  for (int64_t key = row->keys.begin; key < row->keys.end; ++key) {
    if (!head.sees(query, key)) continue;
    const size_t at = row->at(key);
    const QString text = tokens && key < static_cast<int64_t>(tokens->size())
                             ? quoted_token((*tokens)[static_cast<size_t>(key)].text)
                             : QString();
    QStringList cells{QString::number(key), text, exact_number(row->score[at]),
                      exact_number(row->exp[at]), exact_number(row->weight[at])};
    if (!lengths.empty())
      cells << exact_number(lengths[at]) << exact_number(lengths[at] * double{row->weight[at]});
    lines << cells.join(QLatin1Char('\t'));
  }
  // The sum of exp leaves out a sink.
  lines << QStringList{TableWords::tr("sum"),
                       {},
                       {},
                       exact_number(row->exp_sum),
                       exact_number(row->weight_sum)}
               .join(QLatin1Char('\t'));
  return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

}  // namespace attn::gui
