// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/pallas/padding/padded_prefills.h"

#include "backends/pallas/pallas_grid.h"
#include "engine/kernels/fault.h"

namespace attn::backends::pallas {

PaddedPrefills pad_prefills(const AttentionMetadata& batch) {
  PaddedPrefills padded;
  for (int64_t s = 0; s < batch.num_prefills; ++s) {
    const auto first = batch.slot_mapping.begin() + batch.query_start_loc[static_cast<size_t>(s)];
    padded.start_loc.push_back(padded.rows() + padded_prefill_length(batch.query_len(s)));
    padded.slot_mapping.insert(padded.slot_mapping.end(), first, first + batch.query_len(s));
    padded.slot_mapping.resize(static_cast<size_t>(padded.rows()),
                               ATTN_FAULT(kPaddingRowWritten) ? *first : kPaddingSlot);
  }
  return padded;
}

}  // namespace attn::backends::pallas
