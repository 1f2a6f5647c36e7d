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
  // Returns whether the input was accepted, as every seed must be. A reader refuses a bad file with
  // an attn::Error, which run() catches; an exception that leaves run() is a finding.
  bool (*run)(std::string_view bytes);
  // Another input that keeps most of the format, so that the reader often gets past its first
  // checks.
  std::string (*change)(std::string_view bytes, Random& random);
  std::vector<Seed> (*seeds)();
};
std::span<const Target> targets();
const Target* find_target(std::string_view name);  // null: there is none

}  // namespace attn::fuzz
