// SPDX-License-Identifier: GPL-3.0-or-later
// What rounding to a quantised cache (fp8, int8) did to keys and values: how many numbers, divided
// by the scale, were too large for the type, and how many nonzero ones became 0.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "engine/core/dtype.h"

namespace attn {

struct RoundingCounts {
  int64_t saturated = 0;           // numbers x for which saturates(type, x / scale) holds
  int64_t vanished = 0, kept = 0;  // nonzero numbers that became 0, that stayed nonzero

  RoundingCounts& operator+=(const RoundingCounts& other) {
    saturated += other.saturated;
    vanished += other.vanished;
    kept += other.kept;
    return *this;
  }
  int64_t nonzero() const { return vanished + kept; }
  // Whether half or more of the numbers that were not 0 became 0.
  bool mostly_vanished() const { return vanished > 0 && vanished >= kept; }
};

struct HeadRounding {
  HeadRounding(int64_t num_layers, int64_t kv_heads)
      : num_kv_heads(kv_heads), keys(static_cast<size_t>(num_layers * kv_heads)), values(keys) {}

  std::span<RoundingCounts> keys_of(int64_t layer) { return of(keys, layer); }
  std::span<RoundingCounts> values_of(int64_t layer) { return of(values, layer); }
  HeadRounding& operator+=(const HeadRounding& other);

  int64_t num_kv_heads = 0;
  std::vector<RoundingCounts> keys, values;  // [num_layers * num_kv_heads]

 private:
  std::span<RoundingCounts> of(std::vector<RoundingCounts>& counts, int64_t layer) const {
    return std::span(counts).subspan(static_cast<size_t>(layer * num_kv_heads),
                                     static_cast<size_t>(num_kv_heads));
  }
};
RoundingCounts sum_of(std::span<const RoundingCounts> counts);

// Rounds x, which is already divided by the scale, to the code of a quantised cache, and counts it.
template <class Code>
Code round_to_code(float x, RoundingCounts& counts) {
  const Code code = from_f32<Code>(x);
  counts.saturated += saturates(DTypeOf<Code>::value, x) ? 1 : 0;
  const bool zero = to_f32(code) == 0;
  counts.vanished += zero && x != 0 ? 1 : 0;
  counts.kept += zero ? 0 : 1;
  return code;
}

// The counts of the calls that share an AttentionState. Any thread.
class CacheRounding {
 public:
  void add(const RoundingCounts& keys, const RoundingCounts& values) {
    std::lock_guard lock(mutex_);
    keys_ += keys;
    values_ += values;
  }
  RoundingCounts keys() const {
    std::lock_guard lock(mutex_);
    return keys_;
  }
  RoundingCounts values() const {
    std::lock_guard lock(mutex_);
    return values_;
  }
  int64_t saturated() const { return keys().saturated + values().saturated; }

 private:
  mutable std::mutex mutex_;
  RoundingCounts keys_, values_;
};

// "12 of 12 nonzero numbers of the keys were rounded to 0 in the fp8_e4m3 cache, ...": a sentence
// for the keys and one for the values, each only where mostly_vanished() holds. None for a cache
// that is not quantised.
std::vector<std::string> vanished_sentences(const RoundingCounts& keys,
                                            const RoundingCounts& values, DType cache);

}  // namespace attn
