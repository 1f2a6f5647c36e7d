// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/scenario/scenario.h"

namespace attn {

// Validates the scenario. Of a tensor source it reads names and shapes. Of a model it reads what
// check_model() reads, and asks whether the backend supports the layers. Does not check memory.
// Throws Error, for example kBadInput or kNotSupported.
void check_start(const Scenario& scenario);

}  // namespace attn
