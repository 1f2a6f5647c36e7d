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
};

// Keys as panels [kv_len / 64, head_size, 64]; values as rows with a stride, packed or as they lie
// in the input.
struct PackedKv {
  const float* keys = nullptr;
  const float* values = nullptr;
  int64_t value_stride = 0;
};

struct PrefillPlan {
  const PrefillArgs* args = nullptr;
  int64_t num_tokens = 0;  // query rows
  std::vector<QueryTile> tiles;
  std::vector<PackTask> pack_tasks;

  float* key_panels(int64_t sequence, int64_t kv_head) const;
  float* value_rows(int64_t sequence, int64_t kv_head) const;
  bool packs_values(int64_t sequence) const;
  PackedKv packed(int64_t sequence, int64_t head) const;

  float* memory = nullptr;             // all panels and rows, in the workspace
  std::vector<int64_t> key_offsets;    // [sequences] floats from `memory`, KV head 0
  std::vector<int64_t> value_offsets;  // [sequences]; -1: values are used as they lie
};

PrefillPlan plan_prefill(const PrefillArgs& args, const Execution& execution, Workspace& workspace);
// Fills the panels and rows of the plan, as a kernel of its own. False when the gate cancelled it.
bool pack_kv(const PrefillPlan& plan, const Execution& execution);

}  // namespace attn
