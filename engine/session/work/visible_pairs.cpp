// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/work/visible_pairs.h"

#include <algorithm>

namespace attn {

int64_t visible_pairs(const TileEvent& tile, const WeightRule& rule, int64_t num_rows,
                      int64_t* of_head) {
  int64_t sum = 0;
  const int64_t end = std::min<int64_t>(int64_t{tile.q_begin} + tile.q_count, num_rows);
  for (int64_t row = tile.q_begin; row < end; ++row) {
    KeySpan keys = rule.span(row, num_rows);
    keys.begin = std::max<int64_t>(keys.begin, tile.k_begin);
    keys.end = std::min<int64_t>(keys.end, int64_t{tile.k_begin} + tile.k_count);
    if (keys.end <= keys.begin) continue;
    for (int64_t head = tile.head; head < int64_t{tile.head} + tile.heads; ++head) {
      int64_t pairs = keys.end - keys.begin;
      if (rule.blocksparse) {
        pairs = 0;
        for (int64_t key = keys.begin; key < keys.end; ++key) pairs += rule.sees(head, row, key);
      }
      if (of_head) of_head[head] += pairs;
      sum += pairs;
    }
  }
  return sum;
}

KeySpan seen_keys(const TileEvent& tile, const WeightRule& rule) {
  const int64_t end = int64_t{tile.k_begin} + tile.k_count;
  if (tile.q_count == 0) return {tile.k_begin, tile.k_begin};
  const KeySpan first = rule.span(tile.q_begin, end);
  const KeySpan last = rule.span(int64_t{tile.q_begin} + tile.q_count - 1, end);
  KeySpan keys{std::max<int64_t>(first.begin, tile.k_begin), last.end};
  keys.end = std::max(keys.begin, keys.end);
  return keys;
}

}  // namespace attn
