// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of the Step view beside step.csv. Any thread.
#pragma once

#include <string>

#include "gui/views/step/step_scene.h"

namespace attn::gui {

// A row for each kernel call of each configuration of layers, with sentences that give its reasons.
std::string step_calls_csv(const StepScene& scene);
// Where the keys and values that the step writes lie in the cache of a layer: two rows for each row
// of step.csv that has a slot. The KV head is that of the shown head, d is 0.
std::string step_cache_csv(const StepScene& scene);

}  // namespace attn::gui
