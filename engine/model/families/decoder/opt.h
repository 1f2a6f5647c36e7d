// SPDX-License-Identifier: GPL-3.0-or-later
// OPT: learned positions that begin in row 2, relu; norms after the sums or narrower embeddings in
// some. S. Zhang and others, 2022. Keys and names as in models/opt of the `transformers` library,
// version 5.24.
#pragma once

#include "engine/model/families/family.h"

namespace attn {

Family opt_family();

}  // namespace attn
