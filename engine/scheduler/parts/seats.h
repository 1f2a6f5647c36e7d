// SPDX-License-Identifier: GPL-3.0-or-later
// Seats: the number of sequences that run, together with those that the running requests may
// become by forking.
#pragma once

#include <cstdint>

#include "engine/scheduler/parts/beam_searches.h"
#include "engine/scheduler/parts/request_queues.h"
#include "engine/scheduler/scheduler_config.h"

namespace attn {

class Seats {
 public:
  // All three must outlive the seats.
  Seats(const SchedulerConfig& config, const RequestQueues& queues, const BeamSearches& searches)
      : config_(config), queues_(queues), searches_(searches) {}

  int64_t taken() const;  // by running requests
  // Whether the request, with its forks or beams, can run beside those that run.
  bool are_free_for(const Request& request) const;

 private:
  const SchedulerConfig& config_;
  const RequestQueues& queues_;
  const BeamSearches& searches_;
};

}  // namespace attn
