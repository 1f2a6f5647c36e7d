// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/tiles/instruction_set.h"

#include "engine/kernels/tiles/bf16_unit.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/tiles/instruction_set.cpp"
#include "hwy/foreach_target.h"  // must precede hwy/highway.h

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {
int64_t RunningTarget() {
  return HWY_TARGET;
}
}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attn {

HWY_EXPORT(RunningTarget);

int64_t kernel_targets() {
  return HWY_TARGETS;
}

std::string instruction_set() {
  const char* const units[] = {"", " + bf16 dot products", " + AMX"};  // index: Bf16Unit
  return std::string(hwy::TargetName(HWY_DYNAMIC_DISPATCH(RunningTarget)())) +
         units[static_cast<size_t>(bf16_unit())];
}

}  // namespace attn
#endif  // HWY_ONCE
