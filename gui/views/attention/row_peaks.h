// SPDX-License-Identifier: GPL-3.0-or-later
// RowPeaks: the largest score in each row of one head, and the range of the scores over many rows.
// With KeyLengths it reads weight * length in place of the scores. Rows that were read are kept.
// Any thread; several threads may read at once.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/session/record/attention_record.h"

namespace attn::gui {

class KeyLengths;

struct ScoreRange {
  float least = 0, most = 0;
  bool operator==(const ScoreRange&) const = default;
};

class RowPeaks {
 public:
  // lengths: null: scores are read; otherwise weight * length is read in their place.
  RowPeaks(std::shared_ptr<const AttentionRecord> record, int64_t layer, int64_t head,
           std::shared_ptr<KeyLengths> lengths = nullptr)
      : record_(std::move(record)), layer_(layer), head_(head), lengths_(std::move(lengths)) {}

  // Reads the rows of [q_begin, q_begin + count) that are computed and were not read yet, and the
  // rows whose log-sum-exp has changed since they were read. stop() is called between pieces of
  // work; when it returns true, reading ends and the result is false.
  bool read(int64_t q_begin, int64_t count, const std::function<bool()>& stop);
  // The largest score of each row. NaN: the row was not read, or one of its scores is NaN. -inf:
  // the query of the row sees no key, or only keys with a score of -inf.
  void maxima(int64_t q_begin, int64_t count, float* out) const;
  // The smallest and the largest finite score in the rows of [0, rows) that were read. nullopt:
  // there is no such score.
  std::optional<ScoreRange> range(int64_t rows) const;

 private:
  struct Row {
    bool read = false;
    float lse = 0;  // log-sum-exp of the row when it was read
    float max = -std::numeric_limits<float>::infinity();
    float least = std::numeric_limits<float>::infinity();  // of finite scores
    float most = -std::numeric_limits<float>::infinity();
  };
  void read_cells(int64_t q_begin, int64_t q_count, int64_t k_begin, int64_t k_count,
                  float* out) const;
  void take(int64_t query, const float* scores, int64_t k_begin, int64_t k_end, Row& row) const;

  std::shared_ptr<const AttentionRecord> record_;
  int64_t layer_, head_;
  std::shared_ptr<KeyLengths> lengths_;
  mutable std::mutex mutex_;
  std::vector<Row> rows_;
};

}  // namespace attn::gui
