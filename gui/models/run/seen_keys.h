// SPDX-License-Identifier: GPL-3.0-or-later
// How many keys a query sees. Any thread.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/kernels/weight_recompute.h"

namespace attn::gui {

// How many of the keys [begin, end) the query sees; a rule with holes is asked for each key.
inline int64_t count_seen_keys(const WeightRule& rule, int64_t head, int64_t query, int64_t begin,
                               int64_t end) {
  const KeySpan keys = rule.span(query, end);
  const int64_t first = std::max(begin, keys.begin);
  if (!rule.has_holes()) return std::max<int64_t>(0, keys.end - first);
  int64_t seen = 0;
  for (int64_t key = first; key < keys.end; ++key) seen += rule.sees(head, query, key) ? 1 : 0;
  return seen;
}

}  // namespace attn::gui
