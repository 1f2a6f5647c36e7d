// SPDX-License-Identifier: GPL-3.0-or-later
// Falcon: attention and MLP in parallel, few KV heads, one tensor for the weights of queries, keys
// and values. Falcon-RW has ALiBi, as many KV heads as query heads, and no parallel branches. E.
// Almazrouei and others, 2023. Keys and names as in models/falcon of the `transformers` library,
// version 5.24.
#pragma once

#include "engine/model/families/family.h"

namespace attn {

Family falcon_family();

}  // namespace attn
