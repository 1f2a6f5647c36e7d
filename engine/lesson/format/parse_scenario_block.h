// SPDX-License-Identifier: GPL-3.0-or-later
// Reads `:::scenario` of a lesson. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/lesson/format/mistakes.h"
#include "engine/lesson/format/outline.h"
#include "engine/session/scenario/scenario.h"

namespace attn::lesson {

// previous: the scenario before this one; null: there is none, or it was refused. view: is set to
// that of the directive; empty: none. nullopt: the scenario is refused, with a mistake.
std::optional<Scenario> read_scenario_block(const OutlineDirective& directive,
                                            const Scenario* previous, Mistakes& mistakes,
                                            std::string& view);

}  // namespace attn::lesson
