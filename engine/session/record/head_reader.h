// SPDX-License-Identifier: GPL-3.0-or-later
// Reads computed rows of a head from an AttentionRecord into the head's scores. Also writes the
// tables of heads and of head lines as CSV. Any thread.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "engine/attention/scores/head_scores.h"
#include "engine/session/record/line_filter.h"
#include "engine/session/run/snapshot.h"

namespace attn {

struct HeadReading {
  std::vector<HeadRowScore> rows;  // index: position
  std::vector<bool> read;          // [rows.size()]
  HeadScores scores;               // of these rows
};

// Reads query rows of [0, rows) that were computed since the last call, and drops rows that the
// record has forgotten. Positions past the end of `repeated` have no induction and no duplicate
// score. stop() is called after each band of rows; when it returns true, reading ends and the
// result is false.
bool read_head(const AttentionRecord& record, int64_t layer, int64_t head, int64_t rows,
               const RepeatedTokens& repeated, const std::function<bool()>& stop,
               HeadReading& reading);

// The repeated tokens of request.tokens. Empty without tokens or without an attention record.
RepeatedTokens repeated_tokens_of(const RequestView& request);

// The set of texts (engine/explore/texts) over which scores were taken.
struct ScoredTexts {
  std::string name;
  int64_t texts = 0, tokens = 0;
};
// heads.csv. scores: [num_layers * num_heads]. A score without rows has an empty cell. texts: the
// set of texts of which the scores are, written into three more columns; null: the scores are those
// of a request.
std::string heads_csv(const AttentionRecord::Shape& shape, std::span<const HeadScores> scores,
                      const ScoredTexts* texts = nullptr);
std::string heads_csv(const RequestView& request,
                      int64_t most_rows = std::numeric_limits<int64_t>::max());

// Numbers that head_lines_csv() writes instead of weights.
struct LineNumbers {
  std::string column;
  // Makes the numbers of a row [keys] of heads[i] from its weights.
  std::function<void(size_t i, std::span<float> row)> from_weights;
};
// head_lines.csv: the weights, or the numbers made of them, that the filter keeps. Ordered as
// `heads`, then by query and key. numbers: null for weights.
std::string head_lines_csv(const RequestView& request, int64_t layer,
                           std::span<const int64_t> heads, const LineFilter& filter,
                           int64_t most_rows = std::numeric_limits<int64_t>::max(),
                           const LineNumbers* numbers = nullptr);

}  // namespace attn
