// SPDX-License-Identifier: GPL-3.0-or-later
// PrefillPlan: the integers of a prefill, computed once as plain data: which query tiles there are,
// in which order the workers take them, and where the packed keys and values of each (sequence, KV
// head) lie. Shared by flash and math.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/kernels/flash_prefill.h"

namespace attn {

struct QueryTile {
  int64_t sequence = 0;
  int64_t head = 0;
  int64_t row = 0;   // first query row, relative to the sequence
  int64_t rows = 0;  // 1 .. kQueryTile
};

struct PackTask {
  int64_t sequence = 0;
  int64_t kv_head = 0;
  int64_t begin = 0;  // first token, a multiple of kKvTile
  int64_t count = 0;
  int64_t offset = 0;  // floats, from where the packed data of the plan (or the unit) begin
};

// The query tiles of one (sequence, KV head) with its pack tasks: half-open ranges of the plan's
// lists.
struct PrefillUnit {
  int64_t tile_begin = 0, tile_end = 0;
  int64_t pack_begin = 0, pack_end = 0;
};

// One KV tile of one (sequence, KV head), as pack-inl.h lays it out.
struct PackedTile {
  float* keys = nullptr;  // for a bf16 unit: as matrix_pack_keys does
  float* values = nullptr;
  bool finite = true;  // no NaN or infinity among the values
};

struct PrefillPlan {
  const PrefillArgs* args = nullptr;
  int64_t num_tokens = 0;  // query rows
  Bf16Unit bf16_unit = Bf16Unit::kNone;
  std::vector<QueryTile> tiles;
  std::vector<PackTask> pack_tasks;
  // Not empty: a worker takes a unit at a time and packs for itself, into unit_floats of its own
  // memory, so that packed keys and values stay in its caches. Empty: all is packed before the
  // first tile, for all workers.
  std::vector<PrefillUnit> units;
  int64_t unit_floats = 0;

  // KV tile `index` (keys from index * kKvTile on); filled by pack_kv, or with its unit.
  PackedTile& packed_tile(int64_t sequence, int64_t kv_head, int64_t index) const;
  // Moved by one pack task, for the virtual clock.
  double pack_bytes() const { return static_cast<double>(kKvTile * args->head_size) * 16; }
  // Of one whole packed tile of a sequence.
  int64_t pack_tile_bytes() const;
  // Where the pack tasks [begin, end) put their tiles, whose floats begin at `base`.
  void place(int64_t begin, int64_t end, float* base) const;

  mutable std::vector<PackedTile> packed;  // in the workspace
  std::vector<int64_t> first_packed;       // [sequences] of KV head 0
};

// What a kernel can do: take its tiles by units, where that pays, and multiply in a bf16 unit.
struct PrefillAbilities {
  bool in_units = false;
  bool bf16_unit = false;
};
PrefillPlan plan_prefill(const PrefillArgs& args, const Execution& execution, Workspace& workspace,
                         PrefillAbilities abilities = {});
// Fills the panels and rows of the plan, as a kernel of its own. False when the gate cancelled it.
bool pack_kv(const PrefillPlan& plan, const Execution& execution);

}  // namespace attn
