// SPDX-License-Identifier: GPL-3.0-or-later
// The `math` kernel of scaled_dot_product_attention: softmax over the whole score row, then weights
// x V. The scores [tile, kv_len] of a query tile exist in memory, and the weights made of them can
// be handed out (PrefillArgs::weights). Arguments and result are as in
// flash_prefill(), and a row's bits depend on the same things. Engine thread.
#pragma once

#include "engine/kernels/prefill/flash_prefill.h"

namespace attn {

bool math_prefill(const PrefillArgs& args, Workspace& workspace, const Execution& execution);

}  // namespace attn
