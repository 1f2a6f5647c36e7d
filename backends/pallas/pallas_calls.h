// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel calls of the pallas backend for a batch, with the numbers that decide them: padded
// prompts, the split of a decode by scalar memory, and the two cores. From the same functions as
// the kernels (pallas_grid.h). Any thread.
#pragma once

#include <vector>

#include "engine/kernels/planned_calls.h"

namespace attn::backends::pallas {

std::vector<PlannedCall> planned_calls(const AttentionConfig& config,
                                       const AttentionMetadata& batch, int64_t block_size);

}  // namespace attn::backends::pallas
