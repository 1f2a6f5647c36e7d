// SPDX-License-Identifier: GPL-3.0-or-later
// How many rows a query tile of flash_prefill has. Any thread.
#pragma once

#include <cstdint>

#include "engine/kernels/prefill/flash_prefill.h"

namespace attn {

// The most query rows of a tile of flash_prefill() where the kernel chooses them
// (Execution::query_tile_rows is 0). args: sequences, shape of the heads and unit; the operands
// need not be set.
int64_t flash_tile_rows(const PrefillArgs& args, int workers);

}  // namespace attn
