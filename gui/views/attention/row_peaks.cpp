// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/row_peaks.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "gui/views/attention/key_lengths.h"

namespace attn::gui {

namespace {

constexpr int64_t kAtOnce = 256;

bool same_float(float a, float b) {
  return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b);
}

}  // namespace

void RowPeaks::take(int64_t query, const float* scores, int64_t k_begin, int64_t k_end,
                    Row& row) const {
  const WeightRule& rule = record_->shape().rules.of(layer_);
  const KeySpan seen = rule.span(query, k_end);
  for (int64_t k = std::max(k_begin, seen.begin); k < std::min(k_end, seen.end); ++k) {
    if (rule.has_holes() && !rule.sees(head_, query, k)) continue;
    const float score = scores[k - k_begin];
    if (score > row.max || std::isnan(score)) row.max = score;  // a maximum of NaN stays
    if (!std::isfinite(score)) continue;
    row.least = std::min(row.least, score);
    row.most = std::max(row.most, score);
  }
}

void RowPeaks::read_cells(int64_t q_begin, int64_t q_count, int64_t k_begin, int64_t k_count,
                          float* out) const {
  if (lengths_)
    read_written(*record_, *lengths_, layer_, head_, q_begin, q_count, k_begin, k_count, out);
  else
    record_->scores(layer_, head_, q_begin, q_count, k_begin, k_count, out);
}

bool RowPeaks::read(int64_t q_begin, int64_t count, const std::function<bool()>& stop) {
  const WeightRule& rule = record_->shape().rules.of(layer_);
  const int64_t keys = record_->num_keys(layer_);
  std::vector<float> scores, lse;
  std::vector<Row> found;
  for (int64_t q0 = q_begin; q0 < q_begin + count; q0 += kAtOnce) {
    const int64_t rows = std::min(kAtOnce, q_begin + count - q0);
    // The log-sum-exps are read before the scores. If a row is computed again in between, its
    // changed log-sum-exp makes the next call read it again.
    lse.assign(static_cast<size_t>(rows), 0.0f);
    std::vector<bool> wanted(static_cast<size_t>(rows), false);
    int64_t first = rows, last = -1;
    {
      std::lock_guard lock(mutex_);
      for (int64_t i = 0; i < rows; ++i) {
        if (!record_->row_done(layer_, head_, q0 + i)) continue;
        const auto at = static_cast<size_t>(i), row = static_cast<size_t>(q0 + i);
        lse[at] = record_->lse(layer_, head_, q0 + i);
        if (row < rows_.size() && rows_[row].read && same_float(rows_[row].lse, lse[at])) continue;
        wanted[at] = true;
        first = std::min(first, i);
        last = i;
      }
    }
    if (last < 0) continue;
    found.assign(static_cast<size_t>(rows), Row{});
    const int64_t part = last + 1 - first;
    const int64_t k_first = rule.span(q0 + first, keys).begin,
                  k_last = rule.causal ? std::min(keys, q0 + last + 1) : keys;
    scores.resize(static_cast<size_t>(part * std::min(kAtOnce, std::max<int64_t>(1, keys))));
    for (int64_t k0 = k_first; k0 < k_last; k0 += kAtOnce) {
      if (stop()) return false;
      const int64_t columns = std::min(kAtOnce, k_last - k0);
      read_cells(q0 + first, part, k0, columns, scores.data());
      for (int64_t i = first; i <= last; ++i) {
        const auto at = static_cast<size_t>(i);
        if (wanted[at])
          take(q0 + i, scores.data() + (i - first) * columns, k0, k0 + columns, found[at]);
      }
    }
    std::lock_guard lock(mutex_);
    const auto end = static_cast<size_t>(q0 + last + 1);
    if (rows_.size() < end) rows_.resize(end);
    for (int64_t i = first; i <= last; ++i) {
      const auto at = static_cast<size_t>(i);
      if (!wanted[at]) continue;
      found[at].read = true;
      found[at].lse = lse[at];
      rows_[static_cast<size_t>(q0 + i)] = found[at];
    }
  }
  return true;
}

void RowPeaks::maxima(int64_t q_begin, int64_t count, float* out) const {
  std::lock_guard lock(mutex_);
  for (int64_t i = 0; i < count; ++i) {
    const auto row = static_cast<size_t>(q_begin + i);
    out[i] = row < rows_.size() && rows_[row].read ? rows_[row].max
                                                   : std::numeric_limits<float>::quiet_NaN();
  }
}

std::optional<ScoreRange> RowPeaks::range(int64_t rows) const {
  std::lock_guard lock(mutex_);
  ScoreRange range{std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()};
  for (size_t row = 0;
       row < std::min(rows_.size(), static_cast<size_t>(std::max<int64_t>(0, rows))); ++row) {
    if (!rows_[row].read) continue;
    range.least = std::min(range.least, rows_[row].least);
    range.most = std::max(range.most, rows_[row].most);
  }
  if (range.least > range.most) return std::nullopt;
  return range;
}

}  // namespace attn::gui
