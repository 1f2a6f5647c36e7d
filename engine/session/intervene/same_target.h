// SPDX-License-Identifier: GPL-3.0-or-later
// Whether two interventions have the same target, so that only one of them would have an effect.
// Any thread.
#pragma once

#include <string>
#include <vector>

#include "engine/session/intervene/intervention.h"

namespace attn {

// An entry for one position and an entry for all positions have different targets.
bool same_target(const Intervention& a, const Intervention& b);
// Throws Error(kBadInput) if two entries of a request's list have the same target. where: the place
// of the list, for the error; path: the same without the name of a file.
void check_targets(const std::vector<Intervention>& list, const std::string& where,
                   const std::string& path);

}  // namespace attn
