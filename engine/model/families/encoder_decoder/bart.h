// SPDX-License-Identifier: GPL-3.0-or-later
// BART, mBART, Marian and M2M-100: an encoder and a decoder that share their embedding, and linear
// layers with biases. BART and Marian have LayerNorm after each sum, mBART and M2M-100 before each
// branch. BART and mBART have learned positions and a norm of the embedding, Marian and M2M-100
// sines as positions. M. Lewis and others, 2019 (BART); M. Junczys-Dowmunt and others, 2018
// (Marian).
#pragma once

#include "engine/model/families/family.h"

namespace attn {

Family bart_family();

}  // namespace attn
