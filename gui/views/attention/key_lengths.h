// SPDX-License-Identifier: GPL-3.0-or-later
// KeyLengths: for each key of one head the length of its value v, or of W_O v. Lengths that were
// read are kept. Functions multiply weights by them. Any thread; several threads may read at once.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "engine/explore/written.h"
#include "gui/views/attention/cell_quantity.h"

namespace attn::gui {

class KeyLengths {
 public:
  // network: that of the model. It is needed only for kWrittenOutput, and only in this call.
  KeyLengths(std::shared_ptr<const AttentionRecord> record, int64_t layer, int64_t head,
             Quantity quantity, const Network* network);

  bool is_of(const AttentionRecord* record, int64_t layer, int64_t head, Quantity quantity) const {
    return record_.get() == record && layer_ == layer && head_ == head && quantity_ == quantity;
  }
  // Writes the lengths for keys [first, first + count) to out. NaN: the length is not known or is
  // NaN.
  void read(int64_t first, int64_t count, double* out);

 private:
  std::shared_ptr<const AttentionRecord> record_;
  int64_t layer_, head_;
  Quantity quantity_;
  HeadLengths lengths_;
  std::mutex mutex_;
  std::vector<double> known_;  // [keys]; NaN: not known, or NaN
};

// Multiplies weights [q_count, k_count] by the lengths of their keys. A weight of 0 stays 0.
void times_lengths(KeyLengths& lengths, int64_t q_count, int64_t k_begin, int64_t k_count,
                   float* weights);
// Writes weight * length to out, in the layout of AttentionRecord::weights().
void read_written(const AttentionRecord& record, KeyLengths& lengths, int64_t layer, int64_t head,
                  int64_t q_begin, int64_t q_count, int64_t k_begin, int64_t k_count, float* out);

}  // namespace attn::gui
