// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/record/attention_row.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/kernels/weight_recompute.h"

namespace attn {
namespace {

constexpr int64_t kValuesAtOnce = 256;  // values copied at once

std::vector<double> output_of(const AttentionRecord& record, int64_t layer, int64_t head,
                              int64_t query, const AttentionRow& row) {
  const WeightRule& rule = record.shape().rules.of(layer);
  const int64_t width = record.shape().head_size;
  std::vector<double> output(static_cast<size_t>(width), 0.0);
  std::vector<float> values(static_cast<size_t>(kValuesAtOnce * width));
  for (int64_t k = row.keys.begin; k < row.keys.end; k += kValuesAtOnce) {
    const int64_t count = std::min(kValuesAtOnce, row.keys.end - k);
    if (!record.values(layer, head, k, count, values.data())) return {};
    for (int64_t i = 0; i < count; ++i) {
      if (rule.has_holes() && !rule.sees(head, query, k + i)) continue;
      const auto weight = static_cast<double>(row.weight[row.at(k + i)]);
      for (int64_t e = 0; e < width; ++e)
        output[static_cast<size_t>(e)] +=
            weight * static_cast<double>(values[static_cast<size_t>(i * width + e)]);
    }
  }
  return output;
}

}  // namespace

std::optional<AttentionRow> attention_row(const AttentionRecord& record, int64_t layer,
                                          int64_t head, int64_t query) {
  if (!record.row_done(layer, head, query)) return std::nullopt;
  const WeightRule& rule = record.shape().rules.of(layer);
  AttentionRow row;
  row.keys = rule.span(query, record.num_keys(layer));
  if (row.keys.empty()) return std::nullopt;
  const int64_t first = row.keys.begin, count = row.keys.end - first;
  const auto size = static_cast<size_t>(count);
  row.score.resize(size);
  row.exp.resize(size);
  row.weight.resize(size);
  record.scores(layer, head, query, 1, first, count, row.score.data());
  row.max = -std::numeric_limits<float>::infinity();
  for (const float score : row.score)
    if (score > row.max || std::isnan(score)) row.max = score;  // a NaN stays
  exp_of_scores(row.score.data(), count, row.max, row.exp.data());
  exp_of_scores(row.score.data(), count, record.lse(layer, head, query), row.weight.data());
  for (int64_t k = first; rule.has_holes() && k < row.keys.end; ++k)
    if (!rule.sees(head, query, k)) row.exp[row.at(k)] = row.weight[row.at(k)] = 0;
  for (size_t i = 0; i < size; ++i) {
    row.exp_sum += static_cast<double>(row.exp[i]);
    row.weight_sum += static_cast<double>(row.weight[i]);
  }
  if (!rule.sinks.empty())
    row.sink_exp = std::exp(static_cast<double>(rule.sink(head)) - static_cast<double>(row.max));
  row.output = output_of(record, layer, head, query, row);
  return row;
}

}  // namespace attn
