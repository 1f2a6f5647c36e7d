// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/attention/cache_type/cache_rounding.h"

#include <fmt/format.h>

#include "engine/attention/cache_type/cache_dtype.h"
#include "engine/attention/types.h"

namespace attn {

HeadRounding& HeadRounding::operator+=(const HeadRounding& other) {
  for (size_t i = 0; i < keys.size(); ++i) {
    keys[i] += other.keys[i];
    values[i] += other.values[i];
  }
  return *this;
}

RoundingCounts sum_of(std::span<const RoundingCounts> counts) {
  RoundingCounts sum;
  for (const RoundingCounts& one : counts) sum += one;
  return sum;
}

std::vector<std::string> vanished_sentences(const RoundingCounts& keys,
                                            const RoundingCounts& values, DType cache) {
  std::vector<std::string> sentences;
  if (!is_quantised(cache)) return sentences;
  const auto add = [&](const RoundingCounts& counts, const char* what, const char* scale) {
    if (!counts.mostly_vanished()) return;
    sentences.push_back(fmt::format(
        "{} of {} nonzero numbers of the {} were rounded to 0 in the {} cache, because the scale "
        "of the {} ({}) is too large.",
        counts.vanished, counts.vanished + counts.kept, what, cache_dtype_name(cache), what,
        scale));
  };
  add(keys, "keys", "k_scale");
  add(values, "values", "v_scale");
  return sentences;
}

}  // namespace attn
