// SPDX-License-Identifier: GPL-3.0-or-later
// GPT-Neo: as GPT-2, but every second layer has a window, and scores are not scaled. S. Black and
// others, 2021. Keys and names as in models/gpt_neo of the `transformers` library, version 5.24.
#pragma once

#include "engine/model/families/family.h"

namespace attn {

Family gpt_neo_family();

}  // namespace attn
