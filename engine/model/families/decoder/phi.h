// SPDX-License-Identifier: GPL-3.0-or-later
// Decoders with LayerNorm and rotary positions whose queries, keys and values are separate tensors:
// Phi-1 and Phi-2 (Microsoft, 2023), StableLM (Stability AI, 2023) and StarCoder2 (BigCode, 2024).
// Keys and names as in models/phi, models/stablelm and models/starcoder2 of the `transformers`
// library, version 5.24.
#pragma once

#include "engine/model/families/family.h"

namespace attn {

Family phi_family();

}  // namespace attn
