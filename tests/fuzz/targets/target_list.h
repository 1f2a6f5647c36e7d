// SPDX-License-Identifier: GPL-3.0-or-later
// The targets that targets.cpp lists, and a choice of inputs for checks that take long. Private to
// tests/fuzz.
#pragma once

#include "tests/fuzz/targets/targets.h"

namespace attn::fuzz {

// True for about one in `count` inputs; depends on the bytes only. For checks that take long.
bool is_one_of(std::string_view bytes, uint64_t count);

extern const Target kSessionTarget, kSafetensorsTarget, kWeightIndexTarget, kNpyTarget,
    kModelFolderTarget, kScenarioTarget, kLessonTarget, kGgufTarget, kSentencePieceTarget,
    kTextsTarget;

}  // namespace attn::fuzz
