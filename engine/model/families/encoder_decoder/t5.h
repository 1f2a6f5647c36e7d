// SPDX-License-Identifier: GPL-3.0-or-later
// T5: RMSNorm before each branch, scores without a scale, and instead of position embeddings a bias
// that depends on the distance between query and key. Version 1.0 has a plain MLP with ReLU and one
// embedding for input and output; version 1.1 and flan have a gated MLP and an output layer of
// their own. C. Raffel and others, 2020.
#pragma once

#include "engine/model/families/family.h"

namespace attn {

Family t5_family();

}  // namespace attn
