// SPDX-License-Identifier: GPL-3.0-or-later
// A small seeded generator: xoshiro256** seeded by splitmix64; D. Blackman and S. Vigna, "Scrambled
// linear pseudorandom number generators", 2018. next(), uniform() and below() give the same numbers
// on every machine and compiler; normal() also depends on the library's log, sin and cos. One
// thread per object.
#pragma once

#include <cstdint>

namespace attn {

class Rng {
 public:
  explicit Rng(uint64_t seed);
  uint64_t next();
  double uniform();                // [0, 1), 53 bits
  float normal();                  // mean 0, deviation 1 (Box-Muller, f64 inside)
  uint64_t below(uint64_t bound);  // [0, bound), unbiased; bound > 0

 private:
  uint64_t state_[4];
  bool has_spare_ = false;
  double spare_ = 0;
};

}  // namespace attn
