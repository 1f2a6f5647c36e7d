// SPDX-License-Identifier: GPL-3.0-or-later
// Selects the weights of a row that are drawn as lines. Pure; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace attn {

struct LineFilter {
  enum class Kind {
    kAtLeast,  // weights >= value
    kTopMass,  // the fewest largest weights whose sum is at least `value` * the sum of the row
  };
  Kind kind = Kind::kAtLeast;
  double value = 0.05;         // kAtLeast: a weight; kTopMass: a share in [0, 1]
  bool without_first = false;  // key 0 is left out and does not count in kTopMass
  bool operator==(const LineFilter&) const = default;
};

struct KeptKeys {
  std::vector<int32_t> keys;  // largest weight first, equal ones by position; no weight of 0
  double mass = 0;            // sum of the row's weights; NaN: no key is kept
  double hidden = 0;          // mass - the sum of the kept weights
};

// row: weights of all keys from 0 on, masked ones 0.
KeptKeys keep_keys(const LineFilter& filter, std::span<const float> row);

}  // namespace attn
