// SPDX-License-Identifier: GPL-3.0-or-later
// The plan of a memory-efficient call: its query tiles, and where the packed keys and values of
// each (sequence, KV head) lie. Plain data.
#pragma once

#include <cstdint>
#include <vector>

#include "backends/xformers/memory_efficient_prefill.h"

namespace attn::backends::xformers {

struct MemoryEfficientPlan {
  struct Tile {
    int64_t sequence = 0, head = 0, row = 0, rows = 0;  // row: counted from the sequence's first
  };
  struct Pack {
    // begin and count are keys of the sequence; count is at most kKvTile.
    int64_t sequence = 0, kv_head = 0, begin = 0, count = 0;
  };
  const MemoryEfficientArgs* args = nullptr;
  int64_t width = 0;        // head size rounded up to a multiple of 16
  int64_t num_queries = 0;  // rows of the mask
  float* memory = nullptr;
  std::vector<int64_t> offsets;  // [sequences] floats from `memory` to the keys of KV head 0
  std::vector<Tile> tiles;
  std::vector<Pack> packs;
  std::vector<int64_t> first_pack;  // [sequences] index in `packs` of KV head 0, tile 0
  std::vector<uint8_t> finite;      // [packs] whether all values of the tile are finite

  size_t pack_of(int64_t sequence, int64_t kv_head, int64_t tile) const {
    const int64_t per_head = (kv_len(sequence) + kKvTile - 1) / kKvTile;
    return static_cast<size_t>(first_pack[static_cast<size_t>(sequence)] + kv_head * per_head +
                               tile);
  }

  int64_t kv_len(int64_t sequence) const {
    return args->mask->keys().lens[static_cast<size_t>(sequence)];
  }
  int64_t key_floats(int64_t sequence) const {
    return (kv_len(sequence) + 63) / 64 * 64 * args->head_size;
  }
  int64_t value_floats(int64_t sequence) const { return kv_len(sequence) * width; }
  // The packed keys of all tiles: [kv_len / 64 rounded up, D, 64].
  float* keys(int64_t sequence, int64_t kv_head) const {
    return memory + offsets[static_cast<size_t>(sequence)] +
           kv_head * (key_floats(sequence) + value_floats(sequence));
  }
  // The values of all tiles of kKvTile keys, one tile after the other, each packed in strips.
  float* values(int64_t sequence, int64_t kv_head) const {
    return keys(sequence, kv_head) + key_floats(sequence);
  }
};

}  // namespace attn::backends::xformers
