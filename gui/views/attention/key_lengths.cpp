// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/key_lengths.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/error.h"

namespace attn::gui {

KeyLengths::KeyLengths(std::shared_ptr<const AttentionRecord> record, int64_t layer, int64_t head,
                       Quantity quantity, const Network* network)
    : record_(std::move(record)),
      layer_(layer),
      head_(head),
      quantity_(quantity),
      lengths_(quantity == Quantity::kWrittenOutput ? network : nullptr, layer, head) {}

void KeyLengths::read(int64_t first, int64_t count, double* out) {
  if (count <= 0) return;
  std::lock_guard lock(mutex_);
  const auto begin = static_cast<size_t>(first), end = static_cast<size_t>(first + count);
  if (known_.size() < end) known_.resize(end, std::numeric_limits<double>::quiet_NaN());
  size_t from = begin;
  while (from < end && !std::isnan(known_[from])) ++from;
  if (from < end) {
    try {
      const std::vector<double> read =
          lengths_.of(*record_, static_cast<int64_t>(from), static_cast<int64_t>(end - from));
      std::ranges::copy(read, known_.begin() + static_cast<int64_t>(from));
    } catch (const Error&) {
      // The record may lack some of the values. Keys are read one by one up to the first missing
      // one.
      for (size_t key = from; key < end; ++key) {
        try {
          known_[key] = lengths_.of(*record_, static_cast<int64_t>(key), 1).front();
        } catch (const Error&) {
          break;
        }
      }
    }
  }
  std::copy(known_.begin() + first, known_.begin() + first + count, out);
}

void times_lengths(KeyLengths& lengths, int64_t q_count, int64_t k_begin, int64_t k_count,
                   float* weights) {
  std::vector<double> of_keys(static_cast<size_t>(std::max<int64_t>(0, k_count)));
  lengths.read(k_begin, k_count, of_keys.data());
  for (int64_t q = 0; q < q_count; ++q, weights += k_count)
    for (int64_t k = 0; k < k_count; ++k)
      if (weights[k] != 0)
        weights[k] =
            static_cast<float>(static_cast<double>(weights[k]) * of_keys[static_cast<size_t>(k)]);
}

void read_written(const AttentionRecord& record, KeyLengths& lengths, int64_t layer, int64_t head,
                  int64_t q_begin, int64_t q_count, int64_t k_begin, int64_t k_count, float* out) {
  record.weights(layer, head, q_begin, q_count, k_begin, k_count, out);
  times_lengths(lengths, q_count, k_begin, k_count, out);
}

}  // namespace attn::gui
