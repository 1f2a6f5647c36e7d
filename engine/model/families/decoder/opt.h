// SPDX-License-Identifier: GPL-3.0-or-later
// OPT: learned positions that begin in row 2 of their table; by default ReLU. Some models have the
// norms after the residual sums, or embeddings that are narrower than the residual stream. S. Zhang
// and others, 2022. Keys and names as in models/opt of the `transformers` library, version 5.24.
#pragma once

#include "engine/model/families/family.h"

namespace attn {

Family opt_family();

}  // namespace attn
