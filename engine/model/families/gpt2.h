// SPDX-License-Identifier: GPL-3.0-or-later
// GPT-2: learned positions, LayerNorm, an MLP without gate; linear layers are stored transposed.
// A. Radford and others, "Language models are unsupervised multitask learners", 2019. Keys and
// names as in models/gpt2 of the `transformers` library, version 5.24.
#pragma once

#include "engine/model/families/family.h"

namespace attn {

Family gpt2_family();

}  // namespace attn
