// SPDX-License-Identifier: GPL-3.0-or-later
// GPT-2 and two families after it. Keys and names are as in models/gpt2, gpt_neo and gptj of the
// `transformers` library, version 5.24.
//   GPT-2    learned positions, LayerNorm, an MLP without gate, linear layers stored transposed.
//            A. Radford and others, 2019
//   GPT-Neo  some layers have a window, and scores are not scaled. S. Black and others, 2021
//   GPT-J    attention and MLP read the same norm in parallel; a part of each head is rotated, in
//            pairs of neighbouring dimensions. B. Wang, A. Komatsuzaki, 2021
#pragma once

#include "engine/model/families/family.h"

namespace attn {

Family gpt2_family();
Family gpt_neo_family();
Family gptj_family();

}  // namespace attn
