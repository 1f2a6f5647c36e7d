// SPDX-License-Identifier: GPL-3.0-or-later
// GPT-NeoX and Pythia: attention and MLP with a norm each, by default in parallel; a part of each
// head turns; one tensor has queries, keys and values, head by head. S. Black and others, 2022.
// Keys and names as in models/gpt_neox of the `transformers` library, version 5.24.
#pragma once

#include "engine/model/families/family.h"

namespace attn {

Family gpt_neox_family();

}  // namespace attn
