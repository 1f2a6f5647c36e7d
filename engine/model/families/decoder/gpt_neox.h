// SPDX-License-Identifier: GPL-3.0-or-later
// GPT-NeoX and Pythia: attention and MLP have a norm each and are parallel by default. A part of
// each head is rotated. One tensor has the weights of queries, keys and values, head by head. S.
// Black and others, 2022. Keys and names as in models/gpt_neox of the `transformers` library,
// version 5.24.
#pragma once

#include "engine/model/families/family.h"

namespace attn {

Family gpt_neox_family();

}  // namespace attn
