// SPDX-License-Identifier: GPL-3.0-or-later
// GPT-J: attention and MLP read the same norm in parallel; a part of each head turns, in pairs of
// neighbours. B. Wang, A. Komatsuzaki, 2021. Keys and names as in models/gptj of the `transformers`
// library, version 5.24.
#pragma once

#include "engine/model/families/family.h"

namespace attn {

Family gptj_family();

}  // namespace attn
