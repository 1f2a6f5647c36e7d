// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel calls and masks that the pallas backend plans for a batch. The calls are cut by the
// functions that the kernels use, too (such as those of pallas_grid.h). Any thread.
#pragma once

#include <vector>

#include "engine/kernels/planned_calls.h"
#include "engine/kernels/planned_masks.h"

namespace attn::backends::pallas {

std::vector<PlannedCall> planned_calls(const AttentionConfig& config,
                                       const AttentionMetadata& batch, const PlanInputs& inputs);

// One mask per prompt: a causal flag if nothing is cached (flash attention), else a rule
// (multi-query paged attention). The tiles do not include blocks above the diagonal.
std::vector<PlannedMask> planned_masks(const AttentionConfig& config,
                                       const AttentionMetadata& batch);

}  // namespace attn::backends::pallas
