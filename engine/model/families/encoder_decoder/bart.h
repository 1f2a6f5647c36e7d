// SPDX-License-Identifier: GPL-3.0-or-later
// BART and Marian: LayerNorm after each sum, linear layers with biases, and an encoder and a
// decoder that share their embedding. BART: learned positions, and a norm of the embedding. M.
// Lewis and others, 2019. Marian, for translation: sines as positions. M. Junczys-Dowmunt and
// others, 2018.
#pragma once

#include "engine/model/families/family.h"

namespace attn {

Family bart_family();

}  // namespace attn
