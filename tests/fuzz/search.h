// SPDX-License-Identifier: GPL-3.0-or-later
// A search without libFuzzer: inputs are changed at random, over and over, without knowledge of the
// code that they reach.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "tests/fuzz/targets/targets.h"

namespace attn::fuzz {

// Prints a line for each target, at the end and every five minutes of processor time. `seconds` is
// processor time, too. Returns 0 where nothing was found, else 1. The inputs of up to three
// findings of a target with the same message are kept in `folder`; current-TARGET there holds the
// changed input that ran last, also after a crash.
int search(const std::vector<const Target*>& targets, double seconds, uint64_t seed,
           const std::filesystem::path& folder);

}  // namespace attn::fuzz
