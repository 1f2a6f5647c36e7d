// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a scenario can be started, found out before its run takes the place of another one. Any
// thread.
#pragma once

#include "engine/session/scenario/scenario.h"

namespace attn {

// Checks the scenario and the files of its source, without reading the numbers in them: of tensors
// their names and shapes; of a model its config, its tokenizer, the headers of its weights, and
// whether the backend supports its layers. Throws what the run would throw: Error(kBadInput),
// Error(kNotSupported), Error(kFailed). Memory is not checked here, because the run that would be
// replaced still holds some of it.
void check_start(const Scenario& scenario);

}  // namespace attn
