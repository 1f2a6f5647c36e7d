// SPDX-License-Identifier: GPL-3.0-or-later
// flash_tile_rows(): how many rows a query tile of flash_prefill() has at most. Any thread.
#pragma once

#include <cstdint>

#include "engine/kernels/prefill/flash_prefill.h"

namespace attn {

// The most query rows of a tile of flash_prefill() if Execution::query_tile_rows is 0. The tensors
// of `args` are not read.
int64_t flash_tile_rows(const PrefillArgs& args, int workers);

}  // namespace attn
