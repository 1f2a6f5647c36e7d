// SPDX-License-Identifier: GPL-3.0-or-later
// BLOOM: ALiBi instead of position embeddings, and a norm after the embedding; one tensor has the
// weights of queries, keys and values, head by head. T. Le Scao and others, 2022. Keys and names as
// in models/bloom of the `transformers` library, version 5.24.
#pragma once

#include "engine/model/families/family.h"

namespace attn {

Family bloom_family();

}  // namespace attn
