// SPDX-License-Identifier: GPL-3.0-or-later
// DecodePlan: the tasks of a decode call, and where their partial results lie until they are
// merged.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/kernels/decode/paged_decode.h"

namespace attn {

struct DecodePlan {
  // Query heads head .. head + heads - 1 of one KV head against KV tiles [tile_begin, tile_end).
  struct Task {
    int64_t sequence = 0, head = 0, heads = 1, tile_begin = 0, tile_end = 0;
    // true: the task has all tiles of the sequence, and leaves no partial result.
    bool whole = false;
  };
  const DecodeArgs* args = nullptr;
  KernelId kernel = KernelId::kPagedDecodeV1;
  int64_t width = 0;         // head size rounded up to a multiple of 16
  std::vector<Task> tasks;   // tasks of the first pass
  std::vector<Task> merges;  // each (sequence, head) whose tiles several tasks compute
  // KV tiles per partial result.
  int64_t tiles_per_partial = 1;
  // [sequences] index of the first partial result of head 0; -1: none.
  std::vector<int64_t> first_partial;
  // (query, key) pairs of all heads, seen or not.
  double pairs() const;
  float* partials = nullptr;  // [partial results, kPartialHeader + width]

  // Floats before the output row of a partial result: max, sum, and padding that aligns the row.
  static constexpr int64_t kPartialHeader = 16;
  int64_t num_tiles(int64_t sequence) const {
    return (args->sequences[static_cast<size_t>(sequence)].seq_len + kKvTile - 1) / kKvTile;
  }
  int64_t num_partials(int64_t sequence) const {
    return (num_tiles(sequence) + tiles_per_partial - 1) / tiles_per_partial;
  }
  float* partial(int64_t sequence, int64_t head, int64_t index) const {
    const int64_t first = first_partial[static_cast<size_t>(sequence)];
    return partials + (first + head * num_partials(sequence) + index) * (kPartialHeader + width);
  }
};

// Floats for the packed keys of one tile: [head_size] per key, or with Bf16Unit::kDotProducts bf16
// tiles (matrix_tiles.h).
int64_t packed_key_floats(const DecodeArgs& args);
int64_t decode_scratch(const DecodePlan& plan);
// v1: a task per (sequence, head). v2: a task per (sequence, head, partition); sequences of several
// partitions are merged in a second pass.
DecodePlan plan_decode_v1(const DecodeArgs& args);
DecodePlan plan_decode_v2(const DecodeArgs& args);
// A task per sequence, KV head and up to kMaxDecodeHeads of its query heads (only one if heads see
// different blocks). With several workers a sequence of several tiles can be cut along the keys.
DecodePlan plan_decode_grouped(const DecodeArgs& args, int workers);
// Takes memory from `workspace` for the plan's partial results and the workers' scratch.
void reserve(DecodePlan& plan, Workspace& workspace, int workers);

}  // namespace attn
