// SPDX-License-Identifier: GPL-3.0-or-later
// Pads the prompts of a batch to multiples of 16 rows. Rows of padding have slot -1: their keys and
// values are not written.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/attention/metadata.h"

namespace attn::backends::pallas {

struct PaddedPrefills {
  // [prefills + 1] first row of each prompt, then the number of rows; all are multiples of 16.
  std::vector<int64_t> start_loc{0};
  std::vector<int64_t> slot_mapping;  // [rows]

  int64_t rows() const { return start_loc.back(); }
  int64_t rows_of(int64_t seq) const {
    return start_loc[static_cast<size_t>(seq) + 1] - start_loc[static_cast<size_t>(seq)];
  }
};
PaddedPrefills pad_prefills(const AttentionMetadata& batch);

}  // namespace attn::backends::pallas
