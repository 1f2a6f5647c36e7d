// SPDX-License-Identifier: GPL-3.0-or-later
// CellNumbers: computes the cells of a HeadRef, for each query and key the number that its Quantity
// names, and the maxima of rows. column_of() names CSV columns. One thread at a time.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gui/views/attention/key_lengths.h"
#include "gui/views/attention/row_peaks.h"
#include "gui/views/attention/weight_tile.h"

namespace attn::gui {

// The first part of the names of CSV columns, such as "score_layer_2_head_0". For weights
// head.record must not be null.
std::string column_of(const HeadRef& head);

class CellNumbers {
 public:
  // head.record must outlive this object. peaks: the row maxima of this head that were read before;
  // null: this object makes its own if it needs them.
  explicit CellNumbers(const HeadRef& head, std::shared_ptr<RowPeaks> peaks = nullptr);

  size_t num_heads() const { return weights_.num_heads(); }
  bool row_done(int64_t query) const { return weights_.row_done(query); }
  // out: [q_count, k_count]. Masked cells are 0, masked scores are -inf. Rows that are not done
  // have unspecified values. If stop() returned true, all values are unspecified.
  void cells(
      int64_t q_begin, int64_t q_count, int64_t k_begin, int64_t k_count, float* out,
      const std::function<bool()>& stop = [] { return false; });
  // out: [q_count], for each row the largest score (kScore, kExp) or the largest cell
  // (kWrittenValue, kWrittenOutput), as RowPeaks::maxima() gives it. Not for kWeight.
  void maxima(
      int64_t q_begin, int64_t q_count, float* out,
      const std::function<bool()>& stop = [] { return false; });

 private:
  const AttentionRecord& record_;
  int64_t layer_, head_;
  Quantity quantity_;
  CombinedWeights weights_;
  std::shared_ptr<KeyLengths> lengths_;  // null for kWeight, kScore and kExp
  std::shared_ptr<RowPeaks> peaks_;
  std::vector<float> max_;
};

}  // namespace attn::gui
