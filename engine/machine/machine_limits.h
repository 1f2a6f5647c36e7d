// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the limits of this machine for the roofline. Nothing else should compute meanwhile. Any
// thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace attn {

// Rates of all threads together, each the best of `rounds` measurements.
struct MachineLimits {
  int threads = 1;
  int rounds = 0;
  double f32_gops = 0;    // 1e9 operations per second
  double bf16_gops = 0;   // of the bf16 unit; 0: none was measured
  std::string bf16_unit;  // empty: none was measured
  struct Level {
    std::string name;   // "L1", "L2", "L3", "memory"
    int64_t bytes = 0;  // bytes that all threads together read
    double read_gbps = 0;
  };
  std::vector<Level> levels;  // caches, then memory
  double copy_gbps = 0;       // bytes read and written

  const Level& memory() const { return levels.back(); }
};

// Asked at the beginning and before each measurement, with the part of the time that is over, in
// [0, 1]. False: stop.
using MeasureProgress = std::function<bool(double fraction)>;

inline constexpr double kMeasureSeconds = 1.6;

// Measures with `threads` threads for at least `seconds` seconds and three rounds (one round if
// `seconds` is 0). nullopt: progress() said to stop. Throws Error, for example kBadInput if there
// is not enough memory.
std::optional<MachineLimits> measure_machine(int threads, const MeasureProgress& progress = {},
                                             double seconds = kMeasureSeconds);

}  // namespace attn
