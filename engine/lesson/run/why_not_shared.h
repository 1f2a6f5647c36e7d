// SPDX-License-Identifier: GPL-3.0-or-later
// Tells the author of a lesson why a run shares no blocks. Any thread.
#pragma once

#include <string>

#include "engine/lesson/format/expression.h"
#include "engine/lesson/run/frozen_run.h"

namespace attn::lesson {

// The reasons, with what to change, if an expression asks what sharing brings (blocks_saved, hits,
// hits_of, hit_share) and is 0. Otherwise empty.
std::string why_not_shared(const Expression& expression, double value, const FrozenRun& run);

}  // namespace attn::lesson
