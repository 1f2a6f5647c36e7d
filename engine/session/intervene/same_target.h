// SPDX-License-Identifier: GPL-3.0-or-later
// Whether two interventions change the same values, so that only one of them would have an effect.
// Any thread.
#pragma once

#include "engine/session/intervene/intervention.h"

namespace attn {

// An entry for one position and an entry for all positions are different.
bool same_target(const Intervention& a, const Intervention& b);

}  // namespace attn
