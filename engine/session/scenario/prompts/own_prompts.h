// SPDX-License-Identifier: GPL-3.0-or-later
// Gives requests whose prompt a person has replaced a name such as "Own prompt 2", and takes it
// back.
#pragma once

#include "engine/session/scenario/scenario.h"

namespace attn {

// Compares request i of `scenario` with request i of `opened`, the scenario as it was read. A
// request with another prompt that still has its name from the file is named "Own prompt", or "Own
// prompt 2" and so on, unless that name was empty or began so. If its prompt is the old one again,
// a name that begins so gives way to the old name. Does nothing unless both sources read text.
void name_own_prompts(Scenario& scenario, const Scenario& opened);

}  // namespace attn
