// SPDX-License-Identifier: GPL-3.0-or-later
// make_row_by_row(): changes the scenario of a comparison so that each row of a request is
// computed. Private to this folder.
#pragma once

#include "engine/session/scenario/scenario.h"

namespace attn {

// Switches off prefix caching, swapping, further samples, beams and arrival times. Returns whether
// one of the first four was on.
bool make_row_by_row(Scenario& scenario);

}  // namespace attn
