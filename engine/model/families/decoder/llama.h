// SPDX-License-Identifier: GPL-3.0-or-later
// Llama and the model types that vary it: Mistral, Qwen2, Qwen3, Gemma, Gemma 2, Gemma 3, Phi-3,
// OLMo 2, Granite, SmolLM3, and with experts Mixtral and Qwen3-MoE. The source llama.cpp beside
// this header has a table of what differs.
//
//   x = embed(token)
//   per layer: x += W_o attention(rope(W_q n), rope(W_k n), W_v n)   with n = rms_norm(x)
//              x += W_down (silu(W_gate n) * W_up n)                 with n = rms_norm(x)
//   logits = W_head rms_norm(x)
// H. Touvron and others, "LLaMA", 2023. Keys of the config and names of the tensors are as in the
// folders models/<type> of the `transformers` library, version 5.24.
#pragma once

#include "engine/model/families/family.h"

namespace attn {

Family llama_family();

}  // namespace attn
