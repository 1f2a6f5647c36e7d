// SPDX-License-Identifier: GPL-3.0-or-later
// The targets, each in a source of its own. Private to tests/fuzz.
#pragma once

#include "tests/fuzz/targets/targets.h"

namespace attn::fuzz {

extern const Target kSessionTarget, kSafetensorsTarget, kWeightIndexTarget, kNpyTarget,
    kModelFolderTarget, kScenarioTarget, kLessonTarget, kGgufTarget;

}  // namespace attn::fuzz
