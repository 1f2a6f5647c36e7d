// SPDX-License-Identifier: GPL-3.0-or-later
// The `math` kernel of scaled_dot_product_attention, as three kernels:
//   math_scores   S = scale * Q K^T (+ mask, biases), -inf for unseen keys: [H, query_len, kv_len]
//   math_softmax  S becomes the weights, row by row
//   math_values   out = S V
// All of S is in memory. Engine thread.
#pragma once

#include "engine/kernels/prefill/flash_prefill.h"

namespace attn::backends::torch_sdpa {

// Computes the only sequence of `args`; reads no sinks, no block-sparse layout and no relative
// bias. scores: becomes f32 [H, query_len, kv_len] and holds the weights afterwards. Returns false
// if the gate cancelled it.
bool math_prefill(const PrefillArgs& args, Tensor& scores, Workspace& workspace,
                  const Execution& execution);

}  // namespace attn::backends::torch_sdpa
