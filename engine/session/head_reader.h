// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a head as an AttentionRecord holds them, read into its scores: row by row as they are
// computed, each once. And the tables of heads and of head lines. Any thread.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "engine/attention/head_scores.h"
#include "engine/attention/line_filter.h"
#include "engine/session/snapshot.h"

namespace attn {

// What of one head has been read so far.
struct HeadReading {
  std::vector<HeadRowScore> rows;  // by position
  std::vector<bool> read;          // [rows.size()]
  HeadScores scores;               // of the rows that are read
};

// Brings `reading` up to date with query rows [0, rows): reads what has been computed since,
// forgets what the record has forgotten. repeated: of the sequence; positions beyond it have no
// induction score. stop() is asked after every band of rows; true ends it early. Returns whether
// all is read that can be.
bool read_head(const AttentionRecord& record, int64_t layer, int64_t head, int64_t rows,
               const RepeatedTokens& repeated, const std::function<bool()>& stop,
               HeadReading& reading);

// Empty in cross attention, whose keys are no tokens of the sequence.
RepeatedTokens repeated_tokens_of(const RequestView& request);

// heads.csv: scores [num_layers * num_heads], layer by layer. Cells of scores that no row counts
// for are empty.
std::string heads_csv(const AttentionRecord::Shape& shape, std::span<const HeadScores> scores);
// The same, read here to the end. most_rows: of the sequence, from its first.
std::string heads_csv(const RequestView& request,
                      int64_t most_rows = std::numeric_limits<int64_t>::max());

// head_lines.csv: every weight that the filter keeps, in the order of heads, queries, keys.
std::string head_lines_csv(const RequestView& request, int64_t layer,
                           std::span<const int64_t> heads, const LineFilter& filter,
                           int64_t most_rows = std::numeric_limits<int64_t>::max());

}  // namespace attn
