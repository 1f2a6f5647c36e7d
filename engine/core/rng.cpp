// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/rng.h"

#include <bit>
#include <cmath>
#include <numbers>

namespace attn {

Rng::Rng(uint64_t seed) {
  for (uint64_t& word : state_) {
    seed += 0x9e3779b97f4a7c15u;
    uint64_t z = seed;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    word = z ^ z >> 31;
  }
}

uint64_t Rng::next() {
  const uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double Rng::uniform() {
  return static_cast<double>(next() >> 11) * 0x1p-53;
}

float Rng::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return static_cast<float>(spare_);
  }
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  const double angle = 2.0 * std::numbers::pi * uniform();
  spare_ = radius * std::sin(angle);
  has_spare_ = true;
  return static_cast<float>(radius * std::cos(angle));
}

uint64_t Rng::below(uint64_t bound) {
  // Values below `threshold` would make small results likelier; draw again.
  const uint64_t threshold = (0 - bound) % bound;
  uint64_t value = next();
  while (value < threshold) value = next();
  return value % bound;
}

}  // namespace attn
