// SPDX-License-Identifier: GPL-3.0-or-later
// The names of requests whose prompt a person has replaced. The name in a scenario's file belongs
// to the prompt there ("Lily" to a story about Lily).
#pragma once

#include "engine/session/scenario/scenario.h"

namespace attn {

// Compares request i of `scenario` with request i of `opened`, the scenario as it was read. If its
// prompt was changed and it still has the name that the file gives it, it gets the name "Own
// prompt" (or "Own prompt 2", ... where this is taken). If its prompt is that of the file again,
// such a name gives way to the name of the file. Requests that only one of the two has stay as they
// are. Does nothing unless both sources read text.
void name_own_prompts(Scenario& scenario, const Scenario& opened);

}  // namespace attn
