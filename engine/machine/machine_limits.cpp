// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/machine/machine_limits.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <memory>

#include "engine/core/memory.h"
#include "engine/kernels/tiles/bf16_unit.h"
#include "engine/machine/limits.h"

namespace attn {
namespace {

constexpr int kFewestRounds = 3;
constexpr int64_t kLeastMemory = int64_t{256} << 20, kMostMemory = int64_t{1} << 30;

// Size of the data cache of a level in bytes, from Linux's files. 0: the system does not say.
int64_t cache_bytes(int level) {
  for (int index = 0; index < 8; ++index) {
    const std::string folder =
        "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    int found = 0;
    int64_t kib = 0;
    std::string type;
    std::ifstream(folder + "level") >> found;
    std::ifstream(folder + "type") >> type;
    std::ifstream(folder + "size") >> kib;  // "48K"
    if (found == level && type != "Instruction") return kib << 10;
  }
  return 0;
}

// A level for each data cache that can be measured, with half of its size, and one for the memory.
// Each thread is taken to have its own first and second cache; the third is shared by all.
std::vector<MachineLimits::Level> levels_of(int threads, int64_t memory_bytes) {
  std::vector<MachineLimits::Level> levels;
  int64_t below = 0;
  for (int level = 1; level <= 3; ++level) {
    const int64_t half = cache_bytes(level) / 2;
    const int64_t all = level < 3 ? half * threads : half;
    if (half == 0 || all <= below || all > memory_bytes / 4) continue;
    levels.push_back({"L" + std::to_string(level), all, 0});
    below = all;
  }
  levels.push_back({"memory", memory_bytes, 0});
  return levels;
}

Limit bf16_limit(Bf16Unit unit) {
  return unit == Bf16Unit::kMatrix ? Limit::kBf16Matrix : Limit::kBf16Dot;
}

bool is_measured(Bf16Unit unit) {
  return unit == Bf16Unit::kMatrix || (unit == Bf16Unit::kDotProducts && has_bf16_dot());
}

}  // namespace

std::optional<MachineLimits> measure_machine(int threads, const MeasureProgress& progress,
                                             double seconds) {
  const int64_t bytes = std::clamp(4 * cache_bytes(3), kLeastMemory, kMostMemory);
  ask_memory({.bytes = static_cast<double>(bytes),
              .what = "there is not enough memory to measure the limits of the machine",
              .where = "This machine",
              .found = "",
              .advice = "Close other programs, or run fewer requests"});
  const auto go_on = [&progress](double fraction) { return !progress || progress(fraction); };
  if (!go_on(0)) return std::nullopt;
  const auto pool = std::make_shared<ThreadPool>(threads);
  const auto memory = written_memory(bytes, *pool);
  LimitMeter meter(pool, memory);
  MachineLimits limits;
  limits.threads = pool->num_workers();
  limits.levels = levels_of(limits.threads, bytes);
  const Bf16Unit unit = bf16_unit();
  if (is_measured(unit)) limits.bf16_unit = name_of(bf16_limit(unit));

  std::vector<std::function<void()>> measurements;
  const auto best = [](double& of, double now) { of = std::max(of, now); };
  measurements.emplace_back([&] { best(limits.f32_gops, meter.rate(Limit::kFma)); });
  if (is_measured(unit))
    measurements.emplace_back([&] { best(limits.bf16_gops, meter.rate(bf16_limit(unit))); });
  for (MachineLimits::Level& level : limits.levels)
    measurements.emplace_back([&, &of = level] {
      best(of.read_gbps, &of == &limits.levels.back()
                             ? meter.rate(Limit::kRead)
                             : meter.reread_rate(of.bytes / limits.threads));
    });
  measurements.emplace_back([&] { best(limits.copy_gbps, meter.rate(Limit::kCopy)); });

  const auto begin = std::chrono::steady_clock::now();
  const auto spent = [&begin] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  for (; limits.rounds < (seconds > 0 ? kFewestRounds : 1) || spent() < seconds; ++limits.rounds)
    for (const std::function<void()>& measure : measurements) {
      if (!go_on(seconds > 0 ? std::min(1.0, spent() / seconds) : 0)) return std::nullopt;
      measure();
    }
  return limits;
}

}  // namespace attn
