// SPDX-License-Identifier: GPL-3.0-or-later
// The targets, each in a source of its own. Private to tests/fuzz.
#pragma once

#include "tests/fuzz/targets/targets.h"

namespace attn::fuzz {

// True for one in `count` inputs, always the same ones: for what takes long and is the same for
// most of them.
bool is_one_of(std::string_view bytes, uint64_t count);

extern const Target kSessionTarget, kSafetensorsTarget, kWeightIndexTarget, kNpyTarget,
    kModelFolderTarget, kScenarioTarget, kLessonTarget, kGgufTarget, kSentencePieceTarget,
    kTextsTarget;

}  // namespace attn::fuzz
