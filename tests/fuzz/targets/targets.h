// SPDX-License-Identifier: GPL-3.0-or-later
// What is fuzzed: readers of files, and what the program does with what they accept. libFuzzer
// (libfuzzer.cpp) and the program that replays files (replay.cpp) use the same functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/json_change.h"

namespace attn::fuzz {

struct Seed {
  std::string name, bytes;
};

struct Target {
  const char* name;
  // Errors of the type attn::Error are what a bad file should give. Whatever else happens is a
  // finding; results that cannot be right throw std::logic_error. Returns whether the input was
  // accepted, as every seed must be.
  bool (*run)(std::string_view bytes);
  // A change that keeps most of the format, so that the reader gets past its first checks.
  std::string (*change)(std::string_view bytes, Random& random);
  // Good inputs: from the program's own writers, shipped files, tests/golden, or the source of the
  // target.
  std::vector<Seed> (*seeds)();
};
std::span<const Target> targets();
const Target* find_target(std::string_view name);  // null: there is none

}  // namespace attn::fuzz
