// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the rows of a head from an AttentionRecord into the head's scores, each row once, as they
// are computed. Also writes the tables of heads and of head lines as CSV. Any thread.
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

// What has been read of one head so far.
struct HeadReading {
  std::vector<HeadRowScore> rows;  // index: position
  std::vector<bool> read;          // [rows.size()]: whether the row was read
  HeadScores scores;               // scores of the rows that were read
};

// Brings `reading` up to date with query rows [0, rows): reads rows that were computed since the
// last call and drops rows that the record has forgotten. repeated: the repeated tokens of the
// sequence; positions past its end have no induction and no duplicate score. stop() is called after
// every band of rows; when it returns true, reading ends and the result is false.
bool read_head(const AttentionRecord& record, int64_t layer, int64_t head, int64_t rows,
               const RepeatedTokens& repeated, const std::function<bool()>& stop,
               HeadReading& reading);

// The repeated tokens of the request's own sequence. Empty where it has no attention record.
RepeatedTokens repeated_tokens_of(const RequestView& request);

// The set of texts (engine/explore/texts) over which scores were taken, where they are not the
// scores of one request.
struct ScoredTexts {
  std::string name;
  int64_t texts = 0, tokens = 0;
};
// heads.csv: scores [num_layers * num_heads], layer by layer. The cell of a score to which no row
// contributes is empty. texts: null for the scores of a request; otherwise three columns say which
// texts these are.
std::string heads_csv(const AttentionRecord::Shape& shape, std::span<const HeadScores> scores,
                      const ScoredTexts* texts = nullptr);
// heads.csv of a request, all of whose rows are read first. most_rows: only that many, from the
// first.
std::string heads_csv(const RequestView& request,
                      int64_t most_rows = std::numeric_limits<int64_t>::max());

// The numbers that head_lines_csv() writes in the place of weights.
struct LineNumbers {
  std::string column;  // the name of the last column
  // Makes the numbers of a row [keys] of heads[i] from its weights.
  std::function<void(size_t i, std::span<float> row)> from_weights;
};
// head_lines.csv: every weight that the filter keeps, head by head in the given order, then by
// query and key. numbers: null for weights.
std::string head_lines_csv(const RequestView& request, int64_t layer,
                           std::span<const int64_t> heads, const LineFilter& filter,
                           int64_t most_rows = std::numeric_limits<int64_t>::max(),
                           const LineNumbers* numbers = nullptr);

}  // namespace attn
