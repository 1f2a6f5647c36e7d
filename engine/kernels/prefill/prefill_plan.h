// SPDX-License-Identifier: GPL-3.0-or-later
// PrefillPlan: the query tiles of a prefill, the order in which the workers take them, and where
// the packed keys and values of each (sequence, KV head) lie.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/kernels/prefill/flash_prefill.h"

namespace attn {

// The most rows of a query tile that flash_prefill() scores together.
inline constexpr int64_t kScoreRows = 48;

struct QueryTile {
  int64_t sequence = 0;
  int64_t head = 0;
  int64_t row = 0;   // first query row, counted from the sequence's first row in this call
  int64_t rows = 0;  // 1 .. kQueryTile
};

struct PackTask {
  int64_t sequence = 0;
  int64_t kv_head = 0;
  int64_t begin = 0;  // first token, a multiple of kKvTile
  int64_t count = 0;
  int64_t offset = 0;  // in floats, from the start of the packed data of the plan or of the unit
};

// The query tiles of one (sequence, KV head) and its pack tasks: half-open ranges of `tiles` and
// `pack_tasks`.
struct PrefillUnit {
  int64_t tile_begin = 0, tile_end = 0;
  int64_t pack_begin = 0, pack_end = 0;
};

// One packed KV tile of one (sequence, KV head).
struct PackedTile {
  float* keys = nullptr;  // f32 panels (pack-inl.h); with a bf16 unit packed by matrix_pack_keys()
  // f32 strips (pack-inl.h); if bf16_values and `finite` hold, packed by matrix_pack_values().
  float* values = nullptr;
  bool finite = true;  // no NaN or infinity among the values
};

struct PrefillPlan {
  const PrefillArgs* args = nullptr;
  int64_t num_tokens = 0;  // query rows
  Bf16Unit bf16_unit = Bf16Unit::kNone;
  bool bf16_values = false;  // the unit also multiplies weights by values
  std::vector<QueryTile> tiles;
  std::vector<PackTask> pack_tasks;
  // If not empty: a worker takes one unit at a time and packs into unit_floats of its own memory.
  // If empty: all KV tiles are packed before the first query tile.
  std::vector<PrefillUnit> units;
  int64_t unit_floats = 0;

  // KV tile `index`: keys from index * kKvTile on.
  PackedTile& packed_tile(int64_t sequence, int64_t kv_head, int64_t index) const;
  // Estimate of the bytes that a pack task moves, for modelled_ns().
  double pack_bytes() const { return static_cast<double>(kKvTile * args->head_size) * 16; }
  // Bytes of the packed keys and values of kKvTile tokens of one KV head.
  int64_t pack_tile_bytes() const;
  // Sets the addresses of the tiles [begin, end) of `packed`: `base` plus the offset of the pack
  // task.
  void place(int64_t begin, int64_t end, float* base) const;

  // (query, key) pairs of all heads, seen or not.
  double pairs() const;

  // All KV tiles; they point into memory of a workspace.
  mutable std::vector<PackedTile> packed;
  std::vector<int64_t> first_packed;  // [sequences] index in `packed` of (KV head 0, tile 0)
};

struct PrefillAbilities {
  bool in_units = false;
  bool bf16_unit = false;
};
PrefillPlan plan_prefill(const PrefillArgs& args, const Execution& execution, Workspace& workspace,
                         PrefillAbilities abilities = {});
// Packs all KV tiles of the plan in one kernel call. Returns false if the gate cancelled it.
bool pack_kv(const PrefillPlan& plan, const Execution& execution);

}  // namespace attn
