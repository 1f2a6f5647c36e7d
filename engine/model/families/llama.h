// SPDX-License-Identifier: GPL-3.0-or-later
// The Llama family. Mistral is the same network as long as a text fits in its sliding window.
// Supported are grouped-query attention, a head size that is set separately, rotary positions with
// or without scaling, and a tied or separate output embedding. Linear layers and norms are kept in
// f32, the input embedding in the type of the file. Arithmetic is f32, except the mean of squares,
// cosines and sines, which are computed in f64 and rounded.
//
//   x = embed(token)
//   per layer: x += W_o attention(rope(W_q n), rope(W_k n), W_v n)   with n = rms_norm(x)
//              x += W_down (silu(W_gate n) * W_up n)                 with n = rms_norm(x)
//   logits = W_head rms_norm(x)
// H. Touvron and others, "LLaMA", 2023. Keys of the config and names of the tensors are as in
// models/llama and models/mistral of the `transformers` library, version 5.23.
#pragma once

#include "engine/model/families/family.h"

namespace attn {

Family llama_family();

}  // namespace attn
