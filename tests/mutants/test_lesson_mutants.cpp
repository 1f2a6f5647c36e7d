// SPDX-License-Identifier: GPL-3.0-or-later
// Switches on some seeded faults of the kernels, the block manager and the scheduler. Each must
// break a shipped lesson: check_lesson() finds mistakes, or the lesson cannot be run.
#include <gtest/gtest.h>

#include "backends/register_all.h"
#include "engine/cache/fault.h"
#include "engine/kernels/fault.h"
#include "engine/lesson/run/answer_key.h"
#include "engine/scheduler/fault.h"

namespace attn::lesson {
namespace {

bool is_broken(const char* name) {
  static const auto sources = [] {
    register_all_backends();
    return std::make_shared<SourceCache>();
  }();
  const ParsedLesson parsed = read_lesson(find_lesson(name));
  if (!parsed.ok()) throw parsed.error();
  try {
    return !check_lesson(parsed.lesson, {.sources = sources, .gate = nullptr}).mistakes.empty();
  } catch (const std::exception&) {
    return true;
  }
}

struct Seeded {
  kernel_faults::Fault fault;
  const char* name;
  const char* lesson;
};
constexpr Seeded kKernelFaults[] = {
    {kernel_faults::kLseWithoutMax, "kLseWithoutMax", "1"},
    {kernel_faults::kLseWithoutLog, "kLseWithoutLog", "1"},
    {kernel_faults::kNoScale, "kNoScale", "14"},  // lesson 14 compares with the reference
    {kernel_faults::kNotNormalised, "kNotNormalised", "14"},
    {kernel_faults::kSeesOneAhead, "kSeesOneAhead", "14"},
    {kernel_faults::kWrongKvHead, "kWrongKvHead", "14"},
};

TEST(LessonMutants, WithoutAFaultNothingIsBroken) {
  for (const char* lesson : {"1", "11", "14"}) EXPECT_FALSE(is_broken(lesson)) << lesson;
}

TEST(LessonMutants, FaultsOfTheKernelsBreakALesson) {
  for (const Seeded& seeded : kKernelFaults) {
    kernel_faults::seeded = seeded.fault;
    EXPECT_TRUE(is_broken(seeded.lesson)) << seeded.name << ", lesson " << seeded.lesson;
    kernel_faults::seeded = kernel_faults::kNoFault;
  }
}

TEST(LessonMutants, AFaultOfTheCacheBreaksALesson) {
  cache_faults::seeded = cache_faults::kChainOfOne;
  EXPECT_TRUE(is_broken("11"));
  cache_faults::seeded = cache_faults::kNoFault;
}

TEST(LessonMutants, AFaultOfTheSchedulerBreaksALesson) {
  scheduler_faults::seeded = scheduler_faults::kOneTokenMore;
  EXPECT_TRUE(is_broken("14"));
  scheduler_faults::seeded = scheduler_faults::kNoFault;
}

}  // namespace
}  // namespace attn::lesson
