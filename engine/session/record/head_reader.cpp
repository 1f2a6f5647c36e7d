// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/record/head_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "engine/session/report/report.h"

namespace attn {
namespace {

using Out = std::back_insert_iterator<std::string>;

constexpr int64_t kBand = 128;  // most rows between two stop() calls

int64_t visible_keys(const WeightRule& rule, int64_t head, int64_t query, int64_t num_keys) {
  const KeySpan span = rule.span(query, num_keys);
  if (span.empty()) return 0;
  if (!rule.has_holes()) return span.end - span.begin;
  int64_t count = 0;
  for (int64_t k = span.begin; k < span.end; ++k) count += rule.sees(head, query, k);
  return count;
}

HeadRow row_of(const AttentionRecord& record, int64_t layer, int64_t head, int64_t query,
               int64_t num_keys, const RepeatedTokens& repeated) {
  const WeightRule& rule = record.shape().rules.of(layer);
  HeadRow row;
  row.query = query;
  row.visible = visible_keys(rule, head, query, num_keys);
  row.keys_are_tokens = !rule.cross;
  const auto seen = [&](int64_t key) {
    return key >= 0 && key < num_keys && rule.sees(head, query, key) ? key : -1;
  };
  if (row.visible > 1) row.first_key = seen(0);
  if (!row.keys_are_tokens) return row;
  row.previous_key = seen(query - 1);
  if (query < static_cast<int64_t>(repeated.nearest.size())) {
    row.induction_key = seen(repeated.nearest[static_cast<size_t>(query)]);
    row.duplicate_key = seen(repeated.before[static_cast<size_t>(query)]);
  }
  row.before = repeated.before;
  return row;
}

// Reads rows [begin, end), which were computed when the caller checked.
void read_band(const AttentionRecord& record, int64_t layer, int64_t head, int64_t begin,
               int64_t end, int64_t num_keys, const RepeatedTokens& repeated,
               HeadReading& reading) {
  const WeightRule& rule = record.shape().rules.of(layer);
  const int64_t keys = rule.causal ? std::min(end, num_keys) : num_keys;
  std::vector<float> cells(static_cast<size_t>((end - begin) * keys));
  record.weights(layer, head, begin, end - begin, 0, keys, cells.data());
  for (int64_t q = begin; q < end; ++q) {
    KeySpan seen = rule.span(q, num_keys);
    if (seen.empty()) seen = {};
    const float* weights = cells.data() + (q - begin) * keys;
    reading.rows[static_cast<size_t>(q)] =
        row_score(row_of(record, layer, head, q, num_keys, repeated), seen.begin,
                  {weights + seen.begin, weights + seen.end});
    // A NaN mass beside a log-sum-exp that is not NaN: the row was forgotten during the read and
    // has been computed again.
    const bool lost = std::isnan(reading.rows[static_cast<size_t>(q)].mass) &&
                      !std::isnan(record.lse(layer, head, q));
    reading.read[static_cast<size_t>(q)] = !lost && record.row_done(layer, head, q);
  }
}

std::string cell_of(const std::optional<double>& value) {
  return value ? format_double(*value) : std::string();
}

std::string token_cell(const std::shared_ptr<const std::vector<TokenView>>& tokens,
                       int64_t position) {
  const bool named = tokens && position < static_cast<int64_t>(tokens->size()) && position >= 0;
  return named ? csv_cell((*tokens)[static_cast<size_t>(position)].text) : std::string();
}

}  // namespace

bool read_head(const AttentionRecord& record, int64_t layer, int64_t head, int64_t rows,
               const RepeatedTokens& repeated, const std::function<bool()>& stop,
               HeadReading& reading) {
  const int64_t num_keys = record.key_columns(layer, rows);
  reading.rows.resize(static_cast<size_t>(rows));
  reading.read.resize(static_cast<size_t>(rows));
  for (int64_t q = 0; q < rows; ++q)
    if (reading.read[static_cast<size_t>(q)] && !record.row_done(layer, head, q))
      reading.read[static_cast<size_t>(q)] = false;
  const auto is_new = [&](int64_t q) {
    return !reading.read[static_cast<size_t>(q)] && record.row_done(layer, head, q);
  };
  bool finished = true;
  for (int64_t q = 0; q < rows && finished;) {
    if (!is_new(q)) {
      ++q;
      continue;
    }
    int64_t end = q + 1;
    while (end < std::min(rows, q + kBand) && is_new(end)) ++end;
    read_band(record, layer, head, q, end, num_keys, repeated, reading);
    q = end;
    finished = !stop();
  }
  // Summed in order of position, so the scores do not depend on the order of reading.
  HeadScoreSum sum;
  for (int64_t q = 0; q < rows; ++q)
    if (reading.read[static_cast<size_t>(q)])
      sum.add(row_of(record, layer, head, q, num_keys, repeated),
              reading.rows[static_cast<size_t>(q)]);
  reading.scores = sum.scores();
  return finished;
}

RepeatedTokens repeated_tokens_of(const RequestView& request) {
  if (!request.tokens || !request.attention) return {};
  std::vector<int32_t> ids;
  for (const TokenView& token : *request.tokens) ids.push_back(token.id);
  return repeated_tokens(ids);
}

std::string heads_csv(const AttentionRecord::Shape& shape, std::span<const HeadScores> scores,
                      const ScoredTexts* texts) {
  std::string csv =
      "layer,head,kv_head,rows,entropy_nats,relative_entropy,mean_distance_tokens,first_token_"
      "share,"
      "previous_token_score,induction_score,relative_entropy_rows,first_token_rows,"
      "previous_token_rows,induction_rows,distance_variance,duplicate_score,duplicate_rows";
  csv += texts ? ",text_set,texts,text_tokens\n" : "\n";
  const std::string set =
      texts ? fmt::format(",{},{},{}", csv_cell(texts->name), texts->texts, texts->tokens) : "";
  for (int64_t layer = 0; layer < shape.num_layers; ++layer)
    for (int64_t head = 0; head < shape.num_heads; ++head) {
      const HeadScores& s = scores[static_cast<size_t>(layer * shape.num_heads + head)];
      fmt::format_to(Out(csv), "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}{}\n", layer,
                     head, head / (shape.num_heads / shape.num_kv_heads), s.rows,
                     cell_of(s.entropy_nats), cell_of(s.relative_entropy),
                     cell_of(s.distance_tokens), cell_of(s.first_share), cell_of(s.previous),
                     cell_of(s.induction), s.relative_rows, s.first_rows, s.previous_rows,
                     s.induction_rows, cell_of(s.distance_variance), cell_of(s.duplicate),
                     s.duplicate_rows, set);
    }
  return csv;
}

std::string heads_csv(const RequestView& request, int64_t most_rows) {
  if (!request.attention) return heads_csv(AttentionRecord::Shape{}, {});
  const AttentionRecord::Shape& shape = request.attention->shape();
  std::vector<HeadScores> scores;
  for (int64_t layer = 0; layer < shape.num_layers; ++layer) {
    const RequestView& seen = request.at(layer);
    const AttentionRecord& record = seen.attention ? *seen.attention : *request.attention;
    const RepeatedTokens repeated = repeated_tokens_of(seen);
    for (int64_t head = 0; head < shape.num_heads; ++head) {
      HeadReading reading;
      read_head(
          record, layer, head, std::min(most_rows, record.num_rows()), repeated,
          [] { return false; }, reading);
      scores.push_back(reading.scores);
    }
  }
  return heads_csv(shape, scores);
}

std::string head_lines_csv(const RequestView& own, int64_t layer, std::span<const int64_t> heads,
                           const LineFilter& filter, int64_t most_rows,
                           const LineNumbers* numbers) {
  std::string csv = fmt::format("layer,head,query,query_token,key,key_token,{}\n",
                                numbers ? numbers->column : "weight");
  const RequestView& request = own.at(layer);
  if (!request.attention) return csv;
  const AttentionRecord& record = *request.attention;
  const int64_t rows = std::min(most_rows, record.num_rows()),
                keys = record.key_columns(layer, rows);
  const TableKind kind = record.is_cross(layer) ? TableKind::kCross : TableKind::kOwn;
  std::vector<float> weights(static_cast<size_t>(keys));
  for (size_t i = 0; i < heads.size(); ++i)
    for (int64_t q = 0; q < rows; ++q) {
      const int64_t head = heads[i];
      if (!record.row_done(layer, head, q)) continue;
      record.weights(layer, head, q, 1, 0, keys, weights.data());
      if (numbers) numbers->from_weights(i, weights);
      std::vector<int32_t> kept = keep_keys(filter, weights).keys;
      std::sort(kept.begin(), kept.end());
      for (const int32_t k : kept)
        fmt::format_to(Out(csv), "{},{},{},{},{},{},{}\n", layer, head, q,
                       token_cell(request.tokens, q), k, token_cell(request.tokens_in(kind), k),
                       format_float(weights[static_cast<size_t>(k)]));
    }
  return csv;
}

}  // namespace attn
