// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/attention/backend.h"
#include "engine/cache/kv_storage.h"
#include "engine/scheduler/batch_plan.h"
#include "engine/session/run/parts/run_trace.h"
#include "engine/session/run/snapshot.h"

namespace attn {

// Carries out the plan's lists of moves, each list as one kernel on the engine's lane, before
// anything is computed. Cannot be cancelled, because the block tables already name the new blocks.
// swap_cache: null: there is no swap pool.
void move_blocks(const BatchPlan& plan, const AttentionBackend& backend, const KvStorage& cache,
                 const KvStorage* swap_cache, RunTrace& trace, StepRecord& record);

}  // namespace attn
