// SPDX-License-Identifier: GPL-3.0-or-later
// The CSV tables of the view Step other than step.csv: kernel calls, and places in the cache. Any
// thread.
#pragma once

#include <string>

#include "gui/views/step/step_scene.h"

namespace attn::gui {

// For each configuration of layers, a row for each kernel call of one of its layers.
std::string step_calls_csv(const StepScene& scene);
// A key row and a value row for each token with a slot, at d 0 of one KV head.
std::string step_cache_csv(const StepScene& scene);

}  // namespace attn::gui
