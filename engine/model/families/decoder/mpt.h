// SPDX-License-Identifier: GPL-3.0-or-later
// MPT: ALiBi instead of position embeddings, no biases. MosaicML, 2023. Keys and names as in
// models/mpt of the `transformers` library, version 5.24.
#pragma once

#include "engine/model/families/family.h"

namespace attn {

Family mpt_family();

}  // namespace attn
