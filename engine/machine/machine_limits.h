// SPDX-License-Identifier: GPL-3.0-or-later
// All limits of this machine at once, in about two seconds: the roofs over the kernels of a run.
// Nothing else should compute meanwhile. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace attn {

// Rates of all threads together. Each is the best of `rounds` measurements, because other work on
// the machine can only make a rate lower. Operations: a multiply-add is two.
struct MachineLimits {
  int threads = 1;
  int rounds = 0;
  double f32_gops = 0;    // 1e9 operations per second
  double bf16_gops = 0;   // in the unit that the kernels multiply bf16 in; 0: they use none
  std::string bf16_unit;  // "bf16 dot products", "bf16 matrix products"; empty: none
  struct Level {
    std::string name;   // "L1", "L2", "L3", "memory"
    int64_t bytes = 0;  // that were read in all threads together
    double read_gbps = 0;
  };
  std::vector<Level> levels;  // from the first cache that the system names to the memory
  double copy_gbps = 0;       // in memory; bytes read and bytes written

  const Level& memory() const { return levels.back(); }
};

// Asked between two measurements, of at most a tenth of a second each, with the part that is done,
// [0, 1]. False: stop.
using MeasureProgress = std::function<bool(double fraction)>;

inline constexpr double kMeasureSeconds = 1.6;

// Writes the memory, which takes some tenths of a second, and then measures with `threads`
// threads for `seconds` seconds, in at least three rounds (in one round if `seconds` is 0).
// nullopt: progress() said to stop. Throws Error(kBadInput) where there is not enough memory.
std::optional<MachineLimits> measure_machine(int threads, const MeasureProgress& progress = {},
                                             double seconds = kMeasureSeconds);

}  // namespace attn
