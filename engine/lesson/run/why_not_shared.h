// SPDX-License-Identifier: GPL-3.0-or-later
// Why a run shares no blocks, for the author of a lesson, who sees a 0 where sharing was expected.
// Any thread.
#pragma once

#include <string>

#include "engine/lesson/format/expression.h"
#include "engine/lesson/run/frozen_run.h"

namespace attn::lesson {

// For an expression that asks what sharing brings (blocks_saved, hits, hits_of, hit_share) and is 0
// in this run: each reason with what to change in the scenario. Empty for every other one.
std::string why_not_shared(const Expression& expression, double value, const FrozenRun& run);

}  // namespace attn::lesson
