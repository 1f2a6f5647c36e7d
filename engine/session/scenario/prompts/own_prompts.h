// SPDX-License-Identifier: GPL-3.0-or-later
// The names of requests whose prompt a person has replaced. The name in a scenario's file belongs
// to the prompt there ("Lily" to a story about Lily).
#pragma once

#include "engine/session/scenario/scenario.h"

namespace attn {

// Gives each request of `scenario` whose prompt is not that of `opened` any more the name
// "Own prompt" (or "Own prompt 2", ... where this is taken), if it still has the name of the file;
// and the name of the file again if the prompt is. Request i of one is request i of the other; of
// different numbers of requests those that both have. Sources that read no text: nothing.
void name_own_prompts(Scenario& scenario, const Scenario& opened);

}  // namespace attn
