// SPDX-License-Identifier: GPL-3.0-or-later
// Switches on seeded faults of the kernels, the block manager and the scheduler. Each must break at
// least one of the shipped lessons: a text relies on a fact that does not hold any more, no answer
// to choose is right, or a solution does not reach its goal.
#include <gtest/gtest.h>

#include "backends/register_all.h"
#include "engine/cache/fault.h"
#include "engine/kernels/fault.h"
#include "engine/lesson/run/answer_key.h"
#include "engine/scheduler/fault.h"

namespace attn::lesson {
namespace {

// The lessons that have mistakes now, of those named; all where none is named.
std::vector<std::string> broken(std::initializer_list<const char*> names) {
  static const auto sources = [] {
    register_all_backends();
    return std::make_shared<SourceCache>();
  }();
  std::vector<std::string> found;
  for (const char* name : names) {
    const ParsedLesson parsed = read_lesson(find_lesson(name));
    if (!parsed.ok()) throw parsed.error();
    try {
      if (!check_lesson(parsed.lesson, {.sources = sources, .gate = nullptr}).mistakes.empty())
        found.emplace_back(name);
    } catch (const std::exception&) {
      found.emplace_back(name);
    }
  }
  return found;
}

struct Seeded {
  Fault fault;
  const char* name;
};
constexpr Seeded kKernelFaults[] = {
    {Fault::kSeesOneAhead, "kSeesOneAhead"},
    {Fault::kDropsLastKey, "kDropsLastKey"},
    {Fault::kNoScale, "kNoScale"},
    {Fault::kScaleTwice, "kScaleTwice"},
    {Fault::kNotNormalised, "kNotNormalised"},
    {Fault::kLseWithoutMax, "kLseWithoutMax"},
    {Fault::kLseWithoutLog, "kLseWithoutLog"},
    {Fault::kWrongKvHead, "kWrongKvHead"},
    {Fault::kHalfTheSum, "kHalfTheSum"},
    {Fault::kExpCoefficient, "kExpCoefficient"},
};

TEST(LessonMutants, WithoutAFaultNothingIsBroken) {
  EXPECT_EQ(broken({"1", "3", "6", "14"}), std::vector<std::string>{});
}

TEST(LessonMutants, EachFaultOfTheKernelsBreaksALesson) {
  for (const Seeded& seeded : kKernelFaults) {
    seeded_fault = seeded.fault;
    EXPECT_FALSE(broken({"1", "3", "14"}).empty()) << seeded.name << " breaks no lesson";
    seeded_fault = Fault::kNone;
  }
}

TEST(LessonMutants, FaultsOfTheCacheAndTheSchedulerBreakALesson) {
  for (const cache_faults::Fault fault :
       {cache_faults::kFullBlockCopied, cache_faults::kChainOfOne, cache_faults::kWindowOneLate}) {
    cache_faults::seeded = fault;
    EXPECT_FALSE(broken({"11", "15"}).empty()) << "fault " << fault << " breaks no lesson";
    cache_faults::seeded = cache_faults::kNoFault;
  }
  for (const scheduler_faults::Fault fault :
       {scheduler_faults::kVictimOldest, scheduler_faults::kOneTokenMore,
        scheduler_faults::kPreemptsTooEarly}) {
    scheduler_faults::seeded = fault;
    EXPECT_FALSE(broken({"7", "8", "12"}).empty()) << "fault " << fault << " breaks no lesson";
    scheduler_faults::seeded = scheduler_faults::kNoFault;
  }
}

}  // namespace
}  // namespace attn::lesson
