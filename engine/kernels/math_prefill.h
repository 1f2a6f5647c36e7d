// SPDX-License-Identifier: GPL-3.0-or-later
// The `math` kernel of scaled_dot_product_attention: softmax over the whole score row, then weights
// x V. Each query tile's scores [tile, kv_len] exist in memory and can be handed out as they are.
// Same contract and invariance as flash_prefill.
#pragma once

#include "engine/kernels/flash_prefill.h"

namespace attn {

bool math_prefill(const PrefillArgs& args, Workspace& workspace, const Execution& execution);

}  // namespace attn
