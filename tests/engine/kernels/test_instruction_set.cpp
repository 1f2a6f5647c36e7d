// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/tiles/instruction_set.h"

#include <gtest/gtest.h>

#include "hwy/targets.h"

namespace attn {
namespace {

// Tries the targets that Highway reports for this machine, whether or not the kernels are compiled
// for them.
TEST(InstructionSet, IsOneThatTheKernelsHave) {
  const int64_t compiled = kernel_targets();
  int known = 0;
  for (int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) {
    const int64_t target = rest & -rest;
    hwy::SetSupportedTargetsForTest(target);
    const std::string told = instruction_set();
    hwy::SetSupportedTargetsForTest(0);
    const std::string name = hwy::TargetName(target);
    SCOPED_TRACE(name);
    if ((compiled & target) != 0) {
      ++known;
      EXPECT_TRUE(told == name || told.starts_with(name + " + ")) << told;
    } else {
      EXPECT_FALSE(told == name || told.starts_with(name + " + ")) << told;
    }
  }
  EXPECT_GE(known, 1);
}

}  // namespace
}  // namespace attn
