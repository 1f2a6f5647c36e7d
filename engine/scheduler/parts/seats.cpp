// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scheduler/parts/seats.h"

#include <algorithm>

#include "engine/scheduler/fault.h"

namespace attn {
namespace {

// The most sequences that the request, for a beam its search, is now or may become by forking.
int64_t seats_of(const Request& request) {
  if (ATTN_SCHEDULER_FAULT(kSeatsOfForksForgotten)) return 1;
  if (request.is_beam()) return request.beam_width;
  return request.output_ids.empty() ? request.n : 1;
}

}  // namespace

int64_t Seats::taken() const {
  int64_t taken = 0;
  for (const Request* request : queues_.running())
    if (!searches_.is_further_beam(*request)) taken += seats_of(*request);
  return taken;
}

// Running sequences decode together, one token each, so the token budget limits their number, too.
bool Seats::are_free_for(const Request& request) const {
  const int64_t most = std::min(config_.max_num_seqs, config_.max_num_batched_tokens) +
                       (ATTN_SCHEDULER_FAULT(kSeatsOneMore) ? 1 : 0);
  return taken() + seats_of(request) <= most;
}

}  // namespace attn
