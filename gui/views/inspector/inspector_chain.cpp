// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/inspector/inspector_chain.h"

#include <cmath>

#include "gui/models/text.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

// Short, for a column of numbers: "0.1234", "-12.345", "1.2e-5".
QString short_number(double value) {
  const double size = std::abs(value);
  if (size == 0 || !std::isfinite(value)) return format_number(value);
  if (size < 1e-3 || size >= 9999.95) {
    const QString text = QString::number(value, 'e', size < 1e-9 || size >= 1e10 ? 0 : 1);
    return QString(text)
        .replace(QStringLiteral("e-0"), QStringLiteral("e-"))
        .replace(QStringLiteral("e+0"), QStringLiteral("e"));
  }
  return QString::number(value, 'f',
                         size < 9.99995   ? 4
                         : size < 99.9995 ? 3
                         : size < 999.995 ? 2
                                          : 1);
}

std::vector<float> as_floats(const std::vector<double>& numbers) {
  std::vector<float> floats;
  for (const double value : numbers) floats.push_back(static_cast<float>(value));
  return floats;
}

// nullopt: the row is not computed, sees no key or is longer than kMostChainKeys. For a longer row
// `out` gets a note.
std::optional<AttentionRow> row_of(InspectorContent& out, const RequestView& request,
                                   const SelectionState& s) {
  const AttentionRecord& record = *request.attention;
  const KeySpan keys = record.shape().rules.of(s.layer).span(s.query, record.num_keys(s.layer));
  if (keys.end - keys.begin > kMostChainKeys) {
    out.note(tr("The row has %1 keys. Sums are shown only for rows of up to %2 keys.")
                 .arg(format_count(keys.end - keys.begin), format_count(kMostChainKeys)));
    return std::nullopt;
  }
  return attention_row(record, s.layer, s.head, s.query);
}

void add_missing_values(InspectorContent& out) {
  out.note(
      tr("The values are not in the session file: an earlier version of the program saved it."));
}

InspectorItem chain_line(const QString& name, const QStringList& cells) {
  InspectorItem item;
  item.kind = InspectorItem::Kind::kChain;
  item.name = name;
  item.cells = cells;
  return item;
}

// nullopt: the record has no value of this key.
std::optional<double> first_of_value(const AttentionRecord& record, const SelectionState& s,
                                     int64_t key) {
  std::vector<float> value(static_cast<size_t>(record.shape().head_size));
  if (!record.values(s.layer, s.head, key, 1, value.data())) return std::nullopt;
  return static_cast<double>(value[0]);
}

QString sum_words(const AttentionRow& row) {
  return row.sink_exp > 0 ? tr("Σ exp(score − m) + exp(sink − m)") : tr("Σ exp(score − m)");
}

}  // namespace

void add_row_chain(InspectorContent& out, const RequestView& request, const SelectionState& s,
                   std::span<const std::pair<int64_t, float>> top, TableKind kind) {
  const AttentionRecord& record = *request.attention;
  out.heading(tr("Score, exp, weight, times V, sum"));
  const auto row = row_of(out, request, s);
  if (!row) return;
  const bool has_values = !row->output.empty();
  out.items.push_back(chain_line(
      tr("key"), {tr("score"), tr("exp"), tr("weight"), has_values ? tr("× v[0]") : QString()}));
  out.items.back().kind = InspectorItem::Kind::kChainHead;
  double exp_left = row->exp_sum, weight_left = row->weight_sum,
         product_left = has_values ? row->output[0] : 0;
  for (const auto& [key, weight] : top) {
    const size_t at = row->at(key);
    QStringList cells{short_number(row->score[at]), short_number(row->exp[at]),
                      short_number(row->weight[at])};
    exp_left -= static_cast<double>(row->exp[at]);
    weight_left -= static_cast<double>(row->weight[at]);
    if (const auto value = has_values ? first_of_value(record, s, key) : std::nullopt) {
      const double product = static_cast<double>(row->weight[at]) * *value;
      product_left -= product;
      cells += short_number(product);
    }
    InspectorItem item = chain_line(QString::number(key), cells);
    const auto& tokens = request.tokens_in(kind);
    if (tokens && key < static_cast<int64_t>(tokens->size()))
      item.token = token_text((*tokens)[static_cast<size_t>(key)].text);
    out.items.push_back(std::move(item));
  }
  const WeightRule& rule = record.shape().rules.of(s.layer);
  int64_t seen = row->keys.end - row->keys.begin;
  if (rule.has_holes()) {
    seen = 0;
    for (int64_t key = row->keys.begin; key < row->keys.end; ++key)
      seen += rule.sees(s.head, s.query, key) ? 1 : 0;
  }
  if (const int64_t others = seen - std::ssize(top); others > 0) {
    QStringList cells{QString(), short_number(exp_left), short_number(weight_left)};
    if (has_values) cells += short_number(product_left);
    out.items.push_back(chain_line(counted(others, tr("1 other"), tr("%1 others")), cells));
  }
  if (!rule.sinks.empty())
    out.items.push_back(
        chain_line(tr("sink"), {short_number(rule.sink(s.head)), short_number(row->sink_exp),
                                short_number(std::exp(static_cast<double>(rule.sink(s.head)) -
                                                      record.lse(s.layer, s.head, s.query)))}));
  // The sum of the exponentials includes the sink: the weights are divided by that sum.
  QStringList sums{QString(), short_number(row->all()), short_number(row->weight_sum)};
  if (has_values) sums += short_number(row->output[0]);
  out.items.push_back(chain_line(tr("sum"), sums));
  if (!has_values) {
    add_missing_values(out);
  } else {
    out.note(
        tr("exp is exp(score − m), weight is exp ÷ the sum of the column exp, and × v[0] is the "
           "weight times dimension 0 of the key's value. The sum of the last column is dimension 0 "
           "of the row's output."));
  }

  out.heading(tr("Vectors"));
  const int64_t any = kind == TableKind::kOwn && rule.sees(s.head, s.query, s.query) ? s.query
                      : top.empty() ? row->keys.begin
                                    : top.front().first;
  WeightOperands own = record.operands(s.layer, s.head, s.query, any);
  out.vector(tr("q of this token"), std::move(own.query));
  if (kind == TableKind::kOwn && any == s.query) {
    out.vector(tr("k of this token"), std::move(own.key));
    if (!own.value.empty()) out.vector(tr("v of this token"), std::move(own.value));
  }
  if (has_values) out.vector(tr("output of its row: Σ weight × v"), as_floats(row->output));
}

std::optional<AttentionRow> add_cell_chain(InspectorContent& out, const RequestView& request,
                                           const SelectionState& s) {
  out.heading(tr("From the score to the output"));
  auto row = row_of(out, request, s);
  if (!row) return row;
  const size_t at = row->at(s.key);
  out.formula(tr("m = largest score of the row = %1").arg(number(row->max)));
  out.formula(tr("exp(score − m) = exp(%1 − %2) = %3")
                  .arg(number(row->score[at]), number(row->max), number(row->exp[at])));
  out.formula(tr("d = %1 = %2").arg(sum_words(*row), number(row->all())));
  out.formula(tr("weight = exp(score − m) ÷ d = %1 ÷ %2 = %3")
                  .arg(number(row->exp[at]), number(row->all()), number(row->weight[at])));
  if (row->output.empty()) {
    add_missing_values(out);
    return row;
  }
  out.formula(tr("output = Σ weight × v, keys %1..%2").arg(row->keys.begin).arg(row->keys.end - 1));
  if (const auto value = first_of_value(*request.attention, s, s.key))
    out.formula(tr("output[0] = %1, of which %2 × %3 = %4 from this key")
                    .arg(number(row->output[0]), number(row->weight[at]), number(*value),
                         number(static_cast<double>(row->weight[at]) * *value)));
  return row;
}

void add_cell_vectors(InspectorContent& out, const WeightOperands& cell,
                      const std::optional<AttentionRow>& row) {
  out.heading(tr("Vectors"));
  std::vector<float> products(std::min(cell.query.size(), cell.key.size()));
  for (size_t i = 0; i < products.size(); ++i) products[i] = cell.query[i] * cell.key[i];
  out.vector(tr("q"), cell.query);
  out.vector(tr("k"), cell.key);
  out.vector(tr("q × k by dimension; their sum is q·k"), std::move(products));
  if (cell.value.empty()) return;
  std::vector<float> weighted;
  for (const float value : cell.value) weighted.push_back(cell.weight * value);
  out.vector(tr("v"), cell.value);
  out.vector(tr("weight × v"), std::move(weighted));
  if (row && !row->output.empty())
    out.vector(tr("output of the row: Σ weight × v"), as_floats(row->output));
}

}  // namespace attn::gui
